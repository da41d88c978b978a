/// The timers of a text, and the ways in which the text could be meant otherwise.
package struct ParsedTimers: Hashable, Sendable {
  package private(set) var specs: [TimerSpec] = []
  /// The duration in the text that could also be meant as a time of day, such as `12:30`.
  package internal(set) var timeLikeDuration: String?
  /// The meaning of the first number without a unit, which was read as minutes.
  package internal(set) var numberInMinutes: String?
  /// A Boolean value that indicates whether the text names a preset.
  package internal(set) var usesPresets = false
  /// A Boolean value that indicates whether a timer after the first one begins without `NAME=`, so that a person may
  /// have meant fewer timers.
  package internal(set) var hasTimersWithoutPrefix = false

  /// The number of timers and their names, `2 timers: once 5m, tea`; `nil` for one timer.
  package var summary: String? {
    guard specs.count > 1 else { return nil }
    let names = specs.map { $0.name ?? $0.kindText }
    return "\(counted(specs.count, "timer")): \(names.joined(separator: ", "))"
  }

  init() {}

  /// Parses the timers of a command line, or of one text with quotes.
  /// - Parameter isOne: True for a text that must be one timer.
  package init(
    arguments: [String], isOne: Bool = false, in context: TimerContext
  ) throws(TimerSyntaxError) {
    var parser = try TimerParser(arguments: arguments, in: context)
    let specs = isOne ? [try parser.onlyTimer()] : try parser.timers()
    try parser.checkReferences(among: specs)
    self = parser.parsed
    self.specs = specs
  }
}
