/// The log on the whole screen: where it is scrolled to, and what is looked for in it.
struct LogView: Hashable, Sendable {
  /// The newest entry that is seen; `nil` to follow what happens.
  var anchor: Int?
  var filter = LineEditor()
  var isTyping = false

  /// What matches the filter, upper and lower case alike, the newest first.
  func matches(in log: EventLog) -> [EventLog.Entry] {
    let sought = Array(filter.text.lowercased().utf8)
    let entries = log.entries.reversed()
    guard !sought.isEmpty else { return Array(entries) }
    return entries.filter { $0.sought.contains(sought) }
  }

  /// How many matches are above the first that is seen.
  func offset(in matches: [EventLog.Entry], height: Int) -> Int {
    guard let anchor else { return 0 }
    let index = matches.firstIndex { $0.number <= anchor } ?? matches.count
    return min(index, max(0, matches.count - height))
  }

  /// Scrolls toward older entries; up to the newest, and it follows them again.
  mutating func scroll(by lines: Int, in log: EventLog, height: Int) {
    let matches = matches(in: log)
    let last = max(0, matches.count - height)
    let (sum, overflow) = offset(in: matches, height: height).addingReportingOverflow(lines)
    let offset = overflow ? last : min(max(0, sum), last)
    anchor = offset == 0 ? nil : matches[offset].number
  }
}

extension String {
  /// Whether it holds a text, byte for byte: a filter reads a thousand lines for each frame.
  fileprivate func contains(_ sought: [UInt8]) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = sought.first, bytes.count >= sought.count else { return false }
      for start in 0...(bytes.count - sought.count) where bytes[start] == first {
        if bytes[start..<(start + sought.count)].elementsEqual(sought) { return true }
      }
      return false
    } ?? false
  }
}
