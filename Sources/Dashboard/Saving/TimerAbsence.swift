public import TimerKit

/// What became of saved timers while nobody ran them.
public struct TimerAbsence: Hashable, Sendable {
  /// As they stand now.
  public private(set) var timers: [SavedTimer]
  /// How often each fired meanwhile.
  public private(set) var fires: [Int]
  /// Those that finished meanwhile.
  public private(set) var finished: Set<Int> = []

  /// More starts of one timer by another are not followed: a short one after itself, for a year.
  private static let longestChain = 1000

  /// - Parameters:
  ///   - resumption: by the clock all of them went on, and who finished started who comes after;
  ///     frozen, only those that follow dates did.
  ///   - now: when they come back.
  public init(of saved: [SavedTimer], _ resumption: RestorePolicy, until now: Moment) {
    timers = saved
    fires = saved.map { _ in 0 }
    var starts = 0
    // In the order in which they end: each end may be the start of another.
    while let index = firstToEnd(resumption, by: now.wall), starts < Self.longestChain {
      starts += 1
      let end = timers[index].end ?? now.wall
      fires[index] += timers[index].catchUp(to: end)
      finished.insert(index)
      guard resumption == .catchUp, let next = successor(of: index) else { continue }
      timers[next].spec.isPaused = false
      timers[next] = SavedTimer(
        startOf: timers[next].spec, at: Moment(wall: end).withZone(of: now))
      finished.remove(next)
    }
    for index in timers.indices where moves(index, resumption) {
      fires[index] += timers[index].catchUp(to: now.wall)
    }
  }

  private func moves(_ index: Int, _ resumption: RestorePolicy) -> Bool {
    resumption == .catchUp || timers[index].isBoundToDates
  }

  private func firstToEnd(_ resumption: RestorePolicy, by now: WallInstant) -> Int? {
    timers.indices.lazy
      .compactMap { index -> (index: Int, end: WallInstant)? in
        guard moves(index, resumption), let end = timers[index].end, end <= now else { return nil }
        return (index, end)
      }
      .min { $0.end < $1.end }?.index
  }

  private func successor(of index: Int) -> Int? {
    timers[index].spec.next.flatMap { name in timers.firstIndex { $0.spec.name == name } }
  }

  /// What happened, in words: `tea finished`, `sets fired 5 times`; one for each timer.
  public var report: [String] {
    timers.indices.compactMap { index in
      let name = timers[index].name
      if finished.contains(index) { return "\(name) finished" }
      let count = fires[index]
      guard count > 0 else { return nil }
      return count == 1 ? "\(name) fired once" : "\(name) fired \(count) times"
    }
  }
}

extension Moment {
  fileprivate func withZone(of other: Moment) -> Moment {
    var moment = self
    moment.secondsFromUTC = other.secondsFromUTC
    return moment
  }
}
