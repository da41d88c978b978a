import TimerBoard
import TimerKit

/// `carillon debounce` and `carillon throttle`: filters of lines.
package enum FilterCommand {
  /// Copies the last line of each burst when the input is quiet; with `leading`, the first line at once; with `both`,
  /// both lines.
  package static func debounce(_ words: [String]) throws -> Never {
    let spec = try settings("debounce", words)
    guard case .debounce(let delay, let maxWait, let edges) = spec.kind else {
      throw unexpected(spec)
    }
    try LineFilter.run(
      Debouncer<[UInt8]>(
        delay: delay, edges: edges, maxWait: maxWait, tolerance: spec.tolerance,
        queue: LineFilter.queue
      ) { _, line in LineFilter.write(line) })
  }

  /// Copies at most one line in each interval.
  package static func throttle(_ words: [String]) throws -> Never {
    let spec = try settings("throttle", words)
    guard case .throttle(let interval, let mode, let kept) = spec.kind else {
      throw unexpected(spec)
    }
    try LineFilter.run(
      Throttler<[UInt8]>(
        interval: interval, mode: mode, keeping: kept, tolerance: spec.tolerance,
        queue: LineFilter.queue
      ) { _, line in LineFilter.write(line) })
  }

  /// Parses the settings of a filter, which are those of a timer of the same kind.
  private static func settings(_ kind: String, _ words: [String]) throws -> TimerSpec {
    let specs = try TimerSpec.parse(arguments: [kind] + words)
    guard let spec = specs.first, specs.count == 1 else { throw unexpected(specs[1]) }
    if let word = word(withoutEffectIn: spec) {
      throw UsageError(
        "\(kind): '\(word)' does not apply to lines (expected one duration and its settings)")
    }
    return spec
  }

  /// Returns a word of a timer that a filter has no use for; `nil` if there is none.
  private static func word(withoutEffectIn spec: TimerSpec) -> String? {
    if spec.sound != .standard { return spec.sound.rawValue }
    if spec.command != nil { return "run" }
    if let hook = spec.hooks.first { return "on \(hook.event)" }
    if spec.note != nil { return "note" }
    if spec.group != nil { return "group" }
    return spec.countsOnlyAwake ? "awake" : nil
  }

  private static func unexpected(_ spec: TimerSpec) -> UsageError {
    UsageError("unexpected '\(spec.text)' (expected one duration and its settings)")
  }
}
