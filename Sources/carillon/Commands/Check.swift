import ArgumentParser
import CarillonRuntime

/// `carillon check`: checks a configuration or session file.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a configuration or a session file.",
    usage: "carillon check <file>",
    discussion: """
      Prints every error; those of a configuration with the line, the key and the
      expected value.

        carillon check ~/.config/carillon/config.toml
        carillon check ~/.local/state/carillon/sessions/main.json

      Exit status: 0 no errors, 1 errors, 2 usage error.
      """)

  @Argument(
    help: ArgumentHelp(
      "A session file, which begins with {, or a configuration.", valueName: "file"))
  var file: String?

  func run() throws {
    guard let file else { throw MissingArgument("file", of: Self.self) }
    try CheckCommand.run(file)
  }
}
