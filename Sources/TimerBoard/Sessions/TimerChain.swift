import TimerKit

/// Timers that start one another, advanced through a time in which no process was running them.
///
/// Each timer has at most one successor, so a chain contains at most one loop. All rounds of a loop are alike,
/// so the remaining complete rounds are skipped in one step.
struct TimerChain {
  /// The maximum number of starts that are simulated one by one, which takes less than a second.
  private static let startLimit = 100_000

  /// The positions of the members in the session.
  let members: [Int]
  private(set) var timers: [SavedTimer]
  private(set) var fires: [Int]
  /// Positions in the session.
  private(set) var finished: Set<Int> = []
  private(set) var delayed: Set<Int> = []
  /// The successor of each member, by the position among the members.
  private let successors: [Int?]
  /// The end of each running member that has a successor, if it is not after now.
  private var ends: [WallInstant?]
  /// The ends in order, the latest first; an entry that is no longer in `ends` is ignored.
  private var queue: [(end: WallInstant, timer: Int)] = []
  private var loop: Loop?
  private let now: ClockReading

  private struct Loop {
    var isMember: [Bool]
    /// The length of one round.
    var period: Duration
    /// The time since which only the ends of the loop have occurred, and the number of fires by then.
    var steady: (since: WallInstant, fires: [Int])?
    /// The members whose current run the chain has started: those runs take the same time in each round.
    var isStarted: [Bool]
  }

  /// - Parameters:
  ///   - members: The positions in `saved` of timers that only start one another.
  ///   - links: The successor of each timer of the session, by its position.
  init(
    _ members: [Int], of saved: [SavedTimer], linkedBy links: [Int?], until now: ClockReading
  ) {
    self.members = members
    self.now = now
    timers = members.map { saved[$0] }
    fires = members.map { _ in 0 }
    var indices: [Int: Int] = [:]
    for (index, member) in members.enumerated() { indices[member] = index }
    successors = members.map { member in links[member].flatMap { indices[$0] } }
    ends = timers.map { _ in nil }
    loop = loop(from: 0)
    for timer in timers.indices { expectEnd(of: timer) }
  }

  /// Returns the chains of a session: each has at least one timer that starts another.
  /// - Parameter links: The successor of each timer, by its position.
  static func all(linkedBy links: [Int?]) -> [[Int]] {
    var neighbors: [Int: [Int]] = [:]
    for (index, next) in links.enumerated() {
      guard let next else { continue }
      neighbors[index, default: []].append(next)
      neighbors[next, default: []].append(index)
    }
    var seen: Set<Int> = []
    return neighbors.keys.sorted().compactMap { first in
      guard seen.insert(first).inserted else { return nil }
      var chain = [first]
      var next = 0
      while next < chain.count {
        for other in neighbors[chain[next]] ?? [] where seen.insert(other).inserted {
          chain.append(other)
        }
        next += 1
      }
      return chain.sorted()
    }
  }

  /// Returns the position of the timer that each timer of a session starts; `nil` for one that starts none.
  static func links(in saved: [SavedTimer]) -> [Int?] {
    var positions: [String: Int] = [:]
    for (index, timer) in saved.enumerated() {
      if let name = timer.spec.name, positions[name] == nil { positions[name] = index }
    }
    return saved.map { $0.spec.next.flatMap { positions[$0] } }
  }

  /// Returns the loop that a timer leads into; `nil` if there is none, or if its rounds differ in length.
  private func loop(from first: Int) -> Loop? {
    var isVisited = [Bool](repeating: false, count: timers.count)
    var timer = first
    while !isVisited[timer] {
      isVisited[timer] = true
      guard let next = successors[timer] else { return nil }
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
      guard !run.isBoundToDates, let end = run.end(by: .distantFuture) else { return nil }
      period += begin.wall.duration(to: end)
      guard let next = successors[timer] else { return nil }
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
      guard starts < Self.startLimit else {
        // The chain continues from now, so that the user notices its end.
        timers[timer].shift(by: end.duration(to: now.wall))
        _ = startSuccessor(of: timer, at: now.wall)
        if let next = successors[timer] { delayed.insert(members[next]) }
        continue
      }
      starts += 1
      let isInterrupting = startSuccessor(of: timer, at: end)
      skipRounds(after: timer, at: end, isInterrupting: isInterrupting)
    }
  }

  /// - Returns: a Boolean value that indicates whether the successor was running.
  private mutating func startSuccessor(of timer: Int, at end: WallInstant) -> Bool {
    fires[timer] += timers[timer].catchUp(to: end)
    ends[timer] = nil
    finished.insert(members[timer])
    guard let next = successors[timer] else { return false }
    let isInterrupting = ends[next] != nil
    fires[next] += timers[next].catchUp(to: end)
    let waits = timers[timer].spec.waits && timers[next].spec.kind.family.accepts(.paused)
    var begin = ClockReading(wall: end)
    begin.secondsFromUTC = now.secondsFromUTC
    timers[next].spec.isPaused = waits
    let counts = timers[next].counts
    timers[next] = SavedTimer(startOf: timers[next].spec, at: begin)
    timers[next].counts = counts
    finished.remove(members[next])
    if waits { (timers[next].hasAlert, timers[next].overtime) = (true, end.duration(to: now.wall)) }
    loop?.isStarted[next] = true
    expectEnd(of: next)
    return isInterrupting
  }

  private mutating func expectEnd(of timer: Int) {
    ends[timer] = successors[timer] == nil ? nil : timers[timer].end(by: now.wall)
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
    for timer in timers.indices { expectEnd(of: timer) }
  }
}

extension SavedTimer {
  /// Moves the time at which the timer was saved.
  fileprivate mutating func shift(by time: Duration) {
    checkpoint.content.takenAt = checkpoint.content.takenAt.advanced(by: time)
  }
}
