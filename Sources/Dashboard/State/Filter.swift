/// A text that the lines of a list must contain to be shown: typed, and then kept until it is cleared.
struct Filter: Hashable, Sendable {
  var editor: LineEditor

  init(_ editor: LineEditor = LineEditor()) {
    self.editor = editor
  }

  var text: String { editor.text }
  var isEmpty: Bool { editor.characters.isEmpty }
}
