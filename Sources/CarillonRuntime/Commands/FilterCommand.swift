import ArgumentParser
import TimerBoard
import TimerKit

/// `carillon debounce`: copies the last line of each burst when the input is quiet.
struct DebounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration("debounce")

  @Argument(
    help: ArgumentHelp(
      "The time without lines; then leading or both, and max with a duration.",
      valueName: "duration"))
  var words: [String] = []

  func run() throws { try LineFilter.run(Self.self, words) }
}

/// `carillon throttle`: copies at most one line in each interval.
struct ThrottleCommand: ParsableCommand {
  static let configuration = CommandConfiguration("throttle")

  @Argument(
    help: ArgumentHelp("The interval; then deferred and first, if wanted.", valueName: "duration"))
  var words: [String] = []

  func run() throws { try LineFilter.run(Self.self, words) }
}

extension LineFilter {
  /// Parses the settings of a filter, which are those of a timer of the same kind, and runs it.
  fileprivate static func run(_ command: any ParsableCommand.Type, _ words: [String]) throws {
    guard !words.isEmpty else { throw UsageError(missing: "duration", of: command) }
    let kind = command._commandName
    let specs = try TimerSpec.parse(arguments: [kind] + words)
    guard let spec = specs.first, specs.count == 1 else { throw unexpected(specs[1]) }
    if let word = spec.word(exceptFor: ["tolerance"]) {
      throw UsageError(
        "\(kind): '\(word)' does not apply to lines (expected one duration and its settings)")
    }
    guard case .triggered(let settings) = spec.kind else { throw unexpected(spec) }
    switch settings.behavior {
    case .debounce(let maxWait, let edges) where command == DebounceCommand.self:
      try run(
        Debouncer<[UInt8]>(
          delay: settings.interval, edges: edges, maxWait: maxWait, tolerance: spec.tolerance,
          queue: queue
        ) { _, line in write(line) })
    case .throttle(let mode, let kept) where command == ThrottleCommand.self:
      try run(
        Throttler<[UInt8]>(
          interval: settings.interval, mode: mode, keeping: kept, tolerance: spec.tolerance,
          queue: queue
        ) { _, line in write(line) })
    default: throw unexpected(spec)
    }
  }

  private static func unexpected(_ spec: TimerSpec) -> UsageError {
    UsageError("unexpected '\(spec.text)' (expected one duration and its settings)")
  }
}
