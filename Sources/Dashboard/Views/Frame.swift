import TerminalCore
import TimerBoard
import TimerKit

/// One frame: the dashboard at an instant. Whatever part of it depends on the time depends on ``start``
/// alone, but for the clock and the fires that still show.
struct Frame {
  let dashboard: Dashboard
  let now: ClockReading
  /// The start of the display grid's cell.
  let start: TimerClock.Instant
  let layout: ScreenLayout
  let columns: TableColumns
  /// The rows that are seen, by their positions in the board's own order.
  let visible: ArraySlice<Int>

  init(_ dashboard: Dashboard, at now: ClockReading) {
    self.dashboard = dashboard
    self.now = now
    start = dashboard.grid.start(of: now.uptime)
    layout = ScreenLayout(of: dashboard)
    columns = TableColumns(
      width: dashboard.size.width, widths: dashboard.metrics, hasTitles: layout.titles != nil)
    let arrangement = Arrangement(of: dashboard)
    let first = layout.firstRow(
      from: dashboard.top, selected: arrangement.place(of: dashboard.selected) ?? 0,
      count: arrangement.positions.count)
    visible =
      dashboard.help == nil ? arrangement.positions.dropFirst(first).prefix(layout.body.height) : []
  }

  var theme: Theme { dashboard.theme }
  var symbols: Symbols { dashboard.symbols }
  /// `nil` where there is no room for big digits.
  var focus: FocusView? { layout.isSingle ? nil : FocusView(self) }
  /// There is only room for the selected timer, on one line.
  var standsAlone: Bool {
    layout.isSingle || (dashboard.screen == .focus && focus == nil)
  }
  var header: HeaderView? { layout.header == nil ? nil : HeaderView(self) }

  /// Draws the frame, and finds when it next changes by itself, in one pass.
  func render() -> RenderedFrame {
    var canvas = Canvas(dashboard.size)
    var changes: [TimerClock.Instant?] = []
    if let area = layout.header, let header {
      changes.append(header.draw(on: &canvas, in: area, self))
    }
    changes.append(drawScreen(on: &canvas))
    if let area = layout.prompt { changes.append(drawPrompt(on: &canvas, in: area)) }
    if let area = layout.notice { drawStatus(on: &canvas, in: area) }
    if let footer = layout.footer { drawFooter(on: &canvas, in: footer) }
    if dashboard.options.isASCII { canvas.reduceToASCII() }
    canvas.paint(theme.screen)
    return RenderedFrame(canvas: canvas, nextRedraw: changes.earliest)
  }

  private func drawScreen(on canvas: inout Canvas) -> TimerClock.Instant? {
    if dashboard.help != nil {
      drawHelp(on: &canvas)
    } else if dashboard.screen == .log {
      drawLogScreen(on: &canvas)
    } else if dashboard.screen == .lab {
      return drawLab(on: &canvas)
    } else if dashboard.rows.isEmpty {
      drawEmptyBoard(on: &canvas)
    } else if dashboard.list.hidesAll {
      drawNothingMatches(on: &canvas)
    } else if standsAlone {
      return SingleRow(self)?.draw(on: &canvas, self)
    } else {
      switch dashboard.screen {
      case .board: return [drawTable(on: &canvas), drawPanes(on: &canvas)].earliest
      case .focus: return focus?.draw(on: &canvas, self)
      case .timeline: return TimelineView(self).draw(on: &canvas)
      case .lab, .log: break
      }
    }
    return nil
  }

  /// It has lines of its own for its keys.
  private func drawLab(on canvas: inout Canvas) -> TimerClock.Instant? {
    guard let lab = dashboard.lab else { return nil }
    let area = layout.body
    let view = LabView(
      lab.frame, width: area.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
    for (y, line) in view.lines(area.height).enumerated() {
      line.draw(on: &canvas, x: area.x, y: area.y + y, theme: theme)
    }
    return lab.nextChange
  }

  private func drawPanes(on canvas: inout Canvas) -> TimerClock.Instant? {
    var nextChange: TimerClock.Instant?
    if let area = layout.detail, let pane = DetailPane(self, width: area.width) {
      let (rule, rest) = area.splitTop(1)
      drawRule(pane.title, on: &canvas, in: rule)
      pane.draw(on: &canvas, in: rest.splitLeft(2).rest, theme: theme)
      if pane.showsDay { nextChange = nextLocal(86_400_000_000_000) }
    }
    if let area = layout.log {
      let (rule, rest) = area.splitTop(1)
      drawRule("log", on: &canvas, in: rule)
      drawLog(
        dashboard.board.log.entries.suffix(rest.height).reversed(), on: &canvas,
        in: rest.splitLeft(2).rest)
    }
    return nextChange
  }

  /// The cells left free at the sides, where there is width for it.
  var inset: Int { dashboard.size.width >= 32 ? 1 : 0 }
}
