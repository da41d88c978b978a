import ArgumentParser
import CarillonRuntime

/// `carillon throttle`: a filter of lines.
struct Throttle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "throttle",
    abstract: "Pass on at most one line per interval.",
    usage: "carillon throttle <duration> [deferred] [first]",
    discussion: """
      Reads lines and writes lines. Except with first, the last line is never lost:
      at the end of the input a waiting line is passed on at once.

        carillon throttle 1s             the first, then the newest of each second
        carillon throttle 1s deferred    one second after a line: the newest
        carillon throttle 1s first       the oldest of each second

        tail -F access.log | carillon throttle 1s
      """)

  @Argument(
    help: ArgumentHelp("The interval; then deferred and first, if wanted.", valueName: "duration"))
  var words: [String] = []

  func run() throws {
    guard !words.isEmpty else { throw MissingArgument("duration", of: Self.self) }
    try FilterCommand.throttle(words)
  }
}
