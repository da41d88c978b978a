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
    return visible.reduce(dashboard.rowWidths.time.widest) { widest, position in
      // Read in place, because `rows[position]` copies the whole timer.
      guard case .stopwatch = dashboard.rows.all[position].status else { return widest }
      let largestTime = displaySteps.largestShownTime(of: dashboard.rows[position], from: stepStart)
      return max(widest, TimeText.clockWidth(largestTime, showsTenths: displaySteps.showsTenths))
    }
  }

  var theme: Theme { dashboard.theme }
  var symbols: Symbols { dashboard.symbols }
  /// The focus view; `nil` if big digits do not fit.
  var focus: FocusView? { layout.isSingleRow ? nil : FocusView(self) }
  /// A Boolean value that indicates whether only the selected timer is shown, on one line.
  var showsSingleRow: Bool {
    layout.isSingleRow || (dashboard.view == .focus && focus == nil)
  }
  var header: HeaderView? { layout.header == nil ? nil : HeaderView(self) }

  /// Draws the frame and returns it with the instant at which it next changes by itself.
  func render() -> RenderedFrame {
    var canvas = Canvas(dashboard.size)
    // Nothing changes on a screen without cells.
    guard dashboard.size.width > 0, dashboard.size.height > 0 else {
      return RenderedFrame(canvas: canvas, nextRedraw: nil)
    }
    var changes: [TimerClock.Instant?] = []
    if let area = layout.header, let header {
      changes.append(header.draw(on: &canvas, in: area, self))
    }
    changes.append(drawBody(on: &canvas))
    if let area = layout.prompt { changes.append(drawPrompt(on: &canvas, in: area)) }
    if let area = layout.messageLine { drawMessageLine(on: &canvas, in: area) }
    if let footer = layout.footer { drawFooter(on: &canvas, in: footer) }
    if dashboard.options.isASCII { canvas.reduceToASCII() }
    canvas.applyBaseStyle(theme.screen)
    return RenderedFrame(canvas: canvas, nextRedraw: changes.earliest)
  }

  /// Draws the help or the view between the header and the footer.
  private func drawBody(on canvas: inout Canvas) -> TimerClock.Instant? {
    if dashboard.helpOffset != nil {
      drawHelp(on: &canvas)
    } else if dashboard.view == .history {
      return drawHistory(on: &canvas)
    } else if dashboard.view == .log {
      drawLogView(on: &canvas)
    } else if dashboard.view == .lab {
      return drawLab(on: &canvas)
    } else if dashboard.rows.isEmpty {
      drawEmptyBoard(on: &canvas)
    } else if dashboard.listState.hidesAll {
      drawNoMatches(on: &canvas)
    } else if showsSingleRow {
      return SingleRow(self)?.draw(on: &canvas, self)
    } else {
      switch dashboard.view {
      case .board:
        let next = drawTable(on: &canvas)
        return [next, drawPanes(on: &canvas, before: next)].earliest
      case .focus: return focus?.draw(on: &canvas, self)
      case .timeline: return TimelineView(self).draw(on: &canvas)
      case .lab, .history, .log: break
      }
    }
    return nil
  }

  /// Draws the lab, which shows its keys itself.
  private func drawLab(on canvas: inout Canvas) -> TimerClock.Instant? {
    guard let lab = dashboard.lab else { return nil }
    let area = layout.body
    let view = LabView(
      lab.page, width: area.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
    for (y, line) in view.lines(area.height).enumerated() {
      line.draw(on: &canvas, x: area.x, y: area.y + y, theme: theme)
    }
    return lab.nextChange
  }

  /// Draws the panes.
  /// - Parameter next: The instant at which the table changes.
  /// - Returns: The instant at which the panes change; for the pane of the next fires only if it can be before `next`.
  private func drawPanes(
    on canvas: inout Canvas, before next: TimerClock.Instant?
  ) -> TimerClock.Instant? {
    var changes: [TimerClock.Instant?] = []
    if let area = layout.upcoming {
      let (rule, rest) = area.splitTop(1)
      let paneArea = rest.splitLeft(2).rest
      let pane = UpcomingPane(self, width: paneArea.width, height: paneArea.height)
      drawRule(pane.title, on: &canvas, in: rule)
      pane.draw(on: &canvas, in: paneArea, self)
      // The pane changes only at display steps. Usually the table changes at the next one, so that the search for
      // the pane's step is not needed.
      let step = dashboard.displaySteps.next(after: stepStart)
      if next.map({ $0 > step }) ?? true { changes.append(pane.nextChange(self)) }
    }
    if let area = layout.detail, let pane = DetailPane(self, width: area.width) {
      let (rule, rest) = area.splitTop(1)
      drawRule(pane.title, on: &canvas, in: rule)
      pane.draw(on: &canvas, in: rest.splitLeft(2).rest, theme: theme)
      if pane.showsDay { changes.append(nextMidnight) }
    }
    if let area = layout.log {
      let (rule, rest) = area.splitTop(1)
      drawRule("log", on: &canvas, in: rule)
      drawLog(
        dashboard.logState.entries(of: dashboard.board.log).suffix(rest.height), on: &canvas,
        in: rest.splitLeft(2).rest)
    }
    return changes.earliest
  }

  /// The width of the margins at both sides; 0 on a narrow screen.
  var inset: Int { dashboard.size.width >= 32 ? 1 : 0 }
}
