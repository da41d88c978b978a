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

  func run() throws {
    guard !words.isEmpty else { throw UsageError(missing: "duration", of: Self.self) }
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
  static let configuration = CommandConfiguration("throttle")

  @Argument(
    help: ArgumentHelp("The interval; then deferred and first, if wanted.", valueName: "duration"))
  var words: [String] = []

  func run() throws {
    guard !words.isEmpty else { throw UsageError(missing: "duration", of: Self.self) }
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
