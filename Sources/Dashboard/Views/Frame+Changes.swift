import TimerBoard
import TimerKit

/// The instants of redraws. A redraw is never late, but it can find that nothing has changed. It comes at the next
/// display step while anything counts or moves, at the next blink, or else at the next minute or day. While nothing can
/// change there is none, and the process sleeps.
extension Frame {
  /// The start of the next display step; `nil` at the end of time.
  var nextStep: TimerClock.Instant? {
    let next = dashboard.displaySteps.next(after: stepStart)
    return next > now.suspending ? next : nil
  }

  /// Returns true if the digits or the bar of a row can change at the next display step. Those of an overdue row do not.
  func isMoving(_ row: BoardTimer) -> Bool {
    if let from = row.overtimeOrigin { return from.advanced(by: Overtime.limit) >= stepStart }
    guard row.status.state == .running else { return false }
    return row.stopwatchOrigin != nil || row.due.map { $0 >= stepStart } ?? false
  }

  /// Returns the instant at which a row can change: its digits, its bar or its alert.
  func nextChange(of row: BoardTimer) -> TimerClock.Instant? {
    (isMoving(row) ? nextStep : nil).earlier(or: nextBlink(of: row))
  }

  /// The instant at which the help or the view can change.
  var nextBodyChange: TimerClock.Instant? {
    if dashboard.helpOffset != nil { return nil }
    if dashboard.view.hasTimerRows {
      if dashboard.rows.isEmpty || dashboard.listState.hidesAll { return nil }
      if layout.isSingleRow { return dashboard.selectedRow.flatMap { nextChange(of: $0) } }
    }
    return dashboard.view.nextChange(self)
  }

  /// The instant at which the table and the panes can change.
  var nextBoardChange: TimerClock.Instant? {
    let showsPlan = columns[.plan] != nil || layout.rowHeight > 1
    var changes = visible.map { position in
      let row = dashboard.rows[position]
      return nextChange(of: row).earlier(or: showsPlan ? nextPlanChange(of: row) : nil)
    }
    // The pane of the next fires moves with all timers, even with those that are not visible.
    if layout.upcoming != nil, dashboard.rows.all.contains(where: isMoving) {
      changes.append(nextStep)
    }
    return changes.earliest
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
