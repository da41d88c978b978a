/// The prompt of the command palette: the line that is edited, and the match that was chosen.
struct CommandPrompt: Hashable, Sendable {
  private(set) var editor = LineEditor()
  /// The error of the last attempt to run the line or a match; `nil` once the text or the choice has changed.
  var error: String?
  /// The index of the match that was chosen with a key or a click since the text last changed; `nil` if none was.
  private(set) var choice: Int?

  var text: String { editor.text }

  mutating func insert(_ text: String) {
    editor.insert(text)
    changed()
  }

  mutating func perform(_ action: Action) {
    let before = editor.characters
    if editor.perform(action), editor.characters != before { changed() }
  }

  mutating func replace(with text: String) {
    editor = LineEditor(text)
    changed()
  }

  mutating func choose(_ index: Int) {
    choice = index
    error = nil
  }

  private mutating func changed() {
    error = nil
    choice = nil
  }
}
