/// The command line while it is edited: the name of an action and its argument.
struct CommandPrompt: Hashable, Sendable {
  private(set) var editor = LineEditor()
  /// The error of the last attempt to run it.
  var fault: String?
  /// The text whose completions are shown in turn, and the index of the current one.
  private var cycleStem: String?
  private var cycleIndex = 0

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

  /// The text to complete: the current one, or the one before a completion was shown.
  var stem: String { cycleStem ?? text }
  var completionIndex: Int? { cycleStem == nil ? nil : cycleIndex }

  /// Inserts the common prefix of the completions; if that is there already, the next completion.
  mutating func complete(with completions: [String]) {
    let stem = stem
    let start = stem.lastIndex(of: " ").map { stem.index(after: $0) } ?? stem.startIndex
    let head = String(stem[..<start])
    guard let first = completions.first else { return }
    let common = completions.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if completions.count == 1 {
      replace(with: head + first + " ")
    } else if cycleStem == nil, head + common != stem {
      replace(with: head + common)
    } else {
      let index = cycleStem == nil ? 0 : (cycleIndex + 1) % completions.count
      editor = LineEditor(head + completions[index])
      fault = nil
      (cycleStem, cycleIndex) = (stem, index)
    }
  }

  private mutating func changed() {
    fault = nil
    cycleStem = nil
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
