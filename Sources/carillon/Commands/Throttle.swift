import ArgumentParser
import CarillonRuntime

/// `carillon throttle`: a filter of lines.
struct Throttle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "throttle",
    abstract: "Pass on at most one line in an interval.",
    usage: "carillon throttle <duration> [deferred] [first]",
    discussion: """
      Reads lines and writes lines. The last line is never lost: what waits at the
      end of the input is passed on at once.

        carillon throttle 1s             the first at once, then each second's newest
        carillon throttle 1s deferred    a second after a line: the newest by then
        carillon throttle 1s first       each second's oldest instead

        tail -F access.log | carillon throttle 1s
      """)

  @Argument(help: ArgumentHelp("The interval, and how it is kept.", valueName: "duration"))
  var words: [String] = []

  func run() throws {
    guard !words.isEmpty else { throw MissingArgument("duration", of: Self.self) }
    try FilterCommand.throttle(words)
  }
}
