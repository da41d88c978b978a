/// What a style is for; a theme gives each its look.
enum Role: Int, CaseIterable {
  case text
  /// What does not change, and what one need not read.
  case faint
  case title
  case key
  case selectionMark, selectedName
  case running, executing, paused, finished, idle, cancelled
  case bar, restingBar, finishedBar
  /// A row that calls for attention.
  case call
  /// What was done, and what could not be.
  case notice, refusal
  /// What is missing in a prompt, and what is wrong in it.
  case hint, fault

  /// As people write it in a theme of their own: `selected-name`.
  var name: String {
    "\(self)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
