import Dashboard
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
  /// A Boolean value that indicates whether the session continues in the background when the terminal is closed.
  var detachesOnHangup = false
  var notifications = NotificationOptions()
  /// The standard maximum number of commands that run at the same time.
  static let standardCommandLimit = 8

  /// The maximum number of commands that run at the same time.
  var commandLimit = standardCommandLimit
  /// The maximum time of a command.
  var commandTimeLimit = Duration.minutes(10)
  /// The commands that run at events of any timer.
  var hooks: [Transition.Event: [String]] = [:]
  var history = HistoryOptions()
  var bindings = Bindings.standard
}

extension Configuration {
  /// The settings of new timers, with the built-in presets and those of the configuration.
  var timerDefaults: TimerDefaults {
    TimerDefaults(
      presets: .replacing(presets), countOnlyAwake: countsOnlyAwake,
      wait: !advancesAutomatically)
  }
}

extension Configuration {
  /// Returns the path of the default file, below `XDG_CONFIG_HOME` or else below `HOME`.
  static func defaultPath(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return "\(folder)/carillon/config.toml"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/carillon/config.toml"
  }

  /// Reads a configuration file: the named one, which must exist, or the default one, which may be missing.
  static func read(
    _ named: String?, environment: [String: String]
  ) throws(ConfigurationErrors) -> Configuration {
    guard let path = named ?? defaultPath(environment: environment) else { return Configuration() }
    let bytes: [UInt8]?
    do throws(FileError) {
      // A file that the user names may be a pipe, so its type, owner and permissions are not checked.
      bytes = try FileSystem().contents(of: path, forbiddenMode: named == nil ? 0o002 : 0)
    } catch {
      throw ConfigurationErrors(file: path, problem: error.reason)
    }
    if let bytes { return try Configuration(bytes, file: path) }
    guard named != nil else { return Configuration() }
    throw ConfigurationErrors(file: path, problem: "no such file")
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
  let all: [ConfigurationError]

  /// The maximum number of errors in the message, so that the first ones stay on the screen.
  private static let shownLimit = 5

  init(_ errors: [ConfigurationError]) {
    all = errors
  }

  init(file: String, problem: String) {
    all = [ConfigurationError(file: file, problem: problem)]
  }

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
