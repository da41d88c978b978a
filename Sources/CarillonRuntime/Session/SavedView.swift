import Dashboard
import TimerBoard

/// The settings of the view that were changed by keys, as they are saved with a session.
///
/// Each is saved with the value that the configuration gave it: if that has changed since, the configuration takes
/// precedence.
struct SavedView: Hashable, Sendable {
  struct Choice: JSONFields, Hashable, Sendable {
    var configured = ""
    var chosen = ""

    mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
      try field("configured", &configured)
      try field("chosen", &chosen)
    }
  }

  private var choices: [String: Choice]

  /// - Parameters:
  ///   - configured: The settings at the start, without any choice.
  ///   - before: The choices that were saved until now. Those of settings that cannot be changed here stay.
  init(
    of settings: [DashboardSetting: String], configured: [DashboardSetting: String],
    before: SavedView?
  ) {
    choices = before?.choices ?? [:]
    for (setting, chosen) in settings {
      guard let configured = configured[setting] else { continue }
      choices[setting.rawValue] =
        chosen == configured ? nil : Choice(configured: configured, chosen: chosen)
    }
  }

  /// Creates a view without choices.
  init() {
    choices = [:]
  }

  var isEmpty: Bool { choices.isEmpty }

  /// Returns the chosen settings, without those whose configured value has changed since.
  func settings(configured: [DashboardSetting: String]) -> [DashboardSetting: String] {
    configured.reduce(into: [:]) { settings, entry in
      guard let choice = choices[entry.key.rawValue], choice.configured == entry.value else {
        return
      }
      settings[entry.key] = choice.chosen
    }
  }
}

extension SavedView: JSONReadable, JSONWritable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    choices = try reader.value()
  }

  func write(to writer: inout JSONWriter) { choices.write(to: &writer) }
}
