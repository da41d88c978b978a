/// Lines that were typed, to be typed again; the newest last.
struct InputHistory: Hashable, Sendable {
  private static let limit = 100

  private var lines: [String] = []
  /// The index of the line that is shown; `nil` for the one being typed.
  private var index: Int?
  /// The text that was being typed before the history was shown.
  private var draft = ""

  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
    index = nil
  }

  /// The line before, if there is one.
  mutating func older(than text: String) -> String? {
    if index == nil { draft = text }
    let earlier = (index ?? lines.count) - 1
    guard earlier >= 0 else { return nil }
    index = earlier
    return lines[earlier]
  }

  /// The line after, and after the last one what was being typed.
  mutating func newer() -> String? {
    guard let shown = index else { return nil }
    index = shown + 1 < lines.count ? shown + 1 : nil
    return index.map { lines[$0] } ?? draft
  }
}
