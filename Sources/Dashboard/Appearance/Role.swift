/// The purpose of a style; a theme gives each role its style.
enum Role: Int, CaseIterable {
  case text
  /// Text of less importance.
  case faint
  case title
  case key
  /// The symbols before a selected and a marked row.
  case rowSymbol
  case selectedName
  /// The line of the selected row, and of a marked row; a text on it can keep its own color.
  case selectedRow, markedRow
  /// The time left, and the last ten seconds of it.
  case time, urgent
  case running, executing, paused, finished, idle, cancelled
  case bar, pausedBar, finishedBar
  /// The phases of a cycle, alternating.
  case work, rest
  /// The part of a bar that is not filled.
  case track
  /// A row that needs attention.
  case alert
  /// Notices of success and of failure.
  case success, failure
  /// The message about an incomplete and about an invalid text in a prompt.
  case incomplete, error

  /// The style of fires and results in the lab, and of warnings, which have none of their own.
  static let good = Role.bar
  static let warning = Role.paused

  /// The name of the role in the configuration: `selected-name`.
  var name: String {
    "\(self)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
