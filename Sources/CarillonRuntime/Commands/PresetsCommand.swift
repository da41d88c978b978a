import ArgumentParser
import Platform
import TerminalCore
import TimerBoard

/// `carillon presets`: prints each preset, with its timers on a line each.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration("presets")

  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the default one.", valueName: "file"))
  var config: String?

  func run() throws {
    try StandardStreams.check()
    let environment = ProcessInfo.processInfo.environment
    let presets = try Configuration.read(config, environment: environment).timerDefaults
      .presets
    try StandardStreams.write(Self.text(of: presets))
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
