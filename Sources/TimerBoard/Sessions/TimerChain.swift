import TimerKit

/// Timers that start one another, followed through a time in which nobody runs them.
///
/// Each timer has at most one successor, so a chain leads into at most one ring. What goes round a ring
/// is the same again after one round of it: all whole rounds that are left are skipped at once.
struct TimerChain {
  /// More starts than these are not followed one by one: it is done within a second.
  private static let mostStarts = 100_000

  /// The positions of the timers in the session.
  let members: [Int]
  private(set) var timers: [SavedTimer]
  private(set) var fires: [Int]
  /// Positions in the session.
  private(set) var finished: Set<Int> = []
  private(set) var delayed: Set<Int> = []
  /// By the position among the members.
  private let successors: [Int?]
  /// When those that run and start another one end, up to now.
  private var ends: [WallInstant?]
  /// The same, the latest first; an entry that is not in `ends` any more is ignored.
  private var queue: [(end: WallInstant, timer: Int)] = []
  private var ring: Ring?
  private let now: ClockReading

  private struct Ring {
    var isMember: [Bool]
    /// How long once round takes.
    var period: Duration
    /// Since when nothing has happened but ends that return with each round, and what had fired then.
    var steady: (since: WallInstant, fires: [Int])?
    /// Runs that the chain has started: they take as long each time.
    var isStarted: [Bool]
  }

  /// - Parameters:
  ///   - members: positions among `saved` of timers that start no others and are started by none.
  init(_ members: [Int], _ saved: [SavedTimer], until now: ClockReading) {
    self.members = members
    self.now = now
    timers = members.map { saved[$0] }
    fires = members.map { _ in 0 }
    var places: [Int: Int] = [:]
    for (place, index) in members.enumerated() { places[index] = place }
    let names = Self.firstPositions(of: saved)
    successors = members.map { index in
      saved[index].spec.next.flatMap { names[$0] }.flatMap { places[$0] }
    }
    ends = timers.map { _ in nil }
    ring = ring(from: 0)
    for timer in timers.indices { expectEnd(of: timer) }
  }

  /// The chains of a session: each has at least one timer that starts another.
  static func all(in saved: [SavedTimer]) -> [[Int]] {
    let names = firstPositions(of: saved)
    var links: [Int: [Int]] = [:]
    for (index, timer) in saved.enumerated() {
      guard let next = timer.spec.next.flatMap({ names[$0] }) else { continue }
      links[index, default: []].append(next)
      links[next, default: []].append(index)
    }
    var seen: Set<Int> = []
    return links.keys.sorted().compactMap { first in
      guard seen.insert(first).inserted else { return nil }
      var chain = [first]
      var next = 0
      while next < chain.count {
        for other in links[chain[next]] ?? [] where seen.insert(other).inserted {
          chain.append(other)
        }
        next += 1
      }
      return chain.sorted()
    }
  }

  private static func firstPositions(of saved: [SavedTimer]) -> [String: Int] {
    var positions: [String: Int] = [:]
    for (index, timer) in saved.enumerated() {
      if let name = timer.spec.name, positions[name] == nil { positions[name] = index }
    }
    return positions
  }

  /// The ring that a timer leads into; `nil` where there is none, or one whose rounds differ in length.
  private func ring(from first: Int) -> Ring? {
    var onWay = [Bool](repeating: false, count: timers.count)
    var timer = first
    while !onWay[timer] {
      onWay[timer] = true
      guard let next = successors[timer] else { return nil }
      timer = next
    }
    var isMember = [Bool](repeating: false, count: timers.count)
    var period = Duration.zero
    while !isMember[timer] {
      isMember[timer] = true
      var spec = timers[timer].spec
      spec.isPaused = false
      let begin = ClockReading(wall: WallInstant(nanosecondsSince1970: 0))
      let run = SavedTimer(startOf: spec, at: begin)
      guard !run.isBoundToDates, let end = run.end(by: .distantFuture) else { return nil }
      period += begin.wall.duration(to: end)
      guard let next = successors[timer] else { return nil }
      timer = next
    }
    return Ring(
      isMember: isMember, period: period, steady: nil,
      isStarted: [Bool](repeating: false, count: timers.count))
  }

  /// Lets the time up to now go by.
  mutating func run() {
    var starts = 0
    while let (end, timer) = queue.popLast() {
      guard ends[timer] == end else { continue }
      guard starts < Self.mostStarts else {
        // The chain continues from now, rather than end without a word.
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
    var begin = ClockReading(wall: end)
    begin.secondsFromUTC = now.secondsFromUTC
    timers[next].spec.isPaused = false
    timers[next] = SavedTimer(startOf: timers[next].spec, at: begin)
    finished.remove(members[next])
    ring?.isStarted[next] = true
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

  /// Skips the rounds that are left when a whole one has gone by in which nothing else happened.
  private mutating func skipRounds(
    after timer: Int, at end: WallInstant, isInterrupting: Bool
  ) {
    guard let ring else { return }
    guard ring.isMember[timer], !isInterrupting, ring.isStarted[timer] else {
      self.ring?.steady = nil
      return
    }
    guard let (since, firesThen) = ring.steady else {
      self.ring?.steady = (end, fires)
      return
    }
    guard since.duration(to: end) >= ring.period else { return }
    // Up to what comes into the ring from outside.
    var limit = now.wall
    for (timer, end) in ends.enumerated() where !ring.isMember[timer] || !ring.isStarted[timer] {
      limit = min(limit, end ?? limit)
    }
    let rounds = Int(
      end.duration(to: limit).clampedNanoseconds / max(1, ring.period.clampedNanoseconds))
    self.ring?.steady = nil
    guard rounds > 0 else { return }
    queue = []
    for timer in timers.indices where ring.isMember[timer] {
      fires[timer] += (fires[timer] - firesThen[timer]) * rounds
      timers[timer].shift(by: ring.period * rounds)
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
