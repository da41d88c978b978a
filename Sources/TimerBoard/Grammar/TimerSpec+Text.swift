import TimerKit

extension TimerSpec {
  /// Parses the timers of a command line, whose quotes the shell has removed: an argument with spaces is
  /// several words, except the text after `note`, `run`, `sound`, `then` and `group`.
  package static func parse(
    arguments: [String], in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    try ParsedTimers(arguments: arguments, in: context).specs
  }

  /// Parses the timers of a text with quotes; line breaks are spaces.
  package static func parse(
    line: String, in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    try ParsedTimers(arguments: [line], in: context).specs
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
    return name.map { "\(Token.quoting($0, if: Word.isReserved($0)))=\(text)" } ?? text
  }

  /// A Boolean value that indicates whether the text parses as the same timer. The text of a timer that was not
  /// parsed may not: an empty name, for example, is a syntax error.
  package var roundTripsAsText: Bool {
    (try? TimerSpec.parse(timer: text, in: .trusted)) == self
  }

  /// The name in commands and in output: the timer's own, or else its kind and settings in the grammar: `every 45s`.
  package var title: String { name ?? kind.family.text }

  /// The kind and its settings as a board shows them: `once 3m`, `every 45s ×8`.
  package var kindText: String { kind.family.label }
}
