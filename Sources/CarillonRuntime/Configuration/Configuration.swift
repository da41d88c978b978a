import Dashboard
import Platform
import TimerBoard
import TimerKit

/// The contents of a configuration file.
struct Configuration: Sendable {
  /// The timers to start if there is no session yet or `--fresh` ignores it, and the command line has no timers.
  var timers: [String] = []
  /// The timers of each preset by its name, in addition to the built-in ones or in their place.
  var presets: [String: [String]] = [:]
  /// The policy for timers while carillon is not running.
  var restorePolicy = RestorePolicy.catchUp
  /// A Boolean value that indicates whether new timers count only while the machine is awake.
  var countsOnlyAwake = false
  /// A Boolean value that indicates whether the phases of new cycles, and timers after `then`, begin by themselves.
  var advancesAutomatically = true
  var display = DisplayOptions()
  var usesMouse = true
  /// A Boolean value that indicates whether the title of the terminal's window shows the next end.
  var setsTitle = true
  /// A Boolean value that indicates whether the session continues in the background when the terminal is closed.
  var detachesOnHangup = false
  var notifications = NotificationOptions()
  /// The standard maximum number of commands that run at the same time.
  static let standardCommandLimit = 8

  /// The maximum number of commands that run at the same time.
  var commandLimit = standardCommandLimit
  /// The maximum time of a command; `nil` for none.
  var commandTimeLimit: Duration? = .minutes(10)
  /// The commands that run at events of any timer.
  var hooks: [Transition.Event: [String]] = [:]
  var history = HistoryOptions()
  var bindings = Bindings.standard

  /// The settings of new timers, with the built-in presets and those of the configuration.
  var timerDefaults: TimerDefaults {
    TimerDefaults(
      presets: .replacing(presets), countOnlyAwake: countsOnlyAwake,
      wait: !advancesAutomatically, soundCheck: .ofSystem)
  }

  /// The configuration of `carillon run`: new timers are as configured, but there are no hooks, no notifications, and no
  /// time limit of commands.
  var settingsOfTimers: Configuration {
    var settings = Configuration()
    settings.presets = presets
    settings.countsOnlyAwake = countsOnlyAwake
    settings.advancesAutomatically = advancesAutomatically
    settings.commandTimeLimit = nil
    settings.display.isMuted = true
    settings.notifications.events = []
    return settings
  }

  /// The permission bits that make the default file untrustworthy.
  static let forbiddenMode: mode_t = 0o002

  /// Returns the path of the default file, below `XDG_CONFIG_HOME` or else below `HOME`; `nil` without either.
  static func defaultPath(environment: [String: String]) -> String? {
    environment.folder("XDG_CONFIG_HOME", inHome: ".config").map { "\($0)/config.toml" }
  }

  /// Reads a configuration file: the named one, which must exist, or the default one, which may be missing.
  static func read(
    _ named: String?, environment: [String: String] = Program.environment
  ) throws(ConfigurationErrors) -> Configuration {
    guard let path = named ?? defaultPath(environment: environment) else { return Configuration() }
    let bytes: [UInt8]?
    do throws(FileError) {
      // A file that the user names may be a pipe, so its type, owner and permissions are not checked.
      bytes = try FileSystem().contents(
        of: path, forbiddenMode: named == nil ? Self.forbiddenMode : 0)
    } catch {
      throw ConfigurationErrors(all: [ConfigurationError(file: path, problem: error.reason)])
    }
    if let bytes { return try Configuration(bytes, file: path) }
    guard named != nil else { return Configuration() }
    throw ConfigurationErrors(all: [ConfigurationError(file: path, problem: "no such file")])
  }
}

extension Configuration {
  /// Creates a configuration from the contents of a file.
  /// - Throws: All errors of the file.
  init(_ bytes: [UInt8], file: String) throws(ConfigurationErrors) {
    let errors = ConfigurationTable.read(bytes, file: file) { readSettings($0) }
    guard errors.isEmpty else { throw ConfigurationErrors(all: errors) }
  }

  private mutating func readSettings(_ root: ConfigurationTable) {
    restorePolicy =
      root.choice("resume", of: [.catchUp, .keepTimeLeft]) { $0 == .catchUp ? "clock" : "frozen" }
      ?? restorePolicy
    countsOnlyAwake =
      root.choice("clock", of: [false, true]) { $0 ? "awake" : "always" } ?? countsOnlyAwake
    advancesAutomatically = root.bool("auto-advance") ?? advancesAutomatically
    detachesOnHangup =
      root.choice("on-hangup", of: [true, false]) { $0 ? "detach" : "quit" } ?? detachesOnHangup
    root.table("presets") { table in
      for name in table.allKeys { presets[name] = Self.timers(name, of: table, .builtIn) }
    }
    timers = Self.timers("timers", of: root, .replacing(presets))
    // Before the table 'display', which can select one of these themes.
    root.table("themes") { table in
      for name in table.allKeys {
        table.table(name) { display.customThemes.append(Self.theme(named: name, $0)) }
      }
    }
    root.table("display") { readDisplay($0) }
    root.table("notify") { table in
      display.isMuted = table.bool("mute") ?? display.isMuted
      notifications.read(table)
    }
    root.table("commands") { table in
      commandLimit = table.count("at-once") ?? commandLimit
      commandTimeLimit = table.duration("time-limit") ?? commandTimeLimit
    }
    root.table("hooks") { table in
      for event in Transition.Event.allCases {
        hooks[event] = table.strings(event.rawValue)
      }
    }
    root.table("history") { history.read($0) }
    root.table("keys") { readKeys($0) }
  }

  /// Returns the texts of timers, and reports each invalid one.
  private static func timers(
    _ key: String, of table: ConfigurationTable, _ presets: TimerPresets
  ) -> [String] {
    guard let texts = table.strings(key), !texts.isEmpty else { return [] }
    // The context has no time, so that a date that has passed since the file was written is no error.
    var context = TimerContext(defaults: TimerDefaults(presets: presets, soundCheck: .ofSystem))
    do {
      _ = try TimerSpec.parse(entries: texts, in: context)
    } catch {
      // Parse each timer separately to report all errors. It may refer to the names of the others.
      context.names = texts.compactMap { $0.split(separator: "=").first.map(String.init) }
      var hasError = false
      for text in texts {
        do throws(TimerSyntaxError) {
          _ = try TimerSpec.parse(arguments: [text], in: context)
        } catch {
          table.reportError(key, error.description)
          hasError = true
        }
      }
      if !hasError { table.reportError(key, error.description) }
    }
    return texts
  }

  private static func theme(named name: String, _ table: ConfigurationTable) -> Theme {
    var theme = table.choice("base", of: Theme.all, named: \.name) ?? .standard
    // Apply one style at a time, so that all errors are reported. The empty style sets the name.
    let styles = table.allKeys.filter { $0 != "base" }.compactMap { key in
      table.string(key).map { [key: $0] }
    }
    for style in [[:]] + styles {
      do {
        theme = try Theme(name: name, basedOn: theme, styles: style)
      } catch {
        table.reportError(error.key, error.description)
      }
    }
    return theme
  }

  private mutating func readDisplay(_ table: ConfigurationTable) {
    display.theme =
      table.choice("theme", of: Theme.all + display.customThemes, named: \.name) ?? display.theme
    display.showsTenths = table.bool("tenths") ?? display.showsTenths
    display.showsClock = table.bool("clock") ?? display.showsClock
    display.reducesMotion = table.bool("motion").map { !$0 } ?? display.reducesMotion
    display.boardLayout =
      table.choice("layout", of: BoardLayout.allCases, named: \.rawValue) ?? display.boardLayout
    usesMouse = table.bool("mouse") ?? usesMouse
    setsTitle = table.bool("title") ?? setsTitle
  }

  private mutating func readKeys(_ table: ConfigurationTable) {
    var overrides: [KeyOverride] = []
    var tables: [String: ConfigurationTable] = [:]
    for scope in table.allKeys {
      table.table(scope) { keys in
        tables[scope] = keys
        overrides += keys.allKeys.compactMap { key in
          keys.string(key).map { KeyOverride(scope: scope, key: key, action: $0) }
        }
      }
    }
    // Whether a key is bound twice, such as 'Up' and 'up', depends on the other overrides. So after each error,
    // remove its override and try the rest again.
    while true {
      do {
        bindings = try Bindings.standard.rebound(overrides)
        return
      } catch {
        let override = error.override
        tables[override.scope]?.reportError(override.key, error.description)
        overrides.removeAll { $0 == override }
      }
    }
  }
}

/// An error of a configuration.
struct ConfigurationError: Hashable, CustomStringConvertible, Sendable {
  var file: String
  /// The line of a syntax error; `nil` for other errors, which have a key, and errors of the whole file.
  var line: Int?
  /// The key and its tables, separated by dots.
  var key = ""
  var problem: String

  var description: String {
    let location = line.map { "\(file):\($0)" } ?? file
    return key.isEmpty ? "\(location): \(problem)" : "\(location): \(key): \(problem)"
  }
}

/// All errors of a configuration.
struct ConfigurationErrors: ProgramError {
  var all: [ConfigurationError]

  /// The maximum number of errors in the message, so that the first ones stay on the screen.
  private static let shownLimit = 5

  var exitStatus: Int32 { ExitStatus.usageError }

  var description: String { lines.asDiagnostics }

  /// The message in lines.
  var lines: [String] {
    var lines = all.prefix(Self.shownLimit).map(\.description)
    if let file = all.first?.file, all.count > Self.shownLimit {
      let rest = counted(all.count - Self.shownLimit, "more error")
      lines.append("\(file): \(rest) (carillon check \(file) lists all)")
    }
    return lines
  }
}

extension [String] {
  /// The lines as one message for ``Program/warn(_:)``, which adds the program's name before the first line; the other
  /// lines begin with it here.
  var asDiagnostics: String { joined(separator: "\ncarillon: ") }
}

/// The settings of the history.
struct HistoryOptions: Hashable, Sendable {
  var isEnabled = true
  /// The number of days for which the history is kept; `nil` for ever.
  var days: Int?
  /// The time of each day that the history shows as its goal; `nil` for none.
  var goal: Duration?
  /// Notes and commands can be private, so they are left out by default.
  var recordsNotes = false
  var recordsCommands = false

  mutating func read(_ table: ConfigurationTable) {
    isEnabled = table.bool("enabled") ?? isEnabled
    days = table.count("keep-days") ?? days
    goal = table.duration("goal") ?? goal
    recordsNotes = table.bool("notes") ?? recordsNotes
    recordsCommands = table.bool("commands") ?? recordsCommands
  }
}
