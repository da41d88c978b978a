import Dashboard
import TimerKit

/// The settings of a person: what a configuration file holds.
struct Configuration: Sendable {
  /// The timers to start with where there is no session yet.
  var timers: [String] = []
  /// The timers of each preset by its name: `carillon @pomodoro`.
  var presets: [String: [String]] = [:]
  /// The fate of timers while carillon is not running.
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
  /// The number of commands that run at once.
  var commandLimit = CommandRunner.defaultLimit
  /// The time that a command may take.
  var commandTime = Duration.minutes(10)
  var bindings = Bindings.standard
}

extension Configuration {
  /// Sets the options that do not depend on the terminal.
  func set(_ options: inout DisplayOptions) {
    options.showsTenths = showsTenths
    options.showsClock = showsClock
    options.reducesMotion = reducesMotion
    options.theme = theme
    options.ownThemes = ownThemes
    options.digitStyle = digitStyle
    options.isMuted = isMuted
  }
}
