/// A text that lines of a list must have in them to be seen: typed, and then kept until it is dropped.
struct Filter: Hashable, Sendable {
  var editor = LineEditor()
  var isTyping = false

  var text: String { editor.text }
  var isEmpty: Bool { editor.characters.isEmpty }
}
