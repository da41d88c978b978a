/// An error in the text of timers, with its position.
package struct TimerSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case empty
    case duration(DurationSyntaxError.Problem)
    /// A word that begins no timer.
    case timerExpected(found: String, Hint?)
    /// A name that no timer follows.
    case timerMissing(name: String)
    case durationMissing(after: String)
    /// A word after another one that needs a duration.
    case durationExpected(found: String, after: String)
    /// A slash of a cycle without a phase before or after it.
    case phaseMissing
    /// A part of the days after `every` that is not a day; empty if there is none.
    case dayExpected(found: String, nearest: String?)
    case wallTime(WallTimeSyntaxError.Problem)
    case timeMissing(after: String)
    /// A word where a time of day belongs.
    case timeExpected(found: String, after: String)
    /// `expected` has the words that the timer can have.
    case wordUnknown(String, Hint?, expected: [String])
    /// A word between `on` and `run` that is no event.
    case eventUnknown(String, nearest: String?)
    case wordRepeated(String)
    /// `wait` for a timer that is no cycle and has no `then`.
    case waitWithoutNext
    /// Two words that exclude each other.
    case wordsExclude(String, String)
    /// A word that does not apply to that kind of timer.
    case wordNotFor(String, kind: String)
    /// A text after `x` that is not a number; empty if there is none.
    case countExpected(found: String)
    case countRepeated
    case countTooSmall
    case countTooLarge
    case countWithoutEvery
    /// A word after `missed` that is not a policy; `nil` if there is none.
    case policyExpected(found: String?)
    case noteExpected
    case commandExpected
    case successorExpected
    /// No timer and no group has the name after `then`.
    case successorUnknown(String, nearest: String?)
    case groupExpected
    /// The name after `group` is that of a timer.
    case groupIsTimer(String)
    /// `then` after a timer that never finishes.
    case thenWithoutEnd
    case backoffWithoutRun
    /// The maximum is not longer than the interval.
    case backoffTooShort
    case quoteUnclosed(String)
    case nameMissing
    case nameRepeated
    case nameReserved(String)
    /// A duration in words, such as half an hour.
    case fraction(String, means: String)
    /// A repetition in words that no timer has, such as every second Monday, and one that is similar.
    case repetition(String, means: String)
    /// Several days of the week for an alarm that fires once.
    case severalDays(String)
    case presetUnknown(String, nearest: String?, of: [String])
    /// A name or a word for a preset of several timers.
    case presetOfSeveral(String)
    /// More than one timer where one is expected.
    case tooMany
  }

  /// A suggestion.
  package enum Hint: Hashable, Sendable {
    /// A word of the grammar.
    case word(String)
    /// A name and a timer with the missing `=` between them.
    case name(String)
  }

  package var problem: Problem
  /// The whole line: as typed, or the arguments joined by a space.
  package var line: String
  /// The words of the timer that holds the error.
  package var timer: String
  /// The number of Unicode scalars of `line` before that timer.
  package var timerOffset: Int
  /// The index of the argument that holds the error.
  package var argument: Int
  /// The number of Unicode scalars of `line` before the error.
  package var offset: Int

  /// The column in the timer, counted in characters from 1.
  package var column: Int { text(from: timerOffset).count + 1 }

  /// The part of the line before the error.
  package var prefix: String { text(from: 0) }

  /// Returns the part of the line from an offset to the error.
  private func text(from start: Int) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(offset).dropFirst(start))
    return text
  }

  /// A Boolean value that indicates whether the text is valid so far and only its end is missing.
  package var isIncomplete: Bool { offset >= line.unicodeScalars.count }

  /// The timer, the column and the message. Control characters are replaced, so that it can be printed.
  package var description: String {
    let text = timer.isEmpty ? message : "\(timer): column \(column): \(message)"
    var printable = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      printable.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return printable
  }
}

extension TimerSyntaxError {
  /// The problem and what was expected: one line in lower case without a full stop.
  package var message: String {
    switch problem {
    case .empty: "no timer given (expected one, such as tea=3m or every 30s x8)"
    case .duration(let problem): problem.message
    case .wallTime(let problem): problem.message
    case .timerExpected(let found, let hint):
      Self.message("invalid timer '\(found)'", expected: "a duration, such as 3m", hint)
    case .timerMissing(let name):
      "missing timer after the name (expected a timer, such as \(name)=3m)"
    case .timeMissing(let word):
      "missing time of day after '\(word)' (expected a time, such as \(word) 14:30)"
    case .timeExpected(let found, let word):
      "invalid time of day '\(found)' (expected a time, such as \(word) 14:30)"
    case .durationMissing(let word):
      "missing duration after '\(word)' (expected a duration, such as \(word) 30s)"
    case .durationExpected(let found, let word):
      "invalid duration '\(found)' (expected a duration, such as \(word) 30s)"
    case .phaseMissing: "missing phase beside '/' (expected a duration, such as 25m/5m)"
    case .dayExpected(let found, let nearest):
      (found.isEmpty ? "missing day beside ','" : "unknown day '\(found)'")
        + (nearest.map { " (did you mean '\($0)'?)" } ?? " (expected days, such as mon,thu)")
    case .wordUnknown(let word, let hint, let expected):
      Self.message(
        "unknown word '\(word)'",
        expected: "\(expected.joined(separator: ", ")) … or another timer", hint)
    case .eventUnknown(let word, let nearest):
      Self.message(
        "unknown event '\(word)'",
        expected: Transition.Event.allCases.map(\.rawValue).joined(separator: ", "),
        nearest.map { .word($0) })
    case .wordNotFor(let word, let kind): "'\(word)' does not apply to '\(kind)'"
    case .wordRepeated(let word): "'\(word)' given twice"
    case .waitWithoutNext: "'wait' needs a cycle or 'then'"
    case .wordsExclude(let first, let second): "'\(first)' and '\(second)' exclude each other"
    case .countExpected(let found):
      (found.isEmpty ? "missing count" : "invalid count '\(found)'")
        + " (expected a count, such as x8)"
    case .countTooSmall: "count must be at least 1"
    case .countTooLarge: "count must be at most \(TimerParser.largestCount)"
    case .countRepeated: "count given twice"
    case .countWithoutEvery:
      "count without repetition (expected every, cycle or then, such as every 30s x8)"
    case .policyExpected(let found):
      (found.map { "unknown policy '\($0)'" } ?? "missing policy after 'missed'")
        + " (expected skip, delay or burst)"
    case .noteExpected: "missing text after 'note' (expected a text, such as note 'two bags')"
    case .commandExpected:
      "missing command after 'run' (expected a command, such as run 'make test')"
    case .successorExpected: "missing name after 'then' (expected the name of a timer or a group)"
    case .successorUnknown(let name, let nearest):
      "unknown timer or group '\(name)' "
        + (nearest.map { "(did you mean '\($0)'?)" } ?? "(expected the name of a timer or a group)")
    case .groupExpected: "missing name after 'group' (expected a name, such as group laundry)"
    case .groupIsTimer(let name):
      "group '\(name)' has the name of a timer (expected another name)"
    case .thenWithoutEnd: "'then' after a timer without an end (expected a count, such as x8)"
    case .backoffWithoutRun: "'backoff' without a command (expected one, such as run 'make test')"
    case .backoffTooShort: "backoff must be longer than the interval"
    case .quoteUnclosed(let quote): "missing closing quote (expected \(quote))"
    case .nameMissing: "missing name before '=' (expected a name, such as tea=3m)"
    case .nameRepeated: "more than one '=' (expected one name, such as tea=3m)"
    case .nameReserved(let word):
      "reserved name '\(word)' (expected \(word) without =, or '\(word)'= in quotes)"
    case .fraction(let text, let duration):
      "unknown duration '\(text)' (did you mean '\(duration)'?)"
    case .repetition(let text, let timer):
      "unknown repetition '\(text)' (did you mean '\(timer)'?)"
    case .severalDays(let days):
      "several days '\(days)' for an alarm that fires once (expected one day, or every \(days))"
    case .presetUnknown(let name, let nearest, let names):
      "unknown preset '\(name)' "
        + (nearest.map { "(did you mean '\($0)'?)" }
          ?? "(expected \(names.joined(separator: ", ")))")
    case .presetOfSeveral(let name):
      "unexpected word (expected none for the preset '\(name)', which has several timers)"
    case .tooMany: "more than one timer (expected one)"
    }
  }

  private static func message(_ problem: String, expected: String, _ hint: Hint?) -> String {
    switch hint {
    case .word(let word): "\(problem) (did you mean '\(word)'?)"
    case .name(let timer): "\(problem) (expected \(expected); with a name: \(timer))"
    case nil: "\(problem) (expected \(expected))"
    }
  }
}

extension WallTimeSyntaxError.Problem {
  /// The problem and what was expected: one line in lower case without a full stop.
  package var message: String {
    switch self {
    case .timeExpected: "invalid time of day (expected a time, such as 14:30 or 2:30pm)"
    case .hourTooLarge: "hour out of range (expected 0 to 23)"
    case .twelveHourOutOfRange: "hour out of range (expected 1 to 12 before am or pm)"
    case .twoDigitsExpected:
      "invalid time of day (expected two digits after a colon, 00 to 59, such as 09:05)"
    case .rest(let text): "unexpected '\(text)' (expected a time, such as 14:30 or 2:30pm)"
    case .dateExpected: "invalid date (expected year-month-day, such as 2027-01-31)"
    case .noSuchDate: "no such date, or too far away"
    case .timeMissing(let date):
      "missing time of day after '\(date)' (expected a time, such as \(date)T09:00)"
    case .past: "date is in the past"
    }
  }
}

extension DurationSyntaxError.Problem {
  /// The problem and what was expected: one line in lower case without a full stop.
  package var message: String {
    switch self {
    case .zero: "duration must be greater than zero"
    case .negative: "duration must not be negative"
    case .tooLong: "duration must be at most 100 years (36525d)"
    case .tooFine: "duration must be in whole milliseconds"
    case .numberExpected: "missing number (expected a duration, such as 30s or 1.5h)"
    case .unitExpected(let number):
      "missing unit after '\(number)' (expected \(number)s, \(number)m or \(number)h)"
    case .unknownUnit(let unit): "unknown unit '\(unit)' (expected ms, s, m, h, d or w)"
    case .unitOutOfOrder(let unit):
      "unit '\(unit)' out of order (expected large to small, each once, such as 1h30m)"
    case .twoDigitsExpected:
      "invalid duration (expected two digits after a colon, 00 to 59, such as 05:00)"
    }
  }
}
