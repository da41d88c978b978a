import TerminalCore
import TimerBoard

/// The areas of the screen; a small screen has fewer of them.
struct ScreenLayout: Hashable {
  private(set) var header: Rect?
  /// The line of the newest alert if the view does not show it: the blank one below the header, or that of the header.
  private(set) var alertLine: Rect?
  /// The line of the totals of another process.
  private(set) var totals: Rect?
  /// The line of the column titles.
  private(set) var titles: Rect?
  /// The area of the rows, of the content of another view, or of the help.
  private(set) var body: Rect
  /// The number of lines of a row on the board and on the timeline.
  private(set) var rowHeight = 1
  private(set) var prompt: Rect?
  /// The area above the prompt of the command palette that its matches can cover.
  private(set) var matches: Rect?
  private(set) var messageLine: Rect?
  /// The line of the hint of a first start, blank without one.
  private(set) var hint: Rect?
  private(set) var footer: Rect?
  /// The caption of the guided tour.
  private(set) var caption: Rect?
  /// The boxes of the next fires, of the selected timer and of the log, if there is room.
  private(set) var upcoming: Rect?
  private(set) var detail: Rect?
  private(set) var log: Rect?
  /// The cards of the board in place of its rows; `nil` if it has rows.
  private(set) var wall: WallLayout?
  /// The lines above and below the lanes of the timeline: its axis, the fires of all lanes together, and what comes next.
  private(set) var axis: Rect?
  private(set) var skyline: Rect?
  private(set) var legend: Rect?
  /// The line above the list in the log view and in the history view: its title or its filter.
  private(set) var titleLine: Rect?
  /// A Boolean value that indicates whether the screen is too narrow for a table: only the selected timer is
  /// shown, on one line.
  let isSingleRow: Bool

  static let narrowestTable = 16
  /// The minimum width for panes beside the table.
  private static let wide = 160

  init(of dashboard: Dashboard) {
    let size = dashboard.size
    let height = size.height
    let hasTimerOrCommandPrompt = dashboard.timerPrompt != nil || dashboard.commandPrompt != nil
    let isFiltering =
      !hasTimerOrCommandPrompt && dashboard.isTypingFilter && dashboard.view.hasTimerRows
    let hasPrompt = (hasTimerOrCommandPrompt || isFiltering) && dashboard.helpOffset == nil
    let hasMessage = dashboard.messageLine != nil && !hasPrompt
    // The command palette has one line for its usage or its error below.
    let mostLines = dashboard.commandPrompt == nil ? 3 : 2
    let promptHeight = height >= 12 ? mostLines : min(height, mostLines - 1)
    defer { if hasPrompt, dashboard.commandPrompt != nil { placeMatches() } }
    isSingleRow = size.width < Self.narrowestTable && dashboard.view.hasTimerRows
    body = Rect(size)
    if dashboard.view.showsKeys, dashboard.helpOffset == nil {
      if hasPrompt { prompt = takeBottom(promptHeight) }
      if height >= 20 {
        header = takeTop(1)
        alertLine = takeTop(1)
      }
      return
    }
    if dashboard.caption != nil, height >= 8 { caption = takeBottom(Frame.captionHeight) }
    if height >= 6 { footer = takeBottom(1) }
    if hasPrompt {
      prompt = takeBottom(isFiltering ? 1 : promptHeight)
    } else if height >= 12 {
      messageLine = takeBottom(1)
    } else if hasMessage, height >= 2 {
      // The message replaces the footer until the next key.
      messageLine = footer ?? takeBottom(1)
      footer = nil
    }
    if height >= 16, dashboard.attached == nil { hint = takeBottom(1) }
    if height >= (hasPrompt ? 6 : 4), !isSingleRow { header = takeTop(1) }
    if dashboard.attached != nil {
      if height >= 10 { totals = takeTop(1) }
    } else {
      alertLine = height >= 16 ? takeTop(1) : header
    }
    if dashboard.helpOffset == nil { dashboard.view.place(&self, dashboard) }
    if isSingleRow, dashboard.helpOffset == nil { body.height = min(1, body.height) }
  }

  /// The number of rows that fit.
  var rowCount: Int {
    if let wall { return wall.columns * wall.rows }
    return body.isEmpty ? 0 : max(1, body.height / rowHeight)
  }

  /// Places the matches of the command palette: up to ten and their title.
  private mutating func placeMatches() {
    guard let prompt else { return }
    let top = header?.maxY ?? 0
    let lines = min(11, prompt.y - top)
    matches = Rect(x: 0, y: prompt.y - lines, width: prompt.width, height: lines)
  }

  /// Returns the index of the row at the top of a list, scrolled just so far that the selected row is visible.
  /// - Parameter position: The position of the selected row in the board's own order.
  func firstRow(from top: Int, selected position: Int, of rows: FilteredRows) -> Int {
    firstRow(from: top, selected: rows.index(of: position) ?? 0, count: rows.lanes.count)
  }

  /// - Parameter index: The index of the selected row in the list.
  func firstRow(from top: Int, selected index: Int, count: Int) -> Int {
    let selected = min(index, max(0, count - 1))
    let shown = max(1, rowCount)
    if let wall {
      let first = wall.columns * (max(0, top) / wall.columns)
      let needed = wall.columns * (selected / wall.columns + 1) - shown
      let last = wall.columns * max(0, (count - 1) / wall.columns + 1 - wall.rows)
      return max(0, min(last, max(needed, min(first, selected / wall.columns * wall.columns))))
    }
    return min(max(0, count - shown), max(selected - shown + 1, min(max(0, top), selected)))
  }

  /// Places what is above and below the lanes of the timeline. It depends on the size alone.
  mutating func placeTimeline(of dashboard: Dashboard) {
    if isSingleRow || dashboard.hasNoRows { return }
    if body.height >= 8 { legend = takeBottom(1) }
    if dashboard.size.height >= 30, body.height >= 20 {
      detail = takeBottom(DetailPane.boxHeight.usual).inset(by: 1)
    }
    // Between blank lines.
    if body.height >= 12 { skyline = takeBottom(3).inset(by: 0, 1) }
    if body.height >= 4 { axis = takeTop(1) }
    guard dashboard.attached == nil else { return }
    let rows = FilteredRows(of: dashboard)
    if !rows.ready.isEmpty { body.height = max(1, body.height - 1) }
    if body.height >= 2 * rows.lanes.count { rowHeight = 2 }
  }

  /// Places the line for the title or the filter of a view.
  mutating func placeTitleLine(of dashboard: Dashboard) {
    if body.height >= 3 || dashboard.isTypingFilter { titleLine = takeTop(1) }
  }

  /// Places the rows and the panes of the board. Each row has a line. Of the lines that are left, each pane takes its least
  /// height, in the order of their use; the rest is for more lanes, and for more lines of each row. So a pane that has room
  /// beside more timers has it beside fewer.
  mutating func placeBoard(of dashboard: Dashboard) {
    if isSingleRow || dashboard.hasNoRows && dashboard.attached == nil { return }
    if dashboard.attached != nil {
      // All of the screen is for the rows, of which there can be 100,000.
      if dashboard.size.height >= 10 { titles = takeTop(1) }
      return
    }
    wall = WallLayout(of: dashboard, in: body)
    if wall != nil { return }
    let rows = FilteredRows.count(of: dashboard)
    if body.width >= Self.wide, dashboard.size.height >= 20 {
      let (left, right) = body.splitLeft(body.width * 3 / 5)
      body = left
      placeSide(right.splitLeft(3).rest)
    }
    if dashboard.size.height >= 10 { titles = takeTop(1) }
    guard detail == nil else {
      rowHeight = max(1, min(3, body.height / max(1, rows)))
      return
    }
    guard body.width >= 40 else { return }
    placePanes(belowRows: rows, onScreenOf: dashboard.size.height)
  }

  /// Places the panes at the bottom, the log beside them if there is room for both.
  private mutating func placePanes(belowRows rows: Int, onScreenOf screenHeight: Int) {
    let isLow = screenHeight < 30
    // Nothing moves when a prompt opens, which is higher than a notice: it covers the lowest panes.
    let height = body.height + max(0, (prompt?.height ?? 1) - 1)
    var spare = height - rows
    let box = UpcomingPane.boxHeight(lanes: 1)
    guard spare >= box else { return }
    let lanes = min(rows, UpcomingPane.mostLanes)
    var upcomingHeight = min(spare, UpcomingPane.boxHeight(lanes: min(lanes, isLow ? 4 : 6)))
    spare -= upcomingHeight
    func take(_ lines: Int, _ isWanted: Bool = true) -> Int {
      guard isWanted, spare >= lines else { return 0 }
      spare -= lines
      return lines
    }
    let hasSide = body.width >= 98
    let (low, usual) = DetailPane.boxHeight
    // On a middling screen, most rows have a second line in exchange for one of the details.
    let detailHeight = take(
      isLow ? low : screenHeight < 40 ? usual - 1 : usual, screenHeight >= 20)
    let logHeight = take(5, detailHeight > 0 && !hasSide && !isLow)
    let more = min(spare, UpcomingPane.boxHeight(lanes: lanes) - upcomingHeight)
    upcomingHeight += more
    spare -= more
    // With three lines for each row, a blank one sets it off from the next.
    if !isLow, spare >= 2 * rows {
      rowHeight = 3
    } else if detailHeight > 0, screenHeight >= 24, spare >= rows {
      rowHeight = 2
    }
    let lines = upcomingHeight + detailHeight + logHeight
    var panes = Rect(x: 1, y: body.y + height - lines, width: body.width - 2, height: lines)
    let bottom = body.maxY
    body.height = min(body.height, height - lines)
    if hasSide {
      let (left, right) = panes.splitLeft(panes.width * 2 / 3)
      panes.width = left.width - 1
      let shown = right.splitTop(bottom - right.y).top
      log = shown.height >= 3 ? shown : nil
    }
    let (top, rest) = panes.splitTop(upcomingHeight)
    let (middle, last) = rest.splitTop(detailHeight)
    func visible(_ box: Rect) -> Rect? { box.isEmpty || box.maxY > bottom ? nil : box }
    (upcoming, detail) = (visible(top), visible(middle))
    if !hasSide { log = visible(last) }
  }

  /// Places all panes below each other, beside the table.
  private mutating func placeSide(_ area: Rect) {
    let area = Rect(x: area.x, y: area.y, width: area.width - 1, height: area.height)
    let (top, rest) = area.splitTop(DetailPane.boxHeight.usual)
    detail = top
    let lanes = min(UpcomingPane.mostLanes, max(2, area.height / 4))
    let (middle, bottom) = rest.splitTop(UpcomingPane.boxHeight(lanes: lanes))
    upcoming = middle
    if bottom.height >= 3 { log = bottom }
  }

  private mutating func takeTop(_ count: Int) -> Rect {
    let (top, rest) = body.splitTop(count)
    body = rest
    return top
  }

  private mutating func takeBottom(_ count: Int) -> Rect {
    let (rest, bottom) = body.splitBottom(count)
    body = rest
    return bottom
  }
}
