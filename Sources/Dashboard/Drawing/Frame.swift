import TerminalCore
import TimerBoard
import TimerKit

/// One frame: the dashboard at an instant. Digits, bars and the pane of the next fires depend on ``stepStart``; the
/// time of day, recent fires, the pulse of the band and the timeline depend on ``now``.
final class Frame: Painter {
  let dashboard: Dashboard
  let context: RowContext
  let layout: ScreenLayout
  /// The width of the times beside the names of timers.
  let timeWidth: Int
  let columns: TableColumns
  /// The visible rows, by their positions in the board's own order.
  let visible: ArraySlice<Int>
  /// The rows that share the line below the lanes of the timeline, by their positions.
  let ready: ArraySlice<Int>
  /// The number of rows that match the filter before the first visible one.
  let firstVisible: Int
  /// The number of rows that match the filter, visible or not.
  let matchCount: Int
  /// The visible rows, each with its position.
  private(set) lazy var rows = visible.compactMap { position in
    row(at: position).map { (position: position, row: $0) }
  }
  /// The row of the selected timer; `nil` if none is selected.
  private(set) lazy var selectedRow =
    dashboard.attached == nil
    ? dashboard.selectedRow.map { row(of: $0) } : row(at: dashboard.selected)
  private(set) lazy var selectedDetails = selectedRow.flatMap { row in
    dashboard.attached?.timer(at: dashboard.selected).map { RowDetails(of: $0, row) }
      ?? dashboard.selectedRow.map { RowDetails(of: $0, row, in: dashboard) }
  }
  /// The row of the timer that fires next; `nil` if none does.
  private(set) lazy var nextRow = dashboard.rows.next(at: now).map { row(of: $0) }
  /// The words of the band that have been drawn and can be clicked.
  var answers: [(area: Rect, action: Action)] = []
  /// The row whose alert is the band; `nil` without an alert.
  private(set) lazy var bandRow = dashboard.alertingRow.map { row(of: $0) }

  init(_ dashboard: Dashboard, at now: ClockReading) {
    self.dashboard = dashboard
    context = dashboard.rowContext(at: now)
    layout = ScreenLayout(of: dashboard)
    if let attached = dashboard.attached {
      firstVisible = attached.positions.lowerBound
      visible = Array(attached.positions.prefix(layout.rowCount))[...]
      ready = []
      matchCount = attached.matchCount
    } else {
      let filteredRows = FilteredRows(of: dashboard)
      firstVisible = layout.firstRow(
        from: dashboard.top, selected: dashboard.selected, of: filteredRows)
      let isCovered = dashboard.helpOffset != nil
      visible =
        isCovered ? [] : filteredRows.lanes.dropFirst(firstVisible).prefix(layout.rowCount)
      ready = isCovered ? [] : filteredRows.ready
      matchCount = filteredRows.positions.count
    }
    timeWidth = Self.timeWidth(of: visible, in: dashboard, context)
    columns = TableColumns(
      width: layout.body.width, widths: dashboard.rowWidths, timeWidth: timeWidth,
      hasTitles: layout.titles != nil, hasSecondLine: layout.rowHeight > 1,
      isOfProcess: dashboard.attached != nil)
    super.init(dashboard.theme, dashboard.symbols, dashboard.options, dashboard.size)
  }

  /// Returns the width of the times: enough for all timers until their next events, and for the visible stopwatches
  /// now. A stopwatch has no longest time.
  private static func timeWidth(
    of visible: ArraySlice<Int>, in dashboard: Dashboard, _ context: RowContext
  ) -> Int {
    if let attached = dashboard.attached {
      let rows = visible.compactMap { attached.timer(at: $0) }
      return rows.reduce(dashboard.rowWidths.time) { widest, timer in
        let row = attached.pageTime.map { Row(of: timer, since: $0, in: context) }
        return max(widest, row?.time.text?.utf8.count ?? 0)
      }
    }
    return visible.reduce(dashboard.rowWidths.time) { widest, position in
      guard dashboard.rows.all[position].machine.countsUp else { return widest }
      let time = Row.Time(of: dashboard.rows.all[position], in: context)
      return max(widest, time.widestText.utf8.count)
    }
  }

  var now: ClockReading { context.now }
  var step: ClockReading { context.step }
  var stepStart: TimerClock.Instant { context.stepStart }

  /// Returns the row at a position in the board's own order, or among the timers of another process; `nil` for one that
  /// is not on their page.
  func row(at position: Int) -> Row? {
    guard let attached = dashboard.attached else {
      return Row(of: dashboard.rows.all[position], in: context)
    }
    return attached.timer(at: position).flatMap { timer in
      attached.pageTime.map { Row(of: timer, since: $0, in: context) }
    }
  }

  func row(of timer: BoardTimer) -> Row { Row(of: timer, in: context) }

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
    if let attached = dashboard.attached, let area = layout.totals {
      drawTotals(of: attached, in: area)
    }
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
    } else if dashboard.view.hasTimerRows, dashboard.hasNoRows {
      if let attached = dashboard.attached {
        let text = attached.page.map { $0.listed == 0 ? "no timers" : "no matches" } ?? "connecting"
        drawEmptyText(text, in: layout.body.inset(by: inset))
      } else {
        drawEmptyBoard()
      }
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
  var nextStep: TimerClock.Instant? { context.nextStep }

  /// Returns the instant at which a row can change: its digits, its bar or its alert.
  func nextChange(of row: Row) -> TimerClock.Instant? {
    row.nextChange.earlier(or: nextPulse(of: row))
  }

  /// The instant at which the help or the view can change.
  var nextBodyChange: TimerClock.Instant? {
    if dashboard.helpOffset != nil { return nil }
    if dashboard.view.hasTimerRows {
      if dashboard.hasNoRows { return examplePreview?.nextChange }
      if dashboard.listState.hidesAll { return nil }
      if layout.isSingleRow { return selectedRow.flatMap { nextChange(of: $0) } }
    }
    return dashboard.view.nextChange(self)
  }

  /// The instant at which the table and the panes can change.
  var nextBoardChange: TimerClock.Instant? {
    let showsPlan = columns[.plan] != nil || layout.rowHeight > 1 || layout.wall != nil
    var changes = rows.map { _, row in
      nextChange(of: row).earlier(or: showsPlan ? row.plan.nextChange : nil)
    }
    // The pane of the next fires moves with all timers that are due, even with those that are not visible.
    if layout.upcoming != nil, dashboard.rows.fires(from: stepStart, at: now) {
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
    /// A key of the band, which answers an alert.
    case answer(Action)
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
    if bandRow != nil, !dashboard.isTyping {
      _ = render()
      if let answer = answers.last(where: { $0.area.contains(point) }) {
        return .answer(answer.action)
      }
    }
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
    if !ready.isEmpty, let row = TimelineView(self).readyRow(at: point) { return .row(row) }
    guard dashboard.view.listsTimers, !dashboard.listState.hidesAll, layout.body.contains(point)
    else { return nil }
    if let wall = layout.wall {
      return visible.indices.first { wall.card(at: $0 - visible.startIndex).contains(point) }
        .map { .row(visible[$0]) }
    }
    return rows.dropFirst((point.y - layout.body.y) / layout.rowHeight).first.map {
      .row($0.position)
    }
  }
}

extension Frame {
  /// The title of the terminal's window: `tea rings at 14:35`, `3 timers rang`. It does not change each second.
  var windowTitle: String {
    if let timer = dashboard.board.timerWithNewestAlert {
      let count = dashboard.rows.alertCount
      return count > 1
        ? "\(counted(count, "timer")) rang"
        : "\(timer.label) \(timer.stateLabel(Role(timer.state)))"
    }
    guard let next = dashboard.rows.next(at: now), let end = context.endText(of: next) else {
      return "carillon"
    }
    return "\(next.label) rings at \(end)"
  }

  /// Returns the time of day of an instant on the suspending clock.
  func timeOfDay(at instant: TimerClock.Instant, showsSeconds: Bool = false) -> String {
    context.timeOfDay(
      of: dashboard.board.timeOfDay(at: instant, now: now), showsSeconds: showsSeconds)
  }

  /// The instant at which the next minute begins.
  var nextMinute: TimerClock.Instant { context.nextMinute(after: .zero) }

  /// The instant at which the local day ends, or at which the clocks change before that.
  var nextMidnight: TimerClock.Instant {
    var calendar = LocalCalendar(now.zone)
    let end = WallInstant(nanosecondsSince1970: 0).advanced(
      by: .milliseconds(calendar.segment(at: now.wall.milliseconds).range.upperBound))
    return now.suspending.advanced(by: now.wall.duration(to: end))
  }
}
