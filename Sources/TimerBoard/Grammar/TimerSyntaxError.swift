/// Why words are no timer, and where: for people, so it says what was expected.
package struct TimerSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case nothing
    case duration(DurationSyntaxError.Problem)
    /// A word that begins no timer.
    case timerExpected(found: String, Hint?)
    /// A name that no timer follows.
    case timerMissing(name: String)
    case durationMissing(after: String)
    case wallTime(WallTimeSyntaxError.Problem)
    case timeMissing(after: String)
    /// A word that belongs to no timer.
    case wordUnknown(String, Hint?)
    case wordRepeated(String)
    /// A word that means nothing to that kind of timer.
    case wordNotFor(String, kind: String)
    case countExpected
    case countTooSmall
    case countTooLarge
    case countWithoutEvery
    case policyExpected(nearest: String?)
    case noteExpected
    case commandExpected
    case successorExpected
    /// No timer has the name after `then`.
    case successorUnknown(String, nearest: String?)
    /// `then` after a timer that never finishes.
    case thenWithoutEnd
    case backoffWithoutRun
    /// It does not let the interval grow.
    case backoffTooShort
    case quoteUnclosed(String)
    case nameMissing
    case nameRepeated
    case nameReserved(String)
    /// More than one timer where one is meant.
    case tooMany
  }

  /// What was meant, as it seems.
  package enum Hint: Hashable, Sendable {
    /// A word of the grammar.
    case word(String)
    /// A name and the timer after it, which lack the `=` between them.
    case name(String)
  }

  package var problem: Problem
  /// The whole line: as typed, or the arguments joined by a space.
  package var line: String
  /// The words of the timer that holds the fault.
  package var timer: String
  /// Which of the given words holds it, from 0.
  package var word: Int
  /// The Unicode scalars of `line` before the fault.
  package var offset: Int

  /// The characters of `line` up to the fault: the column people count, from 1.
  package var column: Int { prefix.count + 1 }

  /// What stands before the fault.
  package var prefix: String {
    var prefix = ""
    prefix.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(offset))
    return prefix
  }

  /// Nothing is wrong so far, but something is still to come.
  package var isIncomplete: Bool { offset >= line.unicodeScalars.count }

  /// For a terminal: what was typed is in it as text, whatever it holds.
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
  /// What was expected, in one sentence without a full stop.
  package var message: String {
    switch problem {
    case .nothing: "a timer belongs here, such as tea=3m or every 30s x8"
    case .duration(let problem): problem.message
    case .timerExpected(let found, let hint):
      "“\(found)” is no timer: "
        + Self.expected("a duration such as 3m belongs here, or every 30s", hint)
    case .timerMissing(let name): "a timer belongs after the name, like \(name)=3m"
    case .wallTime(let problem): problem.message
    case .timeMissing(let word): "a time of day belongs after \(word), like \(word) 14:30"
    case .durationMissing(let word): "a duration belongs after \(word), like \(word) 30s"
    case .wordUnknown(let word, let hint):
      "“\(word)” is not understood: "
        + Self.expected("paused, note, then, run, ring … or the next timer can follow", hint)
    case .wordNotFor(let word, let kind): "\(word) means nothing to a timer of the kind \(kind)"
    case .wordRepeated(let word): "\(word) is there already"
    case .countExpected: "a count belongs here, like x8"
    case .countTooSmall: "a count is at least 1, like x1"
    case .countTooLarge: "a count goes up to \(TimerParser.largestCount)"
    case .countWithoutEvery: "a count goes with every, daily or cycle, like every 30s x8"
    case .policyExpected(let nearest):
      nearest.map { "skip, delay or burst belongs here: did you mean \($0)?" }
        ?? "skip, delay or burst belongs after missed"
    case .noteExpected: "a text belongs after note, like note 'two bags'"
    case .commandExpected: "a command belongs after run, like run 'make test'"
    case .successorExpected: "the name of a timer belongs after then, like then egg"
    case .successorUnknown(let name, let nearest):
      "no timer is called “\(name)”" + (nearest.map { ": did you mean \($0)?" } ?? "")
    case .thenWithoutEnd:
      "then starts another timer when this one ends, and it has no end: a count gives it one"
    case .backoffWithoutRun: "backoff belongs to a command that can fail, like run 'make test'"
    case .backoffTooShort: "backoff is how far the interval grows: longer than it is"
    case .quoteUnclosed(let quote): "a closing \(quote) belongs here"
    case .nameMissing: "a name belongs before ="
    case .nameRepeated: "a timer has one name: \"=\" was there already"
    case .nameReserved(let word):
      "\(word) is a word of its own: write \(word) without =, or '\(word)'= for the name"
    case .tooMany: "only one timer belongs here"
    }
  }
}

extension TimerSyntaxError {
  private static func expected(_ expected: String, _ hint: Hint?) -> String {
    switch hint {
    case .word(let word): "did you mean \(word)?"
    case .name(let timer): "\(expected) (with a name it is \(timer))"
    case nil: expected
    }
  }
}

extension WallTimeSyntaxError.Problem {
  /// What was expected, in one sentence without a full stop.
  package var message: String {
    switch self {
    case .timeExpected: "a time of day belongs here, like 14:30 or 2:30pm"
    case .minutesExpected(let hour):
      "minutes belong after \(hour): \(hour):00"
        + (Int(hour).map { (1...12).contains($0) } == true ? ", or \(hour)am or \(hour)pm" : "")
    case .hourTooLarge: "hours go from 0 to 23"
    case .hourOfHalf: "hours go from 1 to 12 before am and pm"
    case .twoDigitsExpected: "two digits belong after a colon, 00 to 59, like 09:05"
    case .rest(let text): "“\(text)” is no part of a time: 14:30, 14:30:15 or 2:30pm belongs here"
    case .dateExpected: "a date is written year-month-day, like 2027-01-31"
    case .noSuchDate: "there is no such date, or it is too far away"
    case .timeMissing(let date): "a time of day belongs after the date, like \(date)T09:00"
    case .past: "that is past: nothing can be due then"
    }
  }
}

extension DurationSyntaxError.Problem {
  /// What was expected, in one sentence without a full stop.
  package var message: String {
    switch self {
    case .zero: "zero is no time at all: a duration is longer than that"
    case .negative: "a duration cannot be negative"
    case .tooLong: "too long: a timer takes at most 100 years (36525d)"
    case .tooFine: "too fine: a millisecond is the smallest part"
    case .numberExpected: "a number belongs here, as in 30s or 1.5h"
    case .unitExpected(let number):
      "a unit belongs after \(number): \(number)s, \(number)m or \(number)h"
    case .unknownUnit(let unit): "“\(unit)” is no unit: ms, s, m, h or d belongs here"
    case .unitOutOfOrder: "units go from large to small, each once, like 1h30m"
    case .twoDigitsExpected: "two digits belong after a colon, 00 to 59, like 05:00"
    }
  }
}
