/// The filter of a list: only lines that match its text are shown.
struct Filter: Hashable, Sendable {
  var editor: LineEditor

  init(_ editor: LineEditor = LineEditor()) {
    self.editor = editor
  }

  var text: String { editor.text }
  var isEmpty: Bool { editor.characters.isEmpty }
}
