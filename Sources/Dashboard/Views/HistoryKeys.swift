import TerminalCore
package import TimerBoard

extension DashboardView {
  static let history = DashboardView(
    scope: .history, key: .character("5"), action: .showHistory,
    bindings: [
      Binding(.history, [.up, .character("k")], .up, "move up (newer)", footer: "day", rank: 2),
      Binding(
        .history, [.down, .character("j")], .down, "move down (older)", footer: "day", rank: 2),
      Binding(.history, [.left], .scrollLeft, "go back a week", footer: "week", rank: 3),
      Binding(.history, [.right], .scrollRight, "go forward a week", footer: "week", rank: 3),
      Binding(.history, [.character("g"), .home], .top, "go to today"),
      Binding(.history, [.character("G"), .end], .bottom, "go to oldest day"),
      Binding(.history, [.pageUp, .character("b"), .control("u")], .pageUp, "page up"),
      Binding(.history, [.pageDown, .space, .control("d")], .pageDown, "page down"),
      Binding(.history, [.enter], .openDay, "open / close list of day", footer: "open", rank: 2),
      Binding(.history, [.character("/")], .filter, "filter", footer: "filter", rank: 2),
      Binding(
        .history, [.escape], .leave, "close list / clear filter / back", footer: "back", rank: 1),
    ],
    filter: \Dashboard.historyFilter, place: { $0.placeTitleLine(of: $1) },
    draw: { $0.drawHistory(on: &$1) },
    nextChange: { $0.dashboard.historyState.matchingNames.isEmpty ? nil : $0.nextMidnight },
    perform: { dashboard, action, now in
      dashboard.performInHistory(action, at: now)
      return []
    },
    applies: { $0.appliesInHistory($1) },
    footerLabel: { dashboard, action in
      guard dashboard.historyState.listOffset != nil else { return nil }
      return action == .openDay ? "close" : action == .up || action == .down ? "scroll" : nil
    })
}

extension Dashboard {
  /// A Boolean value that indicates whether the history is shown and was not read yet.
  package var needsHistory: Bool { view == .history && historyState.history == nil }

  /// Adds lines that were written since the history was read.
  package mutating func addToHistory(_ lines: [HistoryLine], calendar: inout LocalCalendar) {
    historyState.apply(lines, calendar: &calendar)
  }

  /// Returns true if an action of the history has an effect. Left and right select the day a week earlier or later,
  /// which they do not while the list of a day is open.
  func appliesInHistory(_ action: Action) -> Bool {
    historyState.listOffset == nil || (action != .scrollLeft && action != .scrollRight)
  }

  fileprivate mutating func performInHistory(_ action: Action, at now: ClockReading) {
    guard appliesInHistory(action) else { return }
    let page = max(1, ScreenLayout(of: self).body.height)
    let today = CivilDate(day: LocalTime(now).dayNumber)
    switch action {
    case .up: moveInHistory(by: -1, lastDay: today)
    case .down: moveInHistory(by: 1, lastDay: today)
    case .pageUp: moveInHistory(by: -page, lastDay: today)
    case .pageDown: moveInHistory(by: page, lastDay: today)
    case .scrollLeft: moveInHistory(by: 7, lastDay: today)
    case .scrollRight: moveInHistory(by: -7, lastDay: today)
    case .top: moveInHistory(by: -historyLength(lastDay: today), lastDay: today)
    case .bottom: moveInHistory(by: historyLength(lastDay: today), lastDay: today)
    case .openDay: historyState.listOffset = historyState.listOffset == nil ? 0 : nil
    case .filter: overlay = .prompt(.filter)
    default:
      if historyState.listOffset != nil {
        historyState.listOffset = nil
      } else if !historyState.filter.isEmpty {
        historyState.setFilter(Filter())
      } else {
        show(.board)
      }
    }
  }

  /// Returns the number of days, or of the stretches in the open list of a day.
  private func historyLength(lastDay today: CivilDate) -> Int {
    guard historyState.listOffset != nil else { return historyState.dayCount(lastDay: today) }
    let daysAgo = historyState.selectedDaysAgo(lastDay: today)
    return historyState.stretches(on: today.advanced(by: -daysAgo)).count
  }

  /// Selects another day, or scrolls the open list of a day.
  private mutating func moveInHistory(by count: Int, lastDay today: CivilDate) {
    guard let offset = historyState.listOffset else {
      return historyState.moveSelection(by: count, lastDay: today)
    }
    let last = historyLength(lastDay: today) - ScreenLayout(of: self).body.height
    historyState.listOffset = min(max(0, last), max(0, offset + count))
  }
}
