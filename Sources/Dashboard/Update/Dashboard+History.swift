import TerminalCore
package import TimerBoard

extension Dashboard {
  /// A Boolean value that indicates whether the history is shown and was not read yet.
  package var needsHistory: Bool { screen == .history && historyView.index == nil }

  /// Adds lines that were written since the history was read.
  package mutating func addToHistory(_ lines: [HistoryLine], calendar: inout LocalDays) {
    historyView.apply(lines, calendar: &calendar)
  }

  mutating func performInHistory(_ action: Action, at now: ClockReading) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let today = CivilDate(day: LocalTime(now).day)
    switch action {
    case .up: moveInHistory(by: -1, until: today)
    case .down: moveInHistory(by: 1, until: today)
    case .pageUp: moveInHistory(by: -page, until: today)
    case .pageDown: moveInHistory(by: page, until: today)
    case .scrollLeft: moveInHistory(by: 7, until: today)
    case .scrollRight: moveInHistory(by: -7, until: today)
    case .top: moveInHistory(by: -HistoryIndex.dayLimit, until: today)
    case .bottom: moveInHistory(by: HistoryIndex.dayLimit, until: today)
    case .openDay: historyView.listOffset = historyView.listOffset == nil ? 0 : nil
    case .filter: overlay = .entry(.filter)
    default:
      if historyView.listOffset != nil {
        historyView.listOffset = nil
      } else if !historyView.filter.isEmpty {
        historyView.setFilter(Filter())
      } else {
        show(.board)
      }
    }
  }

  /// Selects another day, or scrolls the open list of a day.
  private mutating func moveInHistory(by count: Int, until today: CivilDate) {
    if let offset = historyView.listOffset {
      let day = today.advanced(by: -historyView.daysAgo)
      let last = historyView.entries(on: day).count - ScreenLayout(of: self).body.height
      historyView.listOffset = min(max(0, last), max(0, offset + count))
    } else {
      let last = historyView.dayCount(until: today) - 1
      historyView.daysAgo = min(max(0, last), max(0, historyView.daysAgo + count))
    }
  }
}
