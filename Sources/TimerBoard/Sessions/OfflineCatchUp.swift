package import TimerKit

/// Saved timers, of which some start others, advanced through a time in which no process was running them.
package struct OfflineCatchUp: Sendable {
  /// The maximum number of starts, which take less than a second: those of a loop of 20 seconds in 23 days.
  private static let startLimit = 100_000

  /// The timers as they are now. While chains are followed, they are identified by their positions.
  package private(set) var timers: [SavedTimer]
  /// The number of fires of each timer that were due in the meantime.
  package private(set) var fires: [Int]
  /// The positions of timers that finished in the meantime.
  package private(set) var finished: Set<Int> = []
  /// The positions of timers that start now and not in the meantime, because the chains have reached the limit of
  /// simulated starts.
  package private(set) var delayed: Set<Int> = []
  /// The positions of the timers that each timer starts.
  private var successors: [[Int]?] = []
  /// The number of timers whose runs belong to the chain of each head.
  private var runCounts: [TimerID: Int] = [:]
  /// The end of each running timer that has a successor or a head, if it is not after now.
  private var ends: [WallInstant?] = []
  /// The ends in order, the latest first; an entry that is no longer in `ends` is ignored.
  private var queue: [(end: WallInstant, timer: Int)] = []
  private let now: ClockReading

  /// - Parameters:
  ///   - policy: With `catchUp`, all timers continue, and those that finish start their successors; with
  ///     `keepTimeLeft`, only timers that follow the time of day continue.
  ///   - now: The time at which the timers are restored.
  package init(of saved: consuming [SavedTimer], _ policy: RestorePolicy, until now: ClockReading) {
    timers = consume saved
    fires = timers.map { _ in 0 }
    self.now = now
    if policy == .catchUp, timers.contains(where: { $0.spec.successor != nil }) { followChains() }
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

  /// Advances the timers that have a successor or a head to their last end.
  private mutating func followChains() {
    let ids = timers.map(\.id)
    successors = timers.successors
    ends = timers.map { _ in nil }
    for (position, head) in timers.heads.enumerated() {
      timers[position].chain.head = head.map { TimerID($0) }
      if let head { runCounts[TimerID(head), default: 0] += 1 }
    }
    for timer in timers.indices { scheduleEnd(of: timer) }
    var starts = 0
    while let (end, timer) = queue.popLast() {
      guard ends[timer] == end else { continue }
      let isDelayed = starts >= Self.startLimit
      // The chain then continues from now, so that the user notices its end.
      let time = isDelayed ? now.wall : end
      if isDelayed {
        let takenAt = timers[timer].checkpoint.content.takenAt
        timers[timer].checkpoint.content.takenAt = takenAt.advanced(by: end.duration(to: now.wall))
      }
      fires[timer] += timers[timer].catchUp(to: time)
      ends[timer] = nil
      finished.insert(timer)
      let started = recordRunEnd(of: TimerID(timer)).map(\.rawValue)
      starts += started.count
      for next in started {
        if isDelayed { delayed.insert(next) }
        start(next, after: timer, at: time)
      }
    }
    for timer in timers.indices {
      timers[timer].id = ids[timer]
      timers[timer].chain.head = timers[timer].chain.head.map { ids[$0.rawValue] }
    }
  }

  private mutating func start(_ next: Int, after timer: Int, at end: WallInstant) {
    fires[next] += timers[next].catchUp(to: end)
    // `wait` of a head applies to its next round too, which the last timer of the chain starts.
    let waiting = timers[timer].spec.successor == nil ? next : timer
    let waits = timers[waiting].spec.waits && timers[next].spec.accepts("paused")
    if !waits, timers[timer].spec.sound != .ring {
      (timers[timer].hasAlert, timers[timer].overtime) = (false, nil)
    }
    timers[next].spec.isPaused = waits
    var started = SavedTimer(startOf: timers[next].spec, at: ClockReading(wall: end))
    (started.counts, started.chain) = (timers[next].counts, timers[next].chain)
    timers[next] = started
    finished.remove(next)
    if waits {
      (timers[next].hasAlert, timers[next].standsReady) = (true, true)
      timers[next].overtime = end.duration(to: now.wall)
    }
    scheduleEnd(of: next)
  }

  private mutating func scheduleEnd(of timer: Int) {
    let isFollowed = successors[timer]?.isEmpty == false || timers[timer].chain.head != nil
    ends[timer] = isFollowed ? timers[timer].end(by: now.wall) : nil
    guard let end = ends[timer] else { return }
    var (low, high) = (0, queue.count)
    while low < high {
      let middle = (low + high) / 2
      if (queue[middle].end, queue[middle].timer) > (end, timer) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    queue.insert((end, timer), at: low)
  }
}

extension OfflineCatchUp: ChainMembers {
  func successors(of id: TimerID) -> [TimerID]? { successors[id.rawValue]?.map { TimerID($0) } }

  func chainCount(of id: TimerID) -> Int? { timers[id.rawValue].spec.chainCount }

  func hasEnd(_ id: TimerID) -> Bool { timers[id.rawValue].spec.fireCount != nil }

  func hasFinished(_ id: TimerID) -> Bool { timers[id.rawValue].state == .finished }

  func runCount(inChainOf head: TimerID) -> Int { runCounts[head] ?? 0 }

  subscript(chain id: TimerID) -> ChainState {
    get { timers[id.rawValue].chain }
    set {
      if let head = timers[id.rawValue].chain.head { runCounts[head, default: 0] -= 1 }
      timers[id.rawValue].chain = newValue
      if let head = newValue.head { runCounts[head, default: 0] += 1 }
    }
  }
}
