import TimerKit

/// Timers that start one another, advanced through a time in which no process was running them.
///
/// All rounds of a loop without a count are alike, so the remaining complete rounds are skipped in one step.
struct TimerChain {
  /// The maximum number of starts that are simulated one by one, which takes less than a second.
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
  private var loop: Loop?
  private let now: ClockReading

  private struct Loop {
    var isMember: [Bool]
    /// The length of one round.
    var period: Duration
    /// The time since which only members of the loop have ended, and the fires of each timer until then.
    var steady: (since: WallInstant, fires: [Int])?
    /// The members whose current run the chain has started: those runs take the same time in each round.
    var isStarted: [Bool]
  }

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
    loop = loop(from: 0)
    for timer in timers.indices { scheduleEnd(of: timer) }
  }

  /// Returns the timer that a member starts; `nil` for a group.
  private func onlySuccessor(of timer: Int) -> Int? {
    guard case .timer(let next)? = targets[timer] else { return nil }
    return next
  }

  /// Returns the loop that a timer leads into; `nil` if there is none, or if its rounds differ in length.
  private func loop(from first: Int) -> Loop? {
    // The rounds of a chain with a count differ: each is one of a number.
    guard timers.allSatisfy({ $0.spec.chainCount == nil }), states.allSatisfy({ $0.head == nil })
    else { return nil }
    var isVisited = [Bool](repeating: false, count: timers.count)
    var timer = first
    while !isVisited[timer] {
      isVisited[timer] = true
      guard let next = onlySuccessor(of: timer) else { return nil }
      timer = next
    }
    var isMember = [Bool](repeating: false, count: timers.count)
    var period = Duration.zero
    while !isMember[timer] {
      isMember[timer] = true
      var spec = timers[timer].spec
      guard !spec.waits else { return nil }
      spec.isPaused = false
      let begin = ClockReading(wall: WallInstant(nanosecondsSince1970: 0))
      let run = SavedTimer(startOf: spec, at: begin)
      guard !run.followsTimeOfDay, let end = run.end(by: .distantFuture) else { return nil }
      period += begin.wall.duration(to: end)
      guard let next = onlySuccessor(of: timer) else { return nil }
      timer = next
    }
    return Loop(
      isMember: isMember, period: period, steady: nil,
      isStarted: [Bool](repeating: false, count: timers.count))
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
      var isInterrupting = false
      for next in started {
        if isDelayed { delayed.insert(members[next]) }
        if ends[next] != nil { isInterrupting = true }
        start(next, after: timer, at: time)
      }
      if !isDelayed { skipRounds(after: timer, at: end, isInterrupting: isInterrupting) }
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
    loop?.isStarted[next] = true
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

  /// Skips the rounds that are left once a whole round has passed in which nothing else happened.
  private mutating func skipRounds(
    after timer: Int, at end: WallInstant, isInterrupting: Bool
  ) {
    guard let loop else { return }
    guard loop.isMember[timer], !isInterrupting, loop.isStarted[timer] else {
      self.loop?.steady = nil
      return
    }
    guard let (since, firesThen) = loop.steady else {
      self.loop?.steady = (end, fires)
      return
    }
    guard since.duration(to: end) >= loop.period else { return }
    // Only up to the next end outside of the loop that can interrupt it.
    var limit = now.wall
    for (timer, end) in ends.enumerated() where !loop.isMember[timer] || !loop.isStarted[timer] {
      limit = min(limit, end ?? limit)
    }
    let rounds = Int(
      end.duration(to: limit).clampedNanoseconds / max(1, loop.period.clampedNanoseconds))
    self.loop?.steady = nil
    guard rounds > 0 else { return }
    queue = []
    for timer in timers.indices where loop.isMember[timer] {
      fires[timer] += (fires[timer] - firesThen[timer]) * rounds
      timers[timer].shift(by: loop.period * rounds)
    }
    for timer in timers.indices { scheduleEnd(of: timer) }
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
