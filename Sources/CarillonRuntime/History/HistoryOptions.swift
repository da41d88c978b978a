/// The settings of the history.
struct HistoryOptions: Hashable, Sendable {
  var isEnabled = true
  /// The number of days for which the history is kept; `nil` for ever.
  var days: Int?
  /// Notes and commands can be private, so they are left out by default.
  var recordsNotes = false
  var recordsCommands = false

  mutating func read(_ table: ConfigurationTable) {
    isEnabled = table.bool("enabled") ?? isEnabled
    days = table.count("keep-days") ?? days
    recordsNotes = table.bool("notes") ?? recordsNotes
    recordsCommands = table.bool("commands") ?? recordsCommands
  }
}
