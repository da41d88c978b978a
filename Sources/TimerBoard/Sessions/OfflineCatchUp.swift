package import TimerKit

/// Saved timers, advanced through a time in which no process was running them.
package struct OfflineCatchUp: Hashable, Sendable {
  /// The timers as they are now.
  package private(set) var timers: [SavedTimer]
  /// The number of fires of each timer that were due in the meantime.
  package private(set) var fires: [Int]
  /// The positions of timers that finished in the meantime.
  package private(set) var finished: Set<Int> = []
  /// The positions of timers that start now and not in the meantime, because the chains have reached the limit of
  /// simulated starts.
  package private(set) var delayed: Set<Int> = []

  /// - Parameters:
  ///   - policy: With `catchUp`, all timers continue, and those that finish start their successors; with
  ///     `keepTimeLeft`, only timers that follow the time of day continue.
  ///   - now: The time at which the timers are restored.
  package init(of saved: consuming [SavedTimer], _ policy: RestorePolicy, until now: ClockReading) {
    timers = consume saved
    fires = timers.map { _ in 0 }
    if policy == .catchUp, timers.contains(where: { $0.spec.successor != nil }) {
      var chains = TimerChains(timers, until: now)
      chains.run()
      (timers, fires) = (chains.timers, chains.fires)
      (finished, delayed) = (chains.finished, chains.delayed)
    }
    for index in timers.indices where policy == .catchUp || timers[index].followsTimeOfDay {
      let wasRunning = timers[index].state == .running
      fires[index] += timers[index].catchUp(to: now.wall)
      if wasRunning, timers[index].state == .finished { finished.insert(index) }
    }
  }

  /// The timers that fired, finished or start now, each with its label and what happened to it: `tea`, `finished`.
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
