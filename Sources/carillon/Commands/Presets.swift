import ArgumentParser
import CarillonRuntime

/// `carillon presets`: prints the presets.
struct Presets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "Print the presets.",
    discussion: """
      A preset is one or several timers under a name, such as pomodoro or tabata.

        carillon pomodoro         start it; @pomodoro is the same
        carillon run tabata x4    with another number of rounds
        carillon focus=52/17      with another name

      The table [presets] of the configuration adds presets and replaces the
      built-in ones; an empty list removes one.
      """)

  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the default one.", valueName: "file"))
  var config: String?

  func run() throws {
    try PresetsCommand.run(configuration: config)
  }
}
