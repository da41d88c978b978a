import CursesTerminal
import Platform
import TerminalCore

/// Where notifications go in the surroundings that a process has.
struct NotificationChannels: Hashable, Sendable {
  var usesDesktop: Bool
  /// What the terminal gets; `nil` for nothing.
  var sequence: NotificationSequence?

  /// - Parameter hasProgram: whether there is a program of that name to run.
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
    let usual = NotificationSequence(environment: environment)
    switch options.terminal {
    case .off: sequence = nil
    case .auto: sequence = usesDesktop ? nil : usual
    case .osc9: sequence = NotificationSequence(.osc9, through: usual.multiplexer)
    case .osc777: sequence = NotificationSequence(.osc777, through: usual.multiplexer)
    }
  }

  /// Whether a folder of `PATH` has it.
  static func hasProgram(_ name: String, environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":").contains {
      access("\($0)/\(name)", X_OK) == 0
    }
  }
}
