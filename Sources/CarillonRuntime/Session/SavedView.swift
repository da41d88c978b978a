import Dashboard
import TimerBoard

/// The settings of the view that were changed by keys, as they are saved with a session.
///
/// Each is saved with the value that the configuration gave it: if that has changed since, the configuration takes
/// precedence.
struct SavedView: Encodable, Hashable, Sendable {
  struct Choice: Encodable, Hashable, Sendable {
    var configured: String
    var chosen: String
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

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(choices)
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

extension SavedView: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self.init()
    try reader.beginObject()
    while let setting = try reader.nextName() { choices[setting.text] = try reader.value() }
  }
}

extension SavedView.Choice: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var (configured, chosen): (String?, String?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "configured": configured = try reader.value()
      case "chosen": chosen = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let configured, let chosen else { throw JSONReader.Invalid() }
    self.init(configured: configured, chosen: chosen)
  }
}
