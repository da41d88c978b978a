import Dashboard

/// The settings of the view that were changed by keys, as they are saved with a session.
///
/// Each is saved with the value that the configuration gave it: if that has changed since, the configuration takes
/// precedence.
struct SavedView: Codable, Hashable, Sendable {
  struct Choice: Codable, Hashable, Sendable {
    var configured: String
    var chosen: String
  }

  private var choices: [String: Choice]

  /// - Parameters:
  ///   - configured: The settings at the start, without any choice.
  ///   - before: The choices that were saved until now. Those of settings that cannot be changed here stay.
  init(
    of settings: [ViewSetting: String], configured: [ViewSetting: String], before: SavedView?
  ) {
    choices = before?.choices ?? [:]
    for (setting, chosen) in settings {
      guard let configured = configured[setting] else { continue }
      choices[setting.rawValue] =
        chosen == configured ? nil : Choice(configured: configured, chosen: chosen)
    }
  }

  /// Decodes the choices; none if there is an error in them, because the timers matter more.
  init(from decoder: any Decoder) throws {
    choices = (try? decoder.singleValueContainer().decode([String: Choice].self)) ?? [:]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(choices)
  }

  var isEmpty: Bool { choices.isEmpty }

  /// Returns the chosen settings, without those whose configured value has changed since.
  func settings(configured: [ViewSetting: String]) -> [ViewSetting: String] {
    configured.reduce(into: [:]) { settings, entry in
      guard let choice = choices[entry.key.rawValue], choice.configured == entry.value else {
        return
      }
      settings[entry.key] = choice.chosen
    }
  }
}
