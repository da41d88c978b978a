import TerminalCore
import TimerKit

extension Frame {
  /// When the picture next changes by itself: exactly then, neither earlier nor later.
  func staleAt() -> TimerClock.Instant? {
    var first: TimerClock.Instant?
    func consider(_ instant: TimerClock.Instant?) {
      guard let instant else { return }
      first = first.map { min($0, instant) } ?? instant
    }
    if let header {
      if header.showsClock { consider(nextLocal(60_000_000_000)) }
      if header.showsNext, let next = dashboard.rows.next { consider(nextMove(of: next)) }
    }
    consider(nextPromptMove)
    guard dashboard.help == nil, dashboard.screen != .log, dashboard.screen != .lab,
      !dashboard.rows.isEmpty, !dashboard.list.hidesAll, dashboard.size.width > 0
    else {
      return first
    }
    if standsAlone {
      if let single = SingleRow(self) {
        if single.hasTime { consider(nextMove(of: single.row)) }
        // A call hides the state where there is no symbol for it.
        if single.hasSymbol || !showsCall(of: single.row) {
          consider(executingEnd(of: single.row))
        }
        consider(nextBlink(of: [single.row]))
      }
      return first
    }
    switch dashboard.screen {
    case .board:
      let barWidth = columns[.bar]?.width ?? 0
      for index in visible {
        let row = dashboard.rows[index]
        consider(nextMove(of: row, barWidth: barWidth))
        if columns[.state] != nil { consider(executingEnd(of: row)) }
      }
      consider(nextBlink(of: visible.map { dashboard.rows[$0] }))
      if let area = layout.detail, DetailPane(self, width: area.width)?.tellsDay == true {
        consider(nextLocal(86_400_000_000_000))
      }
    case .timeline:
      consider(TimelineView(self).staleAt())
      consider(nextBlink(of: visible.map { dashboard.rows[$0] }))
    case .lab, .log: break
    case .focus:
      guard let focus else { break }
      consider(nextBlink(of: [focus.row]))
      consider(nextMove(of: focus.row, barWidth: focus.barWidth))
      guard focus.showsStatus else { break }
      consider(executingEnd(of: focus.row))
      if tellsDay(of: focus.row) { consider(nextLocal(86_400_000_000_000)) }
    }
    return first
  }

  private func executingEnd(of row: Row) -> TimerClock.Instant? {
    guard let end = row.executingUntil, end > now.uptime, !row.isExecuting else { return nil }
    return end
  }

  /// When a row's digits or its bar change: at the next cell of the grid mostly; near its deadline a
  /// row can stand still for some, and once overdue for good.
  private func nextMove(of row: Row, barWidth: Int = 0) -> TimerClock.Instant? {
    // A stopwatch has no end.
    guard row.status.phase == .running,
      let end = row.origin == nil ? row.due : start.advanced(by: .nanoseconds(Int64.max))
    else { return nil }
    let shown = face(of: row, from: start, barWidth: barWidth)
    var cell = start
    // One that begins later stands still till then.
    if let origin = row.origin, origin > start { cell = dashboard.grid.start(of: origin) }
    while cell <= end {
      let next = dashboard.grid.next(after: cell)
      guard next > cell else { return nil }
      cell = next
      if face(of: row, from: cell, barWidth: barWidth) != shown { return cell }
    }
    return nil
  }

  private func face(
    of row: Row, from start: TimerClock.Instant, barWidth: Int
  ) -> (Int64?, Int) {
    (dashboard.grid.units(of: row, from: start), barEighths(of: row, from: start, width: barWidth))
  }
}
