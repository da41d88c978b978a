import ArgumentParser
import CarillonRuntime

/// `carillon debounce`: a filter of lines.
struct Debounce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "debounce",
    abstract: "Pass on the last line of a burst when the input is quiet.",
    usage: "carillon debounce <duration> [leading|both] [max <duration>]",
    discussion: """
      Reads lines and writes lines. Except with leading, the last line is never
      lost: at the end of the input a waiting line is passed on at once.

        carillon debounce 300ms          the last line, after 300 ms without another
        carillon debounce 300ms leading  the first line of a burst, at once
        carillon debounce 300ms both     the first and the last
        carillon debounce 300ms max 2s   at least every two seconds in a burst

        inotifywait -mqr -e close_write src | carillon debounce 300ms |
          while read -r line; do make; done
      """)

  @Argument(
    help: ArgumentHelp(
      "The time without lines; then leading or both, and max with a duration.",
      valueName: "duration"))
  var words: [String] = []

  func run() throws {
    guard !words.isEmpty else { throw MissingArgument("duration", of: Self.self) }
    try FilterCommand.debounce(words)
  }
}
