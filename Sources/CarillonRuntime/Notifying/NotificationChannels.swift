import CursesTerminal
import Platform
import TerminalCore

/// The channels for notifications in an environment.
struct NotificationChannels: Hashable, Sendable {
  var usesDesktop: Bool
  /// The sequence for the terminal; `nil` if it does not show notifications.
  var sequence: NotificationSequence?

  /// - Parameter hasProgram: Returns true if a program of that name can be run.
  init(
    _ options: NotificationOptions, environment: [String: String], hasProgram: (String) -> Bool
  ) {
    func isSet(_ name: String) -> Bool { environment.setting(name) != nil }
    let isAtDesktop =
      (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")) && !isSet("SSH_CONNECTION")
      && !isSet("SSH_TTY")
    usesDesktop =
      options.desktop == .on || (options.desktop == .auto && isAtDesktop)
      ? hasProgram("notify-send") : false
    let standard = NotificationSequence(environment: environment)
    switch options.terminal {
    case .off: sequence = nil
    case .auto: sequence = usesDesktop ? nil : standard
    case .osc9: sequence = NotificationSequence(.osc9, through: standard.multiplexer)
    case .osc777: sequence = NotificationSequence(.osc777, through: standard.multiplexer)
    }
  }

  /// Returns true if a folder of `PATH` contains a program.
  static func hasProgram(_ name: String, environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":").contains {
      access("\($0)/\(name)", X_OK) == 0
    }
  }
}
