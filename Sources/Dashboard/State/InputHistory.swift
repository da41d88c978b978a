/// The history of typed lines, the most recent last.
struct InputHistory: Hashable, Sendable {
  private static let limit = 100

  private var lines: [String] = []
  /// The index of the shown line; `nil` for the draft.
  private var index: Int?
  /// The text that was being typed before the history was shown.
  private var draft = ""

  /// The lines, the most recent first.
  var recent: ReversedCollection<[String]> { lines.reversed() }

  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
    reset()
  }

  /// Clears the shown line and the draft, for a new prompt.
  mutating func reset() {
    index = nil
    draft = ""
  }

  /// Returns the line before the shown one, and keeps the text as the draft if no line is shown yet; `nil` if there is
  /// none.
  mutating func older(keeping text: String) -> String? {
    if index == nil { draft = text }
    let earlier = (index ?? lines.count) - 1
    guard earlier >= 0 else { return nil }
    index = earlier
    return lines[earlier]
  }

  /// Returns the line after the shown one, or the draft after the last; `nil` if the draft is shown already.
  mutating func newer() -> String? {
    guard let shown = index else { return nil }
    index = shown + 1 < lines.count ? shown + 1 : nil
    return index.map { lines[$0] } ?? draft
  }
}
