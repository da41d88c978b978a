extension TimerSpec {
  /// Parses the timers of a command line, whose quotes the shell has removed: an argument with spaces is
  /// several words, except the text after `note`, `run`, `sound`, `then` and `group`. A single argument can also be a
  /// text with quotes; its line breaks are spaces.
  package static func parse(
    arguments: [String], in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    try ParsedTimers(arguments: arguments, in: context).specs
  }

  /// Parses the timers of several texts, such as those of a preset. No timer takes words of two texts, and `then`
  /// can name the timers of all.
  package static func parse(
    entries: [String], in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    var specs: [TimerSpec] = []
    var references: [TimerParser] = []
    for entry in entries {
      var parser = try TimerParser(arguments: [entry], in: context)
      specs += try parser.timers()
      if !parser.references.isEmpty { references.append(parser) }
    }
    for var parser in references { try parser.checkReferences(among: specs) }
    return specs
  }

  /// Parses a text that is one timer.
  package static func parse(
    timer line: String, in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> TimerSpec {
    try ParsedTimers(arguments: [line], isOne: true, in: context).specs[0]
  }

  /// The timer in the grammar. The text of a timer that was parsed parses as the same timer.
  package var text: String {
    let words = [kind.family.text] + Word.all.compactMap { $0.text(self) }
    let text = words.joined(separator: " ")
    return name.map { "\(Self.quoting($0))=\(text)" } ?? text
  }

  /// Returns a name in quotes if it is a keyword, or could be taken for a reference such as `#3`.
  private static func quoting(_ name: String) -> String {
    Token.quoting(name, if: Word.isReserved(name) || TimerID(reference: name) != nil)
  }

  /// A Boolean value that indicates whether the text parses as the same timer. The text of a timer that was not
  /// parsed may not: an empty name, for example, is a syntax error.
  package var roundTripsAsText: Bool { (try? TimerSpec.parse(timer: text, in: .trusted)) == self }

  /// Returns the problem of a name that no line of a board or of a command's output can show; `nil` if there is none.
  package static func problem(ofName name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.contains(where: {
      $0.properties.generalCategory == .lineSeparator
        || "\n\r\u{0B}\u{0C}\u{85}\u{2029}".unicodeScalars.contains($0)
    }) {
      return "invalid name (expected one without a line break)"
    }
    guard scalars.allSatisfy(\.isWhitespace) else { return nil }
    return "invalid name '\(name)' (expected one that is not blank)"
  }

  /// The name in commands and in output: the timer's own, or else its kind and settings in the grammar: `every 45s`.
  package var title: String { name ?? kind.family.text }

  /// The kind and its settings as a board shows them: `once 3m`, `every 45s ×8`.
  package var kindText: String { kind.family.label }
}

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
