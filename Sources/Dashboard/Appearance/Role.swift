/// The purpose of a style; a theme gives each role its style.
enum Role: Int, CaseIterable {
  case text
  /// Text that does not change, or need not be read.
  case faint
  case title
  case key
  case selectionMark, selectedName
  case running, executing, paused, finished, idle, cancelled
  case bar, restingBar, finishedBar
  /// A row that calls for attention.
  case call
  /// Notices of success and of failure.
  case notice, refusal
  /// Incomplete and invalid text in a prompt.
  case hint, fault

  /// As people write it in a theme of their own: `selected-name`.
  var name: String {
    "\(self)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
