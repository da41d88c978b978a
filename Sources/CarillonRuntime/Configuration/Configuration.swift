import Dashboard
import TimerBoard
import TimerKit

/// What a person has set once and for all.
struct Configuration: Sendable {
  /// To start with where there is no session yet.
  var timers: [String] = []
  /// Timers by a name: `carillon @pomodoro`.
  var presets: [String: [String]] = [:]
  /// What becomes of timers while nobody runs them.
  var resumption = RestorePolicy.catchUp
  var showsTenths = false
  var showsClock = true
  var reducesMotion = false
  var theme = Theme.standard
  var ownThemes: [Theme] = []
  var digitStyle = DigitStyle.block
  var usesMouse = true
  var isMuted = false
  var notifications = NotificationOptions()
  /// How many commands run at once, and how long each may take.
  var commandLimit = CommandRunner.usualLimit
  var commandTime = Duration.minutes(10)
  var bindings = Bindings.standard
}

extension Configuration {
  /// Sets what the terminal leaves open.
  func set(_ options: inout DisplayOptions) {
    options.showsTenths = showsTenths
    options.showsClock = showsClock
    options.reducesMotion = reducesMotion
    options.theme = theme
    options.ownThemes = ownThemes
    options.digitStyle = digitStyle
    options.isMuted = isMuted
  }

  /// Reads one, and everything in it: what is wrong anywhere is wrong at once.
  init(_ source: ConfigurationSource) throws(ConfigurationFault) {
    try self.init(root: try source.table())
  }

  init(root: ConfigurationTable) throws(ConfigurationFault) {
    try root.check(
      known: ["timers", "resume", "presets", "display", "notify", "commands", "themes", "keys"])
    timers = try root.strings("timers") ?? []
    try Self.checkTimers(timers, "timers", in: root)
    resumption =
      try root.choice("resume", of: ["clock", "frozen"]) == "frozen" ? .keepTimeLeft : .catchUp
    if let table = try root.table("presets") {
      for name in table.keys {
        let texts = try table.strings(name) ?? []
        try Self.checkTimers(texts, name, in: table)
        presets[name] = texts
      }
    }
    try readThemes(root)
    if let table = try root.table("display") { try readDisplay(table) }
    if let table = try root.table("notify") {
      isMuted = try table.bool("mute") ?? false
      notifications = try NotificationOptions(table)
    }
    if let table = try root.table("commands") {
      try table.check(known: ["at-once", "time"])
      commandLimit = try table.count("at-once") ?? commandLimit
      commandTime = try table.duration("time") ?? commandTime
    }
    if let table = try root.table("keys") { try readKeys(table) }
  }

  private static func checkTimers(
    _ texts: [String], _ key: String, in table: ConfigurationTable
  ) throws(ConfigurationFault) {
    guard !texts.isEmpty else { return }
    do {
      _ = try TimerSpec.parse(line: texts.joined(separator: "\n"))
    } catch {
      throw table.fault(key, error.description)
    }
  }

  private mutating func readThemes(_ root: ConfigurationTable) throws(ConfigurationFault) {
    guard let table = try root.table("themes") else { return }
    for name in table.keys {
      guard let own = try table.table(name) else { continue }
      let base = try own.choice("base", of: Theme.all.map(\.name)) ?? Theme.standard.name
      var styles: [String: String] = [:]
      for key in own.keys where key != "base" { styles[key] = try own.string(key) }
      do {
        ownThemes.append(
          try Theme(
            name: name, basedOn: Theme.all.first { $0.name == base } ?? .standard, styles: styles))
      } catch {
        throw own.fault(error.key, error.description)
      }
    }
  }

  private mutating func readDisplay(
    _ table: ConfigurationTable
  ) throws(ConfigurationFault) {
    try table.check(known: ["theme", "tenths", "clock", "motion", "digits", "mouse"])
    let themes = Theme.all + ownThemes
    if let name = try table.choice("theme", of: themes.map(\.name)) {
      theme = themes.first { $0.name == name } ?? theme
    }
    showsTenths = try table.bool("tenths") ?? showsTenths
    showsClock = try table.bool("clock") ?? showsClock
    reducesMotion = try table.bool("motion").map { !$0 } ?? reducesMotion
    usesMouse = try table.bool("mouse") ?? usesMouse
    if let name = try table.choice("digits", of: DigitStyle.allCases.map(\.rawValue)) {
      digitStyle = DigitStyle(rawValue: name) ?? digitStyle
    }
  }

  /// All at once: what is bound twice, as `Up` and as `up`, is seen only beside the others.
  private mutating func readKeys(_ table: ConfigurationTable) throws(ConfigurationFault) {
    var overrides: [KeyOverride] = []
    for scope in table.keys {
      guard let keys = try table.table(scope) else { continue }
      for key in keys.keys {
        guard let action = try keys.string(key) else { continue }
        overrides.append(KeyOverride(scope: scope, key: key, action: action))
      }
    }
    do {
      bindings = try bindings.rebound(overrides)
    } catch {
      throw try table.table(error.override.scope)?.fault(error.override.key, error.description)
        ?? table.fault(error.override.scope, error.description)
    }
  }
}
