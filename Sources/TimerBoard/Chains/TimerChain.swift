import TimerKit

/// Timers that start one another, advanced through a time in which no process was running them.
struct TimerChain {
  /// The maximum number of starts, which take less than a second: those of a loop of 20 seconds in 23 days.
  private static let startLimit = 100_000

  /// The positions of the members in the session.
  let members: [Int]
  private(set) var timers: [SavedTimer]
  /// The state of each member in chains, with the heads as members.
  private var states: [ChainState<Int>]
  private(set) var fires: [Int]
  /// The positions in the session of the timers that have finished.
  private(set) var finished: Set<Int> = []
  /// The positions in the session of the timers that start now because of `startLimit`.
  private(set) var delayed: Set<Int> = []
  /// The target of `then` for each member. Here and below, timers are numbered by their positions among the members.
  private let targets: [ChainLinks.Target?]
  /// The members of each group that a member starts, by its index.
  private let groups: [Int: [Int]]
  /// The number of members whose runs belong to the chain of each head.
  private var runCounts: [Int: Int] = [:]
  /// The end of each running member that has a successor or a head, if it is not after now.
  private var ends: [WallInstant?]
  /// The ends in order, the latest first; an entry that is no longer in `ends` is ignored.
  private var queue: [(end: WallInstant, timer: Int)] = []
  private let now: ClockReading

  /// - Parameters:
  ///   - members: The positions in `saved` of timers that only start one another.
  ///   - links: The links of all timers in `saved`.
  init(
    _ members: [Int], of saved: [SavedTimer], linkedBy links: ChainLinks, until now: ClockReading
  ) {
    self.members = members
    self.now = now
    timers = members.map { saved[$0] }
    fires = members.map { _ in 0 }
    var indices: [Int: Int] = [:]
    for (index, member) in members.enumerated() { indices[member] = index }
    var groups: [Int: [Int]] = [:]
    targets = members.map { member in
      switch links.targets[member] {
      case .timer(let position)?: return indices[position].map { .timer($0) }
      case .group(let group)?:
        if groups[group] == nil { groups[group] = links.groups[group].compactMap { indices[$0] } }
        return .group(group)
      case nil: return nil
      }
    }
    self.groups = groups
    ends = timers.map { _ in nil }
    states = []
    for (index, timer) in timers.enumerated() {
      let head = links.heads[members[index]].flatMap { indices[$0] }
      states.append(timer.chain.mapHead { _ in head })
      if let head { runCounts[head, default: 0] += 1 }
    }
    for timer in timers.indices { scheduleEnd(of: timer) }
  }

  /// Advances the timers to now.
  mutating func run() {
    var starts = 0
    while let (end, timer) = queue.popLast() {
      guard ends[timer] == end else { continue }
      let isDelayed = starts >= Self.startLimit
      // The chain then continues from now, so that the user notices its end.
      let time = isDelayed ? now.wall : end
      if isDelayed { timers[timer].shift(by: end.duration(to: now.wall)) }
      let started = finish(timer, at: time)
      starts += started.count
      for next in started {
        if isDelayed { delayed.insert(members[next]) }
        start(next, after: timer, at: time)
      }
    }
    for timer in timers.indices {
      timers[timer].chain = states[timer].mapHead { timers[$0].id }
    }
  }

  /// Ends the run of a timer.
  /// - Returns: The timers to start.
  private mutating func finish(_ timer: Int, at end: WallInstant) -> [Int] {
    fires[timer] += timers[timer].catchUp(to: end)
    ends[timer] = nil
    finished.insert(members[timer])
    return recordRunEnd(of: timer)
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
    (started.id, started.counts) = (timers[next].id, timers[next].counts)
    timers[next] = started
    finished.remove(members[next])
    if waits { (timers[next].hasAlert, timers[next].overtime) = (true, end.duration(to: now.wall)) }
    scheduleEnd(of: next)
  }

  private mutating func scheduleEnd(of timer: Int) {
    let isFollowed = targets[timer] != nil || states[timer].head != nil
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

extension TimerChain: ChainMembers {
  func successors(of timer: Int) -> [Int]? {
    switch targets[timer] {
    case .timer(let next)?: [next]
    case .group(let group)?: groups[group] ?? []
    case nil: timers[timer].spec.successor.map { _ in [] }
    }
  }

  func chainCount(of timer: Int) -> Int? { timers[timer].spec.chainCount }

  func hasEnd(_ timer: Int) -> Bool { timers[timer].spec.fireCount != nil }

  func hasFinished(_ timer: Int) -> Bool { timers[timer].state == .finished }

  func runCount(inChainOf head: Int) -> Int { runCounts[head] ?? 0 }

  subscript(chain timer: Int) -> ChainState<Int> {
    get { states[timer] }
    set {
      if let head = states[timer].head { runCounts[head, default: 0] -= 1 }
      states[timer] = newValue
      if let head = newValue.head { runCounts[head, default: 0] += 1 }
    }
  }
}

extension SavedTimer {
  /// Moves the time at which the timer was saved.
  fileprivate mutating func shift(by time: Duration) {
    checkpoint.content.takenAt = checkpoint.content.takenAt.advanced(by: time)
  }
}
