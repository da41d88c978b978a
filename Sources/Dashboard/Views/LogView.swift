import TerminalCore
import TimerBoard

extension DashboardView {
  static let log = DashboardView(
    scope: .log, key: .character("L"), action: .showLog,
    bindings: [
      Binding(.log, [.up, .character("k")], .up, "scroll up (older)", footer: "scroll", rank: 3),
      Binding(
        .log, [.down, .character("j")], .down, "scroll down (newer)", footer: "scroll", rank: 3),
      Binding(.log, [.character("g"), .home], .top, "go to oldest"),
      Binding(
        .log, [.character("G"), .end], .bottom, "go to newest and follow", footer: "follow", rank: 2
      ),
      Binding(
        .log, [.character("a")], .toggleActions, "show / hide actions", footer: "actions", rank: 3),
      Binding(.log, [.pageUp, .character("b"), .control("u")], .pageUp, "page up"),
      Binding(.log, [.pageDown, .space, .control("d")], .pageDown, "page down"),
      Binding(
        .log, [.character("/")], .filter, "filter", footer: "filter",
        rank: 2),
      Binding(
        .log, [.escape, .character("L")], .leave, "clear filter / back",
        footer: "back", rank: 1),
    ],
    filter: \Dashboard.logFilter, place: { $0.placeTitleLine(of: $1) },
    draw: { $0.drawLogView(on: &$1) },
    perform: { dashboard, action, _ in
      dashboard.performInLog(action)
      return []
    },
    footerLabel: { dashboard, action in
      switch action {
      case .bottom: dashboard.logState.anchor == nil ? "following" : "follow"
      case .toggleActions: dashboard.logState.showsActions ? "hide actions" : "show actions"
      default: nil
      }
    })
}

extension Dashboard {
  /// The filter of the log. The log shows its newest matches when the text changes.
  var logFilter: Filter {
    get { logState.filter }
    set {
      if newValue.text != logState.filter.text { logState.anchor = nil }
      logState.filter = newValue
    }
  }

  fileprivate mutating func performInLog(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let lines: Int
    switch action {
    case .up: lines = -1
    case .down: lines = 1
    case .pageUp: lines = -page
    case .pageDown: lines = page
    case .top: lines = -board.log.entries.count
    case .bottom: lines = board.log.entries.count
    case .filter:
      overlay = .prompt(.filter)
      return
    case .toggleActions:
      logState.showsActions.toggle()
      logState.anchor = nil
      return
    default:
      if logState.filter.isEmpty { show(.board) }
      logState.filter = Filter()
      logState.anchor = nil
      return
    }
    logState.scroll(by: lines, in: board.log, height: page)
  }
}

extension Frame {
  /// Draws the log view: the entries below the filter or a rule.
  func drawLogView(on canvas: inout Canvas) {
    let state = dashboard.logState
    let matches = state.matches(in: dashboard.board.log)
    if let area = layout.titleLine, !area.isEmpty {
      if dashboard.isTypingFilter || !state.filter.isEmpty {
        drawFilter(
          state.filter,
          countText: "\(matches.count) of \(state.entries(of: dashboard.board.log).count)",
          on: &canvas,
          y: area.y)
      } else {
        drawRule(
          "log", on: &canvas,
          in: Rect(x: inset, y: area.y, width: area.width - 2 * inset, height: 1))
      }
    }
    var area = layout.body
    area = Rect(
      x: 2 * inset, y: area.y, width: area.width - 3 * inset, height: area.height)
    if matches.isEmpty {
      canvas.write(
        emptyLogText.cutAtWord(to: max(0, area.width)), x: area.x, y: area.y, style: theme[.faint],
        limit: max(0, min(area.width, area.height * 80)))
      return
    }
    let offset = state.offset(in: matches, height: area.height)
    drawLog(Array(matches.dropFirst(offset).prefix(area.height)), on: &canvas, in: area)
  }

  private var emptyLogText: String {
    let log = dashboard.board.log
    if !dashboard.logState.entries(of: log).isEmpty { return "no matches" }
    let key = dashboard.bindings.keyName(of: .toggleActions, in: .log, symbols)
    return log.entries.isEmpty || key.isEmpty
      ? "no events yet" : "no events yet; \(key) shows actions"
  }
}
