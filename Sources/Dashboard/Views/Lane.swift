import TimerBoard
import TimerKit

/// The lane of a timer on the timeline in cells: past and future fires and runs. It does not depend on the
/// current time: only the visible range moves.
struct Lane {
  enum Content: Hashable {
    /// The timer did not run, or did not exist.
    case none
    case running
    /// A phase of a cycle, by its index.
    case phase(Int)
    case fired
    /// A fire that was late by a cell or more.
    case late
    case missed
    case future
    /// Fires that are too close to be distinguished.
    case dense
  }

  private(set) var contents: [Content]
  private let first: Int64
  private let cellDuration: Int64

  /// - Parameters:
  ///   - first: The number of the first cell, counted from the start of the suspending clock.
  ///   - cellDuration: The duration of a cell in nanoseconds.
  init(of row: BoardTimer, first: Int64, count: Int, cellDuration: Int64) {
    contents = Array(repeating: .none, count: count)
    self.first = first
    self.cellDuration = cellDuration
    let isCycle = if case .cycle = row.status { true } else { false }
    addRuns(of: row, isCycle: isCycle)
    addFuture(of: row)
    for fire in row.history.fires.elements {
      let due = fire.at.nanoseconds - (fire.lateness?.clampedNanoseconds ?? 0)
      for number in 0..<min(fire.missed, count) {
        put(.missed, at: due &+ Int64(number) &* fire.periodNanoseconds)
      }
      let isLate = fire.at.nanoseconds - due >= cellDuration
      if isLate || !isCycle && !Self.isDense(row, cellDuration: cellDuration) {
        put(isLate ? .late : .fired, at: fire.at.nanoseconds)
      }
    }
  }

  /// Returns true if a cell or less is between two fires.
  private static func isDense(_ row: BoardTimer, cellDuration: Int64) -> Bool {
    guard case .repeater(let snapshot) = row.status, row.wallPeriod == nil,
      snapshot.configuration.mode != .once,
      let interval = snapshot.configuration.interval?.clampedNanoseconds
    else { return false }
    return interval <= 2 * cellDuration
  }

  private func index(of nanoseconds: Int64) -> Int {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: cellDuration)
    let number = remainder < 0 ? quotient - 1 : quotient
    return Int(number.subtractingReportingOverflow(first).partialValue)
  }

  private mutating func put(_ content: Content, at nanoseconds: Int64) {
    let index = index(of: nanoseconds)
    if contents.indices.contains(index) { contents[index] = content }
  }

  private mutating func fill(_ content: Content, from start: Int64, to end: Int64) {
    let first = max(0, index(of: start))
    let last = min(contents.count, index(of: end)) - 1
    // Runs outside of the visible part are left out.
    guard first <= last else { return }
    for index in first...last { contents[index] = content }
  }

  private mutating func addRuns(of row: BoardTimer, isCycle: Bool) {
    let runs = row.history.runs.elements
    for (index, run) in zip(runs.indices, runs) {
      let isLast = index + 1 == runs.endIndex
      let end = isLast ? Self.end(of: row) : runs[index + 1].start.nanoseconds
      guard let phase = run.phase else {
        fill(.none, from: run.start.nanoseconds, to: end)
        continue
      }
      let isDense = Self.isDense(row, cellDuration: cellDuration)
      fill(
        isCycle ? .phase(phase) : isDense ? .dense : .running, from: run.start.nanoseconds, to: end)
    }
  }

  /// Returns the end of the current run; `.max` if it has none, or if it is not known.
  private static func end(of row: BoardTimer) -> Int64 {
    guard let due = row.due?.nanoseconds else { return .max }
    switch row.status {
    case .repeater(let snapshot):
      guard let left = snapshot.remainingIterations else { return .max }
      if let wallPeriod = row.wallPeriod {
        return left - 1 > wallPeriod.later.count
          ? .max : due + (wallPeriod.later.last?.clampedNanoseconds ?? 0)
      }
      let more = Int64(max(1, left) - 1)
      let (rest, overflow) = more.multipliedReportingOverflow(
        by: (snapshot.configuration.interval ?? .zero).clampedNanoseconds)
      return overflow ? .max : due.addingReportingOverflow(rest).overflow ? .max : due + rest
    case .cycle, .triggered: return due
    case .stopwatch: return .max
    }
  }

  private mutating func addFuture(of row: BoardTimer) {
    guard let due = row.due?.nanoseconds else { return }
    switch row.status {
    case .repeater where row.wallPeriod != nil:
      put(.future, at: due)
      for later in row.wallPeriod?.later ?? [] {
        put(.future, at: due.addingReportingOverflow(later.clampedNanoseconds).partialValue)
      }
    case .repeater(let snapshot):
      let interval = (snapshot.configuration.interval ?? .zero).clampedNanoseconds
      let end = Self.end(of: row)
      let last = min(index(of: end), contents.count - 1)
      if Self.isDense(row, cellDuration: cellDuration) { return }
      var next = due
      let begin = first.multipliedReportingOverflow(by: cellDuration)
      if !begin.overflow, begin.partialValue > due {
        next += (begin.partialValue - due) / interval * interval
      }
      while next <= end, index(of: next) <= last {
        put(.future, at: next)
        let (later, overflow) = next.addingReportingOverflow(interval)
        guard !overflow else { return }
        next = later
      }
    case .cycle(let cycle): addPhases(of: cycle, from: due)
    case .triggered: put(.future, at: due)
    case .stopwatch: break
    }
  }

  /// Adds the phases after the current one, up to the end of the lane or to a limit.
  private mutating func addPhases(of cycle: Cycle.Snapshot, from due: Int64) {
    guard let position = cycle.position else { return }
    let phases = cycle.configuration.phases
    let count = phases.count
    var left = cycle.remainingRounds.map { $0 * count - position.index - 1 } ?? .max
    // The rest after the last round is usually left out.
    if cycle.configuration.rounds != nil, count > 1, !cycle.configuration.includesFinalRest {
      left -= 1
    }
    var start = due
    for number in 1..<2_000 where left > 0 {
      guard index(of: start) < contents.count else { return }
      let phase = (position.index + number) % count
      let (end, overflow) = start.addingReportingOverflow(
        phases[phase].duration.clampedNanoseconds)
      guard !overflow else { return }
      fill(.phase(phase), from: start, to: end)
      start = end
      left -= 1
    }
  }

  /// Returns the instants at which the content of the lane can change, in nanoseconds of the suspending clock.
  static func changes(of row: BoardTimer) -> [Int64] {
    var changes = row.history.runs.elements.map(\.start.nanoseconds)
    for fire in row.history.fires.elements {
      changes.append(fire.at.nanoseconds)
      if let late = fire.lateness { changes.append(fire.at.nanoseconds - late.clampedNanoseconds) }
    }
    if let due = row.due {
      changes += [due.nanoseconds, end(of: row)]
      changes += row.wallPeriod?.later.map { due.nanoseconds + $0.clampedNanoseconds } ?? []
    }
    return changes
  }
}
