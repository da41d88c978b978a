import ArgumentParser
import CarillonRuntime

/// `carillon debounce`: a filter of lines.
struct Debounce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "debounce",
    abstract: "Of a burst of lines, pass on the last when it is quiet.",
    usage: "carillon debounce <duration> [leading|both] [max <duration>]",
    discussion: """
      Reads lines and writes lines. The last line is never lost: what waits at the
      end of the input is passed on at once.

        carillon debounce 300ms          the last line, after 300 ms without another
        carillon debounce 300ms leading  the first of a burst, at once
        carillon debounce 300ms both     both
        carillon debounce 300ms max 2s   while they go on: one every two seconds

        inotifywait -mqr -e close_write src | carillon debounce 300ms |
          while read -r line; do make; done
      """)

  @Argument(help: ArgumentHelp("How long it must be quiet, and how.", valueName: "duration"))
  var words: [String] = []

  func run() throws {
    guard !words.isEmpty else { throw MissingArgument("duration", of: Self.self) }
    try FilterCommand.debounce(words)
  }
}
