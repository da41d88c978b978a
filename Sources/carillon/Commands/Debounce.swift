import ArgumentParser
import Dashboard
import TimerKit

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
    let spec = try TimerSpec.parse(filter: "debounce", words)
    guard case .debounce(let delay, let maxWait, let edges) = spec.kind else { return }
    try LineFilter.run(
      Debouncer<[UInt8]>(
        delay: delay, edges: edges, maxWait: maxWait, tolerance: spec.tolerance,
        queue: LineFilter.queue
      ) { _, line in LineFilter.write(line) })
  }
}

extension TimerSpec {
  /// The settings of a filter: the words that a timer of that kind takes.
  static func parse(filter kind: String, _ words: [String]) throws -> TimerSpec {
    let specs = try parse(words: [kind] + words)
    guard let spec = specs.first, specs.count == 1 else {
      throw ValidationError(
        "\(kind) takes one duration: “\(specs[1].text)” is more than that.")
    }
    return spec
  }
}
