import Platform
import TerminalCore
import TimerBoard

/// `carillon presets`: prints the presets.
package enum PresetsCommand {
  /// Prints each preset, with its timers on a line each.
  /// - Parameter configuration: The path of the configuration; `nil` for the default one.
  package static func run(configuration: String?) throws {
    try StandardStreams.check()
    let environment = ProcessInfo.processInfo.environment
    let presets = try Configuration.read(configuration, environment: environment).timerDefaults
      .presets
    try StandardStreams.write(text(of: presets))
  }

  static func text(of presets: TimerPresets) -> String {
    let names = presets.names.map { $0.printable() }
    let width = names.map(\.cellWidth).max() ?? 0
    return zip(presets.names, names).map { name, label in
      (presets[name] ?? []).enumerated().map { index, timer in
        let column = index == 0 ? label : ""
        return column.padded(to: width + 2) + timer.printable() + "\n"
      }
      .joined()
    }
    .joined()
  }
}
