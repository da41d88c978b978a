import ArgumentParser
import CarillonRuntime

/// `carillon check`: what a file holds, or what is wrong with it.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a configuration or a session file.",
    usage: "carillon check <file>",
    discussion: """
      Prints every error with its line, its key and what was expected.

        carillon check ~/.config/carillon/config.toml
        carillon check ~/.local/state/carillon/session.json

      Exit status: 0, or 1 where something is wrong.
      """)

  @Argument(help: ArgumentHelp("The file; one that begins with { is a session.", valueName: "file"))
  var file: String?

  func run() throws {
    guard let file else { throw MissingArgument("file", of: Self.self) }
    try CheckCommand.run(file)
  }
}
