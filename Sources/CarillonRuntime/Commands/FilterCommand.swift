import ArgumentParser
import TimerBoard
import TimerKit

/// `carillon debounce`: copies the last line of each burst when the input is quiet.
struct DebounceCommand: ParsableCommand {
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
    let spec = try LineFilter.settings("debounce", words)
    guard case .triggered(let settings) = spec.kind,
      case .debounce(let maxWait, let edges) = settings.behavior
    else {
      throw LineFilter.unexpected(spec)
    }
    try LineFilter.run(
      Debouncer<[UInt8]>(
        delay: settings.interval, edges: edges, maxWait: maxWait, tolerance: spec.tolerance,
        queue: LineFilter.queue
      ) { _, line in LineFilter.write(line) })
  }
}

/// `carillon throttle`: copies at most one line in each interval.
struct ThrottleCommand: ParsableCommand {
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
    let spec = try LineFilter.settings("throttle", words)
    guard case .triggered(let settings) = spec.kind,
      case .throttle(let mode, let kept) = settings.behavior
    else {
      throw LineFilter.unexpected(spec)
    }
    try LineFilter.run(
      Throttler<[UInt8]>(
        interval: settings.interval, mode: mode, keeping: kept, tolerance: spec.tolerance,
        queue: LineFilter.queue
      ) { _, line in LineFilter.write(line) })
  }
}

extension LineFilter {
  /// Parses the settings of a filter, which are those of a timer of the same kind.
  fileprivate static func settings(_ kind: String, _ words: [String]) throws -> TimerSpec {
    let specs = try TimerSpec.parse(arguments: [kind] + words)
    guard let spec = specs.first, specs.count == 1 else { throw unexpected(specs[1]) }
    if let word = spec.word(exceptFor: ["tolerance"]) {
      throw UsageError(
        "\(kind): '\(word)' does not apply to lines (expected one duration and its settings)")
    }
    return spec
  }

  fileprivate static func unexpected(_ spec: TimerSpec) -> UsageError {
    UsageError("unexpected '\(spec.text)' (expected one duration and its settings)")
  }
}
