import TerminalCore
import TimerBoard

/// The areas of the screen; a small screen has fewer of them.
struct ScreenLayout: Hashable {
  private(set) var header: Rect?
  private(set) var titles: Rect?
  /// The area of the rows, or of the help.
  private(set) var body: Rect
  private(set) var prompt: Rect?
  private(set) var notice: Rect?
  private(set) var footer: Rect?
  /// The panes of the selected timer and of the log, below the rows if there is room. Each begins with a rule.
  private(set) var detail: Rect?
  private(set) var log: Rect?
  /// The lines above and below the lanes of the timeline.
  private(set) var axis: Rect?
  private(set) var legend: Rect?
  /// The line above the log or the history on their screens.
  private(set) var logHead: Rect?
  /// A Boolean value that indicates whether the screen is too narrow for a table: only the selected timer is
  /// shown, on one line.
  let isSingle: Bool

  static let narrowestTable = 16

  init(of dashboard: Dashboard) {
    let size = dashboard.size
    let height = size.height
    let hasLines = dashboard.prompt != nil || dashboard.command != nil
    let isFiltering = !hasLines && dashboard.isTypingFilter && !dashboard.screen.isIndependent
    let hasPrompt = (hasLines || isFiltering) && dashboard.help == nil
    let hasNotice = dashboard.status != nil && !hasPrompt
    isSingle = size.width < Self.narrowestTable && !dashboard.screen.isIndependent
    body = Rect(size)
    if dashboard.screen == .lab, dashboard.help == nil {
      // The lab shows its keys itself.
      if hasPrompt { prompt = takeBottom(height >= 12 ? 3 : min(height, 2)) }
      if height >= 20 { header = takeTop(1) }
      if height >= 30 { _ = takeTop(1) }
      return
    }
    if height >= 6 { footer = takeBottom(1) }
    if hasPrompt {
      prompt = takeBottom(isFiltering ? 1 : height >= 12 ? 3 : min(height, 2))
    } else if height >= 12 {
      notice = takeBottom(1)
    } else if hasNotice, height >= 2 {
      // The notice replaces the footer until the next key.
      notice = footer ?? takeBottom(1)
      footer = nil
    }
    if height >= 16 { _ = takeBottom(1) }
    if height >= (hasPrompt ? 6 : 4), !isSingle { header = takeTop(1) }
    if height >= 16 { _ = takeTop(1) }
    if dashboard.help == nil { placeParts(of: dashboard) }
    let isBoard = dashboard.screen == .board && dashboard.help == nil
    if height >= 10, !isSingle, isBoard, !dashboard.rows.isEmpty {
      titles = takeTop(1)
    }
    if !isSingle, isBoard, !dashboard.rows.isEmpty {
      placePanes(rows: dashboard.rows.count)
    }
    if isSingle, dashboard.help == nil { body.height = min(1, body.height) }
  }

  /// Returns the index of the row at the top of a list, scrolled just so far that the selected row is visible.
  func firstRow(from top: Int, selected: Int, count: Int) -> Int {
    let height = max(1, body.height)
    let lowest = max(0, count - height)
    return min(lowest, max(selected - height + 1, min(max(0, top), selected)))
  }

  private mutating func placeParts(of dashboard: Dashboard) {
    switch dashboard.screen {
    case .board, .focus, .lab: break
    case .timeline:
      if isSingle || dashboard.rows.isEmpty { return }
      if body.height >= 8 { legend = takeBottom(1) }
      if body.height >= 4 { axis = takeTop(1) }
    case .log, .history:
      if body.height >= 3 || dashboard.isTypingFilter { logHead = takeTop(1) }
    }
  }

  /// Places the panes in the room below the rows; on a high screen they take up to two fifths of it.
  private mutating func placePanes(rows: Int) {
    let least = DetailPane.height + 2
    let height = max(body.height - rows, body.height >= 30 ? body.height * 2 / 5 : 0)
    guard height >= least, body.width >= 40 else { return }
    var panes = takeBottom(height).splitTop(1).rest
    let inset = 1
    panes = Rect(x: inset, y: panes.y, width: panes.width - 2 * inset, height: panes.height)
    if panes.width >= 96 {
      let (left, right) = panes.splitLeft(min(panes.width / 2, 76))
      detail = Rect(x: left.x, y: left.y, width: left.width - 2, height: left.height)
      log = right
    } else if panes.height >= least + 3 {
      let (top, rest) = panes.splitTop(DetailPane.height + 1)
      detail = top
      log = rest.splitTop(1).rest
    } else {
      detail = panes
    }
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
