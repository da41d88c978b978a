import ArgumentParser
import Platform
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
    let configuration = try Configuration.read(config)
    try StandardStreams.write(Self.text(of: configuration.timerDefaults.presets))
  }

  static func text(of presets: TimerPresets) -> String {
    presets.names.flatMap { name in
      (presets[name] ?? []).enumerated().map { index, timer in
        [index == 0 ? name.printable() : "", timer.printable()]
      }
    }
    .inColumns()
  }
}
