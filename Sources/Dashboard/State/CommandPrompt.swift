/// The prompt of the command palette: the line that is edited, and the match that was chosen.
struct CommandPrompt: Hashable, Sendable {
  var editor = LineEditor() {
    didSet {
      if editor.characters != oldValue.characters { (error, choice) = (nil, nil) }
    }
  }
  /// The error of the last attempt to run the line or a match; `nil` once the text or the choice has changed.
  var error: String?
  /// The index of the match that was chosen with a key or a click since the text last changed; `nil` if none was.
  private(set) var choice: Int?

  var text: String { editor.text }

  mutating func choose(_ index: Int) {
    choice = index
    error = nil
  }
}
