import TerminalCore
import TimerBoard
import TimerKit

/// One frame: the dashboard at an instant. Digits, bars and the pane of the next fires depend on ``stepStart``; the
/// time of day, recent fires, the pulse of the band and the timeline depend on ``now``.
final class Frame: Painter {
  let dashboard: Dashboard
  let now: ClockReading
  /// The start of the display step that contains `now`.
  let stepStart: TimerClock.Instant
  /// The reading of the clocks at that start.
  let step: ClockReading
  let layout: ScreenLayout
  /// The width of the times beside the names of timers.
  let timeWidth: Int
  let columns: TableColumns
  /// The visible rows, by their positions in the board's own order.
  let visible: ArraySlice<Int>
  /// The number of rows that match the filter, visible or not.
  let matchCount: Int
  /// The timer whose alert is the band; `nil` without an alert.
  let bandRow: BoardTimer?

  init(_ dashboard: Dashboard, at now: ClockReading) {
    self.dashboard = dashboard
    self.now = now
    stepStart = dashboard.displaySteps.stepStart(of: now.suspending)
    step = now.moved(to: stepStart)
    layout = ScreenLayout(of: dashboard)
    let filteredRows = FilteredRows(of: dashboard)
    let first = layout.firstRow(
      from: dashboard.top, selected: filteredRows.index(of: dashboard.selected) ?? 0,
      count: filteredRows.positions.count)
    visible =
      dashboard.helpOffset == nil
      ? filteredRows.positions.dropFirst(first).prefix(layout.rowCount) : []
    matchCount = filteredRows.positions.count
    bandRow = dashboard.alertingRow
    timeWidth = Self.timeWidth(of: visible, in: dashboard, at: step)
    columns = TableColumns(
      width: layout.body.width, widths: dashboard.rowWidths, timeWidth: timeWidth,
      hasTitles: layout.titles != nil, hasSecondLine: layout.rowHeight > 1)
    super.init(dashboard.theme, dashboard.symbols, dashboard.options, dashboard.size)
  }

  /// Returns the width of the times: enough for all timers until their next events, and for the visible stopwatches
  /// now. A stopwatch has no longest time.
  private static func timeWidth(
    of visible: ArraySlice<Int>, in dashboard: Dashboard, at step: ClockReading
  ) -> Int {
    let displaySteps = dashboard.displaySteps
    return visible.reduce(dashboard.rowWidths.time) { widest, position in
      guard dashboard.rows.all[position].machine.countsUp else { return widest }
      let text = displaySteps.widestText(of: dashboard.rows.all[position], at: step)
      return max(widest, text.utf8.count)
    }
  }

  var header: HeaderView? { layout.header == nil ? nil : HeaderView(self) }

  /// Draws the frame and returns it with the instant at which it next changes by itself.
  func render() -> RenderedFrame {
    canvas = Canvas(dashboard.size)
    // Nothing changes on a screen without cells.
    guard dashboard.size.width > 0, dashboard.size.height > 0 else {
      return RenderedFrame(canvas: canvas, nextRedraw: nil)
    }
    var changes = [nextBodyChange]
    if let area = layout.header, let header {
      header.draw(self, in: area)
      changes.append(header.nextChange(self))
    }
    drawBody()
    changes.append(drawBandLine())
    if let area = layout.prompt {
      drawPrompt(in: area)
      if promptCounts { changes.append(nextStep) }
    }
    if let area = layout.messageLine { drawMessageLine(in: area) }
    if let area = layout.hint, let text = dashboard.hintText, layout.prompt == nil {
      write(text.cutAtWord(to: area.width - 2 * inset), .key, x: inset, y: area.y)
    }
    if let area = layout.caption, let caption = dashboard.caption {
      draw(caption, in: area)
    }
    if let footer = layout.footer { drawFooter(in: footer) }
    if dashboard.options.isASCII { canvas.reduceToASCII() }
    canvas.applyBaseStyle(theme.screen)
    return RenderedFrame(canvas: canvas, nextRedraw: changes.earliest, title: windowTitle)
  }

  /// Draws the help or the view between the header and the footer.
  private func drawBody() {
    if dashboard.helpOffset != nil {
      drawHelp()
    } else if dashboard.view.hasTimerRows, dashboard.rows.isEmpty {
      drawEmptyBoard()
    } else if dashboard.view.hasTimerRows, dashboard.listState.hidesAll {
      drawEmptyText("no matches", in: layout.body.inset(by: inset))
    } else if layout.isSingleRow {
      drawSingleRow()
    } else {
      dashboard.view.draw(self)
    }
  }
}

/// The instants of redraws. A redraw is never late, but it can find that nothing has changed. It comes at the next
/// display step while anything counts or moves, at the next pulse of the band, or else at the next minute or day. While
/// nothing can change there is none, and the process sleeps.
extension Frame {
  /// The start of the next display step; `nil` at the end of time.
  var nextStep: TimerClock.Instant? {
    let next = dashboard.displaySteps.next(after: stepStart)
    return next > now.suspending ? next : nil
  }

  /// Returns true if the digits or the bar of a row can change at the next display step. Those of an overdue row do not.
  func isMoving(_ row: BoardTimer) -> Bool {
    if let alert = row.alert, row.countsOvertime {
      return alert.since.advanced(by: Overtime.limit) >= step.continuous
    }
    guard row.state == .running else { return false }
    return row.machine.origin != nil
      || row.machine.deadline.map { step.duration(to: $0) >= .zero } ?? false
  }

  /// Returns the instant at which a row can change: its digits, its bar or its alert.
  func nextChange(of row: BoardTimer) -> TimerClock.Instant? {
    (isMoving(row) ? nextStep : nil).earlier(or: nextPulse(of: row))
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
    let showsPlan = columns[.plan] != nil || layout.rowHeight > 1 || layout.wall != nil
    let rows = dashboard.rows
    var changes = visible.map { position in
      let row = rows.all[position]
      return nextChange(of: row).earlier(or: showsPlan ? nextPlanChange(of: row) : nil)
    }
    // The pane of the next fires moves with all timers that are due, even with those that are not visible.
    if layout.upcoming != nil, rows.fires(from: stepStart, at: now) {
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

extension Frame {
  /// The target of a click.
  enum ClickTarget: Hashable {
    /// A row, by its position in the board's own order.
    case row(Int)
    case column(TableColumns.Column)
    /// A key in the footer, or of a view in the header.
    case key(Key)
    /// A match of the command palette.
    case match(Int)
    /// A day of the history.
    case day(CivilDate)
    /// An example on an empty board.
    case example(Int)
    /// A place in the lab that is not a key.
    case lab(LabCommand)
  }

  /// Returns the target of a click at a point.
  func clickTarget(at point: Point) -> ClickTarget? {
    if let area = layout.header, area.contains(point) {
      // In a prompt, the keys of the views type text.
      guard !dashboard.isTyping else { return nil }
      return header?.tabs.lazy.compactMap { $0.key(at: point.x, self.symbols) }.first.map {
        .key($0)
      }
    }
    if let footer = layout.footer, footer.contains(point) {
      return footerEntries(in: footer).lazy.compactMap { $0.key(at: point.x, self.symbols) }.first
        .map { .key($0) }
    }
    if let view = paletteView {
      if let match = view.match(at: point) { return .match(match) }
      if view.area.contains(point) { return nil }
    }
    guard dashboard.helpOffset == nil, !layout.isSingleRow else { return nil }
    if let titles = layout.titles, titles.contains(point) {
      // The gap after a column belongs to it.
      return columns.placed.last { $0.x <= point.x && $0.column != .mark }.map {
        .column($0.column)
      }
    }
    if let target = labTarget(at: point) { return target }
    if let day = historyDay(at: point) { return .day(day) }
    if let example = example(at: point) { return .example(example) }
    guard dashboard.view.listsTimers, !dashboard.listState.hidesAll, layout.body.contains(point)
    else { return nil }
    if let wall = layout.wall {
      return visible.indices.first { wall.card(at: $0 - visible.startIndex).contains(point) }
        .map { .row(visible[$0]) }
    }
    return visible.dropFirst((point.y - layout.body.y) / layout.rowHeight).first.map { .row($0) }
  }
}

extension Frame {
  /// Returns the time of a row's next fire, with the day unless it is today; `nil` if there is none.
  func dueText(of row: BoardTimer) -> String? {
    dueTime(of: row)?.text(from: LocalTime(now), uses24Hours: dashboard.options.uses24Hours)
  }

  /// Returns the time of a row's next fire to the minute; for a paused timer, that if it were resumed now.
  /// - Parameter showsDay: True to show the day unless it is today.
  func endTextToMinute(of row: BoardTimer, showsDay: Bool) -> String? {
    let resumed = row.machine.pausedTimeLeft.map {
      LocalTime(now.moved(to: now.suspending.advanced(by: $0)))
    }
    guard let due = resumed ?? dueTime(of: row) else { return nil }
    let uses24Hours = dashboard.options.uses24Hours
    return showsDay
      ? due.text(from: LocalTime(now), showsSeconds: false, uses24Hours: uses24Hours)
      : due.timeOfDay(showsSeconds: false, uses24Hours: uses24Hours)
  }

  /// Returns the time of day of an instant on the suspending clock.
  func timeOfDay(at instant: TimerClock.Instant, showsSeconds: Bool = false) -> String {
    timeOfDay(of: dashboard.board.timeOfDay(at: instant, now: now), showsSeconds: showsSeconds)
  }

  /// Returns the local time of day of an instant.
  func timeOfDay(of instant: WallInstant, showsSeconds: Bool = false) -> String {
    LocalTime(instant, in: now.zone).timeOfDay(
      showsSeconds: showsSeconds, uses24Hours: dashboard.options.uses24Hours)
  }

  private func dueTime(of row: BoardTimer) -> LocalTime? {
    guard let due = row.due(at: now) else { return nil }
    // Converted from the suspending clock, the time could be rounded into the second before.
    return LocalTime(row.machine.wallDeadline ?? now.moved(to: due).wall, in: now.zone)
  }

  /// The instant at which the next minute begins.
  var nextMinute: TimerClock.Instant { nextMinute(after: .zero) }

  /// Returns the instant at which the time of day after a duration is in its next minute.
  func nextMinute(after duration: Duration) -> TimerClock.Instant {
    let minute: Int64 = 60_000_000_000
    let then = now.wall.advanced(by: duration)
    let second = Int64(LocalTime(then, in: now.zone).secondOfDay % 60)
    let fraction = then.nanosecondsSince1970.flooredDivision(by: 1_000_000_000).remainder
    return now.suspending.advanced(by: .nanoseconds(minute - second * 1_000_000_000 - fraction))
  }

  /// The instant at which the local day ends, or at which the clocks change before that.
  var nextMidnight: TimerClock.Instant {
    var calendar = LocalCalendar(now.zone)
    let end = WallInstant(nanosecondsSince1970: 0).advanced(
      by: .milliseconds(calendar.segment(at: now.wall.milliseconds).range.upperBound))
    return now.suspending.advanced(by: now.wall.duration(to: end))
  }
}
