/// The purpose of a style; a theme gives each role its style.
package enum Role: Int, CaseIterable, Sendable {
  case text
  /// Text of less importance.
  case faint
  case title
  /// A key, and what stands out like one, such as the arrow of the sorted column.
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
  /// The time that counts up: that of a stopwatch with its laps, and overtime.
  case elapsed
  /// The part of a bar that is not filled.
  case track
  /// A row that needs attention.
  case alert
  /// Notices of success and of failure.
  case success, failure
  /// The message about an incomplete and about an invalid text in a prompt.
  case incomplete, error

  // Purposes that share the style of another one.
  /// The mark of a fire or of a delivered value in a lane of the lab, and a good value in a table.
  package static let good = Role.bar
  /// A late or missed fire, or a back-off.
  static let warning = Role.paused
  /// A label or a time that stands out from the text beside it.
  static let emphasized = Role.selectedName

  /// The name of the role in the configuration: `selected-name`.
  var name: String { Self.names[rawValue] }

  private static let names = allCases.map { role in
    "\(role)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
