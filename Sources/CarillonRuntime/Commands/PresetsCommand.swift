import ArgumentParser
import TimerBoard

/// `carillon presets`: prints each preset, with its timers on a line each.
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration("presets")

  @OptionGroup var file: ConfigurationOptions

  func run() throws {
    try StandardStreams.check()
    let configuration = try Configuration.read(file.config)
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
