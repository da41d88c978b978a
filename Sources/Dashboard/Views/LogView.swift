import TerminalCore
import TimerBoard

extension DashboardView {
  static let log = DashboardView(
    scope: .log, key: "L", action: .showLog,
    bindings: [
      Binding([.up, "k"], .up, "scroll up (older)", footer: "scroll", rank: 3),
      Binding([.down, "j"], .down, "scroll down (newer)", footer: "scroll", rank: 3),
      Binding(["g", .home], .top, "go to oldest"),
      Binding(["G", .end], .bottom, "go to newest and follow", footer: "follow", rank: 2),
      Binding(["a"], .toggleActions, "show / hide actions", footer: "actions", rank: 3),
      Binding([.pageUp, "b", .control("u")], .pageUp, "page up"),
      Binding([.pageDown, .space, .control("d")], .pageDown, "page down"),
      Binding(["/"], .filter, "filter", footer: "filter", rank: 2),
      Binding([.escape, "L"], .leave, "clear filter / back", footer: "back", rank: 1),
    ],
    filter: \Dashboard.logState.filter, place: { $0.placeTitleLine(of: $1) },
    draw: { $0.drawLogView() },
    perform: { dashboard, action, _ in dashboard.performInLog(action) },
    footerLabel: { dashboard, action in
      switch action {
      case .bottom: dashboard.logState.anchor == nil ? "following" : "follow"
      case .toggleActions: dashboard.logState.showsActions ? "hide actions" : "show actions"
      default: nil
      }
    })
}

extension Dashboard {
  fileprivate mutating func performInLog(_ action: Action) -> [Effect] {
    let page = max(1, ScreenLayout(of: self).body.height)
    if let lines = action.scrollDistance(page: page, length: board.log.entries.count) {
      logState.scroll(by: lines, in: board.log, height: page)
      return []
    }
    switch action {
    case .filter: prompt = .filter
    case .toggleActions:
      logState.showsActions.toggle()
      logState.anchor = nil
    default:
      if logState.filter.isEmpty { show(.board) }
      logState.filter = .forFilter
      logState.anchor = nil
    }
    return []
  }
}

extension Frame {
  /// Draws the log view: the entries below the filter or a rule.
  func drawLogView() {
    let state = dashboard.logState
    let matches = state.matches(in: dashboard.board.log)
    drawTitleLine(
      "log", state.filter, matchCount: matches.count,
      of: state.entries(of: dashboard.board.log).count)
    let body = layout.body
    let area = Rect(
      x: 2 * inset, y: body.y, width: body.width - 3 * inset, height: body.height)
    if matches.isEmpty { return drawEmptyText(emptyLogText, in: area) }
    let offset = state.offset(in: matches, height: area.height)
    drawLog(Array(matches.dropFirst(offset).prefix(area.height)), in: area)
  }

  private var emptyLogText: String {
    let log = dashboard.board.log
    if !dashboard.logState.entries(of: log).isEmpty { return "no matches" }
    let key = dashboard.bindings.keyName(of: .toggleActions, in: .log, symbols)
    return log.entries.isEmpty || key.isEmpty
      ? "no events yet" : "no events yet; \(key) shows actions"
  }
}

extension Frame {
  /// Draws log entries, one on each line: time, timer, event and lateness.
  func drawLog(_ entries: [EventLog.Entry], in area: Rect) {
    // The parts of an entry stay together on a wide screen.
    let width = min(area.width, 96)
    let isNarrow = area.width < 52
    // Beside the timeline as wide as the labels, so that the texts have the rest.
    let widest = isNarrow ? entries.map(\.label.cellWidth).max() ?? 0 : 16
    let labelWidth = min(widest, 16, max(6, area.width / (isNarrow ? 4 : 6)))
    for (index, entry) in entries.prefix(area.height).enumerated() {
      var line = TextLine()
      if area.width >= 30 {
        let time = logTime(of: entry)
        // In a pane without its milliseconds, which are louder than they are useful.
        line.add(
          isNarrow && dashboard.options.uses24Hours ? String(time.prefix(8)) : time, .faint)
        line.add("  ")
      }
      if !entry.label.isEmpty || !isNarrow {
        line.add(entry.label.truncated(to: labelWidth), .emphasized, filling: labelWidth + 2)
      }
      let late = !isNarrow ? entry.event.lateText(hidesShort: !dashboard.showsLateness) : ""
      let room = width - line.width - (late.isEmpty ? 0 : late.cellWidth + 2)
      line.add(entry.event.text.cutAtWord(to: max(0, room)), entry.event.role)
      line.add(late, .faint, filling: width - line.width, alignedRight: true)
      draw(line, x: area.x, y: area.y + index, limit: max(0, width))
    }
  }

  func logTime(of entry: EventLog.Entry) -> String {
    let time = TimeText.timeOfDay(
      milliseconds: entry.milliseconds, uses24Hours: dashboard.options.uses24Hours)
    // `9:05:00 am` is aligned with `12:05:00 am`.
    return String(repeating: " ", count: max(0, 11 - time.utf8.count)) + time
  }

  /// Draws the line above a list: its filter, or else a rule with its title.
  func drawTitleLine(_ title: String, _ filter: LineEditor, matchCount: Int, of count: Int) {
    guard let area = layout.titleLine, !area.isEmpty else { return }
    if dashboard.isTypingFilter || !filter.isEmpty {
      drawFilter(
        filter, isTyping: dashboard.isTypingFilter, countText: "\(matchCount) of \(count)",
        y: area.y)
    } else {
      drawRule(title, in: area.inset(by: inset))
    }
  }
}

extension EventLog.Event {
  var role: Role {
    switch self {
    case .fired, .phaseBegan, .message: .text
    case .finished: .finished
    case .problem: .failure
    case .commandEnded(let result, _): result.isSuccess ? .text : .failure
    case .action: .faint
    }
  }
}

/// The state of the log view. Entries are shown from the oldest to the newest.
struct LogState: Hashable, Sendable {
  /// The number of the entry at the top; `nil` if the view follows new entries.
  var anchor: Int?
  /// The filter. The log shows its newest matches when the text changes.
  var filter = LineEditor.forFilter {
    didSet {
      if filter.text != oldValue.text { anchor = nil }
    }
  }
  /// A Boolean value that indicates whether the actions of the user are shown too, and not only the events of timers.
  var showsActions = false

  /// Returns the entries, without actions if they are hidden.
  func entries(of log: EventLog) -> [EventLog.Entry] {
    showsActions ? Array(log.entries) : log.entries.filter { !$0.event.isAction }
  }

  /// Returns the entries that match the filter.
  func matches(in log: EventLog) -> [EventLog.Entry] {
    let query = SearchQuery(filter.text)
    let entries = entries(of: log)
    return query.isEmpty ? entries : entries.filter { query.matches($0.searchText) }
  }

  /// Returns the number of matches above the first one shown.
  func offset(in matches: [EventLog.Entry], height: Int) -> Int {
    let last = max(0, matches.count - height)
    guard let anchor else { return last }
    return min(last, matches.firstIndex { $0.number >= anchor } ?? last)
  }

  /// Scrolls by a number of lines, toward older entries if the number is negative. At the newest entry, the view
  /// follows new entries again.
  mutating func scroll(by lines: Int, in log: EventLog, height: Int) {
    let matches = matches(in: log)
    let last = max(0, matches.count - height)
    let (sum, overflow) = offset(in: matches, height: height).addingReportingOverflow(lines)
    let offset = overflow ? last : min(max(0, sum), last)
    anchor = offset == last ? nil : matches[offset].number
  }
}
