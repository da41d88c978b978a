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
