import TimerBoard

/// The state of the log view. Entries are shown from the oldest to the newest.
struct LogState: Hashable, Sendable {
  /// The number of the entry at the top; `nil` if the view follows new entries.
  var anchor: Int?
  var filter = Filter()
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
