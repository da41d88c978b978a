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
  /// A Boolean value that indicates whether the fires, or the phases of a cycle, are too close to be distinguished.
  let isDense: Bool
  /// The instant at which the first cell begins.
  private let start: Int64
  private let cellDuration: Int64

  /// - Parameters:
  ///   - start: The instant at which the first cell begins, in nanoseconds of the suspending clock.
  ///   - cellDuration: The duration of a cell in nanoseconds.
  init(
    of events: Row.Events, from start: Int64, count: Int, cellDuration: Int64
  ) {
    contents = Array(repeating: .none, count: count)
    self.start = start
    self.cellDuration = cellDuration
    // A later content covers the earlier ones.
    isDense = Self.isDense(events, cellDuration)
    addSpans(of: events)
    if !isDense {
      addFuture(of: events)
    } else if !events.phases.isEmpty, let due = events.due {
      fill(.dense, from: due, to: events.runEnd ?? .max)
    }
    addFires(events.fires, showsOnTime: events.phases.isEmpty && !isDense)
  }

  /// Leaves only a fire in the cell of now, which is seen in the line of now, and nothing of a stopwatch after it.
  mutating func keepMarks(at now: Int, andRunsAfter keepsRuns: Bool) {
    if !keepsRuns {
      for index in contents.indices where index > now && contents[index] == .running {
        contents[index] = .none
      }
    }
    guard contents.indices.contains(now) else { return }
    switch contents[now] {
    case .future, .fired, .late: break
    default: contents[now] = .none
    }
  }

  /// Returns the index of the cell that contains an instant, which can be outside of the lane.
  func index(of nanoseconds: Int64) -> Int {
    let (distance, overflow) = nanoseconds.subtractingReportingOverflow(start)
    if overflow { return nanoseconds < start ? -1 : .max }
    return Int(LaneStrip.cellNumber(at: distance, cellDuration: cellDuration))
  }

  private func start(ofCellAt index: Int) -> Int64? {
    let (instant, overflow) = start.addingReportingOverflow(Int64(index) * cellDuration)
    return overflow ? nil : instant
  }

  /// Fills the cells from that of `start` up to, but not including, that of `end`.
  private mutating func fill(_ content: Content, from start: Int64, to end: Int64) {
    let first = max(0, index(of: start))
    let last = min(contents.count, index(of: end)) - 1
    // Cells outside of the visible part are left out.
    guard first <= last else { return }
    for index in first...last { contents[index] = content }
  }

  private mutating func mark(_ content: Content, at instant: Int64) {
    mark(content, at: Series(first: instant, last: instant, period: 1))
  }

  /// Marks the cells of the instants of a series.
  private mutating func mark(_ content: Content, at series: Series) {
    // A step for each visible cell with an instant, however many instants the series has.
    var next = 0
    while let start = self.start(ofCellAt: next), let instant = series.next(from: start) {
      let index = index(of: instant)
      guard contents.indices.contains(index) else { return }
      contents[index] = content
      next = index + 1
    }
  }
}

extension Lane {
  /// Returns true if a cell or less is between two fires; of a few that are left, each can have its own cell. A round of
  /// a cycle needs four cells.
  private static func isDense(_ events: Row.Events, _ cellDuration: Int64) -> Bool {
    if !events.phases.isEmpty { return events.round.clampedNanoseconds / 4 < cellDuration }
    let isFew = events.firesLeft.map { $0 <= 20 } ?? false
    let shortest = isFew ? cellDuration : cellDuration.addingSaturated(cellDuration)
    return events.interval.map { $0.clampedNanoseconds < shortest } ?? false
  }

  private mutating func addSpans(of events: Row.Events) {
    let spans = events.spans
    for (index, span) in zip(spans.indices, spans) {
      let isLast = index + 1 == spans.endIndex
      let end = isLast ? events.lastFire : spans[index + 1].start.nanoseconds
      let content: Content =
        switch span.activity {
        case .notRunning: .none
        case .phase(let index): isDense ? .dense : .phase(index)
        case .running: isDense ? .dense : .running
        }
      fill(content, from: span.start.nanoseconds, to: end)
    }
  }

  private mutating func addFuture(of events: Row.Events) {
    guard let due = events.due else { return }
    if let current = events.currentPhase {
      let left = events.phaseCount.map { $0 - current - 1 } ?? .max
      addPhases(events.phases, after: current, left, from: due)
    } else if let later = events.laterFires {
      for offset in [.zero] + later {
        mark(.future, at: due.addingReportingOverflow(offset.clampedNanoseconds).partialValue)
      }
    } else {
      let interval = events.interval?.clampedNanoseconds ?? 0
      mark(.future, at: Series(first: due, last: events.lastFire, period: max(1, interval)))
    }
  }

  /// Adds the phases after the current one, up to the end of the lane or to a limit.
  private mutating func addPhases(
    _ phases: [Cycle.Phase], after current: Int, _ left: Int, from due: Int64
  ) {
    if phases.count == 1 {
      // All rounds look like one.
      let (remaining, overflow) = Int64(left).multipliedReportingOverflow(
        by: phases[0].duration.clampedNanoseconds)
      return fill(.phase(0), from: due, to: overflow ? .max : due.addingSaturated(remaining))
    }
    let end = self.start(ofCellAt: contents.count) ?? .max
    var start = due
    for number in 1..<2_000 {
      guard number <= left, start < end else { return }
      let phase = (current + number) % phases.count
      let (next, overflow) = start.addingReportingOverflow(
        phases[phase].duration.clampedNanoseconds)
      guard !overflow else { return }
      fill(.phase(phase), from: start, to: next)
      start = next
    }
  }

  /// - Parameter showsOnTime: False to add only late and missed fires.
  private mutating func addFires(_ fires: ArraySlice<PastFire>, showsOnTime: Bool) {
    for fire in fires {
      let due = fire.at.nanoseconds - (fire.lateness?.clampedNanoseconds ?? 0)
      if fire.missed > 0 {
        let period = max(1, fire.periodNanoseconds)
        let last = due &+ Int64(fire.missed - 1) &* period
        // With a period of a cell or less, each cell has a missed fire.
        if period <= cellDuration {
          fill(.missed, from: due, to: last &+ cellDuration)
        } else {
          mark(.missed, at: Series(first: due, last: last, period: period))
        }
      }
      let isLate = fire.at.nanoseconds - due >= cellDuration
      if isLate || showsOnTime { mark(isLate ? .late : .fired, at: fire.at.nanoseconds) }
    }
  }
}

/// Instants one period apart, in nanoseconds of the suspending clock.
private struct Series {
  let first: Int64
  /// The end of the series: no instant is later.
  let last: Int64
  let period: Int64

  /// Returns the first instant of the series at or after `instant`; `nil` if there is none.
  func next(from instant: Int64) -> Int64? {
    guard instant > first else { return first <= last ? first : nil }
    let (distance, overflow) = instant.subtractingReportingOverflow(first)
    guard instant <= last, !overflow else { return nil }
    let rest = distance % period
    let (next, sumOverflows) = instant.addingReportingOverflow(rest == 0 ? 0 : period - rest)
    return sumOverflows || next > last ? nil : next
  }
}
