import TerminalCore
import TimerBoard
import TimerKit

/// One frame: the dashboard at an instant. Digits, bars and the pane of the next fires depend on ``stepStart``; the
/// time of day, recent fires, blinking and the timeline depend on ``now``.
struct Frame {
  let dashboard: Dashboard
  let now: ClockReading
  /// The start of the display step that contains `now`.
  let stepStart: TimerClock.Instant
  let layout: ScreenLayout
  /// The width of the times beside the names of timers.
  let timeWidth: Int
  let columns: TableColumns
  /// The visible rows, by their positions in the board's own order.
  let visible: ArraySlice<Int>
  /// The number of rows that match the filter, visible or not.
  let matchCount: Int

  init(_ dashboard: Dashboard, at now: ClockReading) {
    self.dashboard = dashboard
    self.now = now
    stepStart = dashboard.displaySteps.stepStart(of: now.suspending)
    layout = ScreenLayout(of: dashboard)
    let filteredRows = FilteredRows(of: dashboard)
    let first = layout.firstRow(
      from: dashboard.top, selected: filteredRows.index(of: dashboard.selected) ?? 0,
      count: filteredRows.positions.count)
    visible =
      dashboard.helpOffset == nil
      ? filteredRows.positions.dropFirst(first).prefix(layout.rowCount) : []
    matchCount = filteredRows.positions.count
    timeWidth = Self.timeWidth(of: visible, in: dashboard, from: stepStart)
    columns = TableColumns(
      width: layout.body.width, widths: dashboard.rowWidths, timeWidth: timeWidth,
      hasTitles: layout.titles != nil, hasSecondLine: layout.rowHeight > 1)
  }

  /// Returns the width of the times: enough for all timers until their next events, and for the visible stopwatches
  /// now. A stopwatch has no longest time.
  private static func timeWidth(
    of visible: ArraySlice<Int>, in dashboard: Dashboard, from stepStart: TimerClock.Instant
  ) -> Int {
    let displaySteps = dashboard.displaySteps
    return visible.reduce(dashboard.rowWidths.time) { widest, position in
      // Read in place, because `rows[position]` copies the whole timer.
      guard case .stopwatch = dashboard.rows.all[position].status else { return widest }
      let largestTime = displaySteps.largestShownTime(of: dashboard.rows[position], from: stepStart)
      return max(widest, TimeText.clockWidth(largestTime, showsTenths: displaySteps.showsTenths))
    }
  }

  var theme: Theme { dashboard.theme }
  var symbols: Symbols { dashboard.symbols }
  var header: HeaderView? { layout.header == nil ? nil : HeaderView(self) }

  /// Draws the frame and returns it with the instant at which it next changes by itself.
  func render() -> RenderedFrame {
    var canvas = Canvas(dashboard.size)
    // Nothing changes on a screen without cells.
    guard dashboard.size.width > 0, dashboard.size.height > 0 else {
      return RenderedFrame(canvas: canvas, nextRedraw: nil)
    }
    var changes = [nextBodyChange]
    if let area = layout.header, let header {
      header.draw(on: &canvas, in: area, theme)
      changes.append(header.nextChange(self))
    }
    drawBody(on: &canvas)
    if let area = layout.prompt {
      drawPrompt(on: &canvas, in: area)
      if promptCounts { changes.append(nextStep) }
    }
    if let area = layout.messageLine { drawMessageLine(on: &canvas, in: area) }
    if let area = layout.caption, let caption = dashboard.caption {
      draw(caption, on: &canvas, in: area)
    }
    if let footer = layout.footer { drawFooter(on: &canvas, in: footer) }
    if dashboard.options.isASCII { canvas.reduceToASCII() }
    canvas.applyBaseStyle(theme.screen)
    return RenderedFrame(canvas: canvas, nextRedraw: changes.earliest)
  }

  /// Draws the help or the view between the header and the footer.
  private func drawBody(on canvas: inout Canvas) {
    if dashboard.helpOffset != nil {
      drawHelp(on: &canvas)
    } else if dashboard.view.hasTimerRows, dashboard.rows.isEmpty {
      drawEmptyBoard(on: &canvas)
    } else if dashboard.view.hasTimerRows, dashboard.listState.hidesAll {
      drawNoMatches(on: &canvas)
    } else if layout.isSingleRow {
      SingleRow(self)?.draw(on: &canvas, self)
    } else {
      dashboard.view.draw(self, &canvas)
    }
  }

  func drawPanes(on canvas: inout Canvas) {
    if let area = layout.upcoming {
      let (rule, rest) = area.splitTop(1)
      let paneArea = rest.splitLeft(2).rest
      let pane = UpcomingPane(self, width: paneArea.width, height: paneArea.height)
      drawRule(pane.title, on: &canvas, in: rule)
      pane.draw(on: &canvas, in: paneArea, self)
    }
    if let area = layout.detail, let pane = DetailPane(self, width: area.width) {
      let (rule, rest) = area.splitTop(1)
      drawRule(pane.title, on: &canvas, in: rule)
      pane.draw(on: &canvas, in: rest.splitLeft(2).rest, theme: theme)
    }
    if let area = layout.log {
      let (rule, rest) = area.splitTop(1)
      drawRule("log", on: &canvas, in: rule)
      drawLog(
        dashboard.logState.entries(of: dashboard.board.log).suffix(rest.height), on: &canvas,
        in: rest.splitLeft(2).rest)
    }
  }

  /// The width of the margins at both sides; 0 on a narrow screen.
  var inset: Int { dashboard.size.width >= 32 ? 1 : 0 }
}
