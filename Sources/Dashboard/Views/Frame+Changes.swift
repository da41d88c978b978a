import TerminalCore
import TimerBoard
import TimerKit

/// The instants at which parts of the frame change by themselves. Each view returns the exact instant of the
/// next change of its part.
extension Frame {
  /// Returns the instant at which a row changes: its digits, its bar or its alert.
  func nextChange(of row: BoardTimer, barWidth: Int = 0) -> TimerClock.Instant? {
    nextDigitChange(of: row, barWidth: barWidth).earlier(or: nextBlink(of: row))
  }

  /// Returns the instant at which the digits or the bar of a row change: usually the start of the next
  /// display step. Near the deadline they can stay for several steps, and an overdue row no longer changes. If nothing
  /// changes in many steps, it is the last of them: a time that saturates stays the same for ever.
  func nextDigitChange(of row: BoardTimer, barWidth: Int = 0) -> TimerClock.Instant? {
    guard let end = lastDigitChange(of: row) else { return nil }
    let shown = digitsAndBar(of: row, from: stepStart, barWidth: barWidth)
    var step = stepStart
    // A stopwatch whose origin is in the future shows zero until then.
    if let origin = row.stopwatchOrigin, origin > stepStart {
      step = dashboard.displaySteps.stepStart(of: origin)
    }
    for _ in 0..<Self.searchedSteps {
      guard step <= end else { return nil }
      let next = dashboard.displaySteps.next(after: step)
      guard next > step else { return nil }
      step = next
      if digitsAndBar(of: row, from: step, barWidth: barWidth) != shown { return step }
    }
    return step <= end ? step : nil
  }

  /// The maximum number of steps in which a change is searched.
  private static let searchedSteps = 100

  /// Returns the instant after which the digits of a row stay the same; `nil` if they do not change.
  private func lastDigitChange(of row: BoardTimer) -> TimerClock.Instant? {
    if let from = row.overtimeOrigin { return from.advanced(by: Overtime.limit) }
    guard row.status.state == .running else { return nil }
    // A stopwatch has no end.
    return row.stopwatchOrigin == nil ? row.due : stepStart.advanced(by: .nanoseconds(Int64.max))
  }

  private func digitsAndBar(
    of row: BoardTimer, from start: TimerClock.Instant, barWidth: Int
  ) -> (Int64?, Int) {
    (
      dashboard.displaySteps.shownTime(of: row, from: start),
      barHalves(of: row, from: start, width: barWidth)
    )
  }
}

extension Sequence<TimerClock.Instant?> {
  /// The earliest of the instants, `nil` if there is none.
  var earliest: TimerClock.Instant? { reduce(nil) { $0.earlier(or: $1) } }
}

extension TimerClock.Instant? {
  /// Returns the earlier of two instants, `nil` if there is none.
  func earlier(or other: TimerClock.Instant?) -> TimerClock.Instant? {
    guard let self, let other else { return self ?? other }
    return Swift.min(self, other)
  }
}
