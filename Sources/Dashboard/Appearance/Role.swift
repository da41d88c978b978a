/// The purpose of a style; a theme gives each role its style.
enum Role: Int, CaseIterable {
  case text
  /// Text of less importance.
  case faint
  case title
  case key
  case selectionMark, selectedName
  case running, executing, paused, finished, idle, cancelled
  case bar, restingBar, finishedBar
  /// A row that needs attention.
  case call
  /// Notices of success and of failure.
  case notice, refusal
  /// Incomplete and invalid text in a prompt.
  case hint, fault

  /// The name of the role in the configuration: `selected-name`.
  var name: String {
    "\(self)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
