import CursesTerminal
import Platform
import TerminalCore

/// The channels for notifications in an environment.
struct NotificationChannels: Hashable, Sendable {
  /// The program for the desktop; `nil` if the desktop gets none.
  var desktop: DesktopNotifier?
  /// The sequence for the terminal; `nil` if it gets none.
  var sequence: NotificationSequence?

  /// - Parameter hasProgram: Returns true if a program of that name can be run.
  init(
    _ options: NotificationOptions, on system: DesktopNotifier.System,
    environment: [String: String], hasProgram: (String) -> Bool
  ) {
    desktop = DesktopNotifier(
      options.desktop, on: system, environment: environment, hasProgram: hasProgram)
    let standard = NotificationSequence(environment: environment)
    switch options.terminal {
    case .off: sequence = nil
    case .auto: sequence = desktop == nil ? standard : nil
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
