import TimerKit

/// Times of day and dates as text: `14:30`, `9:05:30`, `2pm`, `2:30pm`, `2027-01-31`. A text that is
/// formatted parses as the same time.
enum WallTimeText {
  struct TimeOfDay: Hashable {
    var hour: Int
    var minute = 0
    var second = 0
  }

  /// Returns the time of day: `14:30`, with seconds if there are any.
  static func text(_ schedule: WallSchedule) -> String {
    let seconds = schedule.second > 0 ? ":\(padded(schedule.second, to: 2))" : ""
    return "\(padded(schedule.hour, to: 2)):\(padded(schedule.minute, to: 2))\(seconds)"
  }

  /// Returns the date: `2027-01-31`; empty for a schedule without a date.
  static func date(_ schedule: WallSchedule) -> String {
    schedule.date.map {
      "\(padded($0.year, to: 4))-\(padded($0.month, to: 2))-\(padded($0.day, to: 2))"
    } ?? ""
  }

  /// Returns the days: `daily`, `weekdays` or `every mon,thu`.
  static func days(_ days: WallSchedule.Weekdays) -> String {
    switch days {
    case .all: Keyword.daily.rawValue
    case .mondayToFriday: Keyword.weekdays.rawValue
    default:
      "\(Keyword.every.rawValue) "
        + dayNames.indices.filter { days.contains(.init(rawValue: 1 << UInt8($0))) }
        .map { String(dayNames[$0].prefix(3)) }.joined(separator: ",")
    }
  }

  /// Parses `mon,thursday`; `nil` if a part is not a day of the week.
  static func parseDays(_ text: String) -> WallSchedule.Weekdays? {
    var days: WallSchedule.Weekdays = []
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      guard part.count >= 3, let index = dayNames.firstIndex(where: { $0.hasPrefix(part) })
      else { return nil }
      days.insert(.init(rawValue: 1 << UInt8(index)))
    }
    return days
  }

  static func nearestDay(to text: String) -> String? {
    Suggestion.nearest(to: text, of: dayNames)
  }

  static func parseTime(
    _ scalars: [Unicode.Scalar]
  ) throws(WallTimeSyntaxError) -> TimeOfDay {
    var reader = WallTimeReader(scalars: scalars)
    return try reader.time()
  }

  /// Parses year, month and day without checking that the date exists.
  static func parseDate(
    _ scalars: [Unicode.Scalar]
  ) throws(WallTimeSyntaxError) -> (year: Int, month: Int, day: Int) {
    let fields = scalars.split(separator: "-", omittingEmptySubsequences: false)
    guard fields.map(\.count) == [4, 2, 2],
      fields.joined().allSatisfy({ ("0"..."9").contains($0) })
    else { throw WallTimeSyntaxError(offset: 0, problem: .dateExpected) }
    func number(_ field: Int) -> Int {
      fields[field].reduce(0) { $0 * 10 + Int($1.value) - 48 }
    }
    return (number(0), number(1), number(2))
  }

  private static let dayNames = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// An error in a time of day or a date, with its position in the text.
package struct WallTimeSyntaxError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case timeExpected
    /// An hour without minutes, and without am or pm.
    case minutesExpected(hour: String)
    case hourTooLarge
    /// An hour outside of 1 to 12, with am or pm.
    case hourOfHalf
    case twoDigitsExpected
    /// A text after the time.
    case rest(String)
    case dateExpected
    /// A date that is not in the calendar, or too far away.
    case noSuchDate
    /// A date without a time.
    case timeMissing(date: String)
    case past
  }

  /// The number of Unicode scalars before the error.
  package var offset: Int
  package var problem: Problem
}

/// Parses a time of day from left to right.
private struct WallTimeReader {
  let scalars: [Unicode.Scalar]
  var position = 0

  mutating func time() throws(WallTimeSyntaxError) -> WallTimeText.TimeOfDay {
    let digits = takeDigits()
    guard !digits.isEmpty else { throw error(.timeExpected, at: 0) }
    var time = WallTimeText.TimeOfDay(hour: Int(digits) ?? .max)
    let hasMinutes = next == ":"
    if hasMinutes { time.minute = try twoDigits() }
    if next == ":" { time.second = try twoDigits() }
    let rest = String(String.UnicodeScalarView(scalars[position...]))
    let half = rest.lowercased()
    guard half.isEmpty || half == "am" || half == "pm" else { throw error(.rest(rest)) }
    if half.isEmpty {
      guard time.hour < 24 else { throw error(.hourTooLarge, at: 0) }
      guard hasMinutes else { throw error(.minutesExpected(hour: digits)) }
    } else {
      guard (1...12).contains(time.hour) else { throw error(.hourOfHalf, at: 0) }
      time.hour = time.hour % 12 + (half == "pm" ? 12 : 0)
    }
    return time
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func twoDigits() throws(WallTimeSyntaxError) -> Int {
    position += 1
    let start = position
    let digits = takeDigits()
    guard digits.utf8.count == 2, let number = Int(digits), number < 60 else {
      throw error(.twoDigitsExpected, at: start)
    }
    return number
  }

  private mutating func takeDigits() -> String {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar) { position += 1 }
    return String(String.UnicodeScalarView(scalars[start..<position]))
  }

  private func error(
    _ problem: WallTimeSyntaxError.Problem, at offset: Int? = nil
  ) -> WallTimeSyntaxError {
    WallTimeSyntaxError(offset: offset ?? position, problem: problem)
  }
}
