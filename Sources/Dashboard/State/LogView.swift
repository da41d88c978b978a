import TimerBoard

/// The scroll position and the filter of the log screen.
struct LogView: Hashable, Sendable {
  /// The number of the entry at the top; `nil` if the screen follows new entries.
  var anchor: Int?
  var filter = Filter()

  /// Returns the entries that match the filter, the newest first.
  func matches(in log: EventLog) -> [EventLog.Entry] {
    let searchText = SearchText(filter.text)
    let entries = log.entries.reversed()
    guard !searchText.isEmpty else { return Array(entries) }
    return entries.filter { searchText.isIn($0.searchText) }
  }

  /// Returns the number of matches above the first one shown.
  func offset(in matches: [EventLog.Entry], height: Int) -> Int {
    guard let anchor else { return 0 }
    let index = matches.firstIndex { $0.number <= anchor } ?? matches.count
    return min(index, max(0, matches.count - height))
  }

  /// Scrolls toward older entries. At the newest entry the screen follows new ones again.
  mutating func scroll(by lines: Int, in log: EventLog, height: Int) {
    let matches = matches(in: log)
    let last = max(0, matches.count - height)
    let (sum, overflow) = offset(in: matches, height: height).addingReportingOverflow(lines)
    let offset = overflow ? last : min(max(0, sum), last)
    anchor = offset == 0 ? nil : matches[offset].number
  }
}
