package import TimerKit

/// What became of saved timers while nobody ran them.
package struct OfflineCatchUp: Hashable, Sendable {
  /// As they stand now.
  package private(set) var timers: [SavedTimer]
  /// How often each fired meanwhile.
  package private(set) var fires: [Int]
  /// Those that finished meanwhile.
  package private(set) var finished: Set<Int> = []
  /// Those that start now, because too many chained starts came before theirs to follow them all.
  package private(set) var delayed: Set<Int> = []

  /// - Parameters:
  ///   - resumption: by the clock all of them went on, and who finished started who comes after;
  ///     frozen, only those that follow dates did.
  ///   - now: when they come back.
  package init(of saved: [SavedTimer], _ resumption: RestorePolicy, until now: ClockReading) {
    timers = saved
    fires = saved.map { _ in 0 }
    if resumption == .catchUp {
      for members in TimerChain.all(in: saved) {
        var chain = TimerChain(members, timers, until: now)
        chain.run()
        for (index, timer) in zip(chain.members, chain.timers) { timers[index] = timer }
        for (index, count) in zip(chain.members, chain.fires) { fires[index] += count }
        delayed.formUnion(chain.delayed)
        finished.formUnion(chain.finished)
      }
    }
    for index in timers.indices where resumption == .catchUp || timers[index].isBoundToDates {
      let wasRunning = timers[index].state == .running
      fires[index] += timers[index].catchUp(to: now.wall)
      if wasRunning, timers[index].state == .finished { finished.insert(index) }
    }
  }

  /// What happened to each timer that fired or finished, the timer first: `tea`, `finished`.
  package var report: [(label: String, text: String)] {
    timers.indices.compactMap { index in
      let name = timers[index].name
      if delayed.contains(index) { return (name, "started now: too many chained starts to follow") }
      if finished.contains(index) { return (name, "finished") }
      let count = fires[index]
      guard count > 0 else { return nil }
      return (name, count == 1 ? "fired once" : "fired \(count) times")
    }
  }
}
