/// An error in the text of timers, with its position.
package struct TimerSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The errors after which a caller does something else than to show the message.
  package enum Cause: Hashable, Sendable {
    case syntax
    /// There is no text.
    case empty
    /// A word that begins no timer, which could be a preset of a configuration that was not read.
    case unknownTimer
    /// No timer and no group has the name after `then`.
    case unknownSuccessor
  }

  /// The problem and what was expected: one line in lower case without a full stop. A suggestion, `did you mean 'X'?`,
  /// replaces the first text in quotes.
  package var message: String
  package var cause = Cause.syntax
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
    String(line.unicodeScalars.prefix(offset).dropFirst(start))
  }

  /// A Boolean value that indicates whether the text is valid so far and only its end is missing.
  package var isIncomplete: Bool { offset >= line.unicodeScalars.count }

  /// The timer, the column and the message. Control characters are replaced, so that it can be printed.
  package var description: String {
    let text = timer.isEmpty ? message : "\(timer): column \(column): \(message)"
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// An error in a duration or a time of day, with its position in the text.
package struct TimeSyntaxError: Error, Hashable, Sendable {
  /// The number of Unicode scalars before the error.
  package var offset: Int
  /// The problem and what was expected: one line in lower case without a full stop.
  package var message: String
  /// A Boolean value that indicates whether a number without a unit is the problem.
  package var isUnitMissing = false
}
