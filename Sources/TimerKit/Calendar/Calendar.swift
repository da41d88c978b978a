/// The Gregorian calendar, in days since 1970-01-01.
enum Calendar {
  static let secondsPerDay: Int64 = 86_400

  /// The years that an `Int64` of nanoseconds since 1970 covers completely.
  static let years = 1678...2261

  /// Returns the number of days from 1970-01-01 to a date; `nil` if the date does not exist.
  static func dayNumber(year: Int, month: Int, day: Int) -> Int32? {
    guard years.contains(year), (1...12).contains(month),
      (1...length(ofMonth: month, year)).contains(day)
    else { return nil }
    return firstDay(ofYear: year) + daysBefore(month: month, year) + Int32(day - 1)
  }

  static func date(_ dayNumber: Int32) -> (year: Int, month: Int, day: Int) {
    // The first estimate is the year itself or the year before it.
    var year = 1969 + Int(dayNumber) / 365
    while firstDay(ofYear: year + 1) <= dayNumber { year += 1 }
    let dayOfYear = dayNumber - firstDay(ofYear: year)
    var month = 1
    while daysBefore(month: month + 1, year) <= dayOfYear { month += 1 }
    return (year, month, Int(dayOfYear - daysBefore(month: month, year)) + 1)
  }

  private static func firstDay(ofYear year: Int) -> Int32 {
    let past = year - 1
    return Int32(past * 365 + past / 4 - past / 100 + past / 400 - 719_162)
  }

  /// Returns the number of days before a month in its year; month 13 is January of the next year.
  private static func daysBefore(month: Int, _ year: Int) -> Int32 {
    commonDaysBefore[month - 1] + (month > 2 && isLeap(year) ? 1 : 0)
  }

  private static let commonDaysBefore: [Int32] = [
    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365,
  ]

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    Int(daysBefore(month: month + 1, year) - daysBefore(month: month, year))
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

// MARK: - Descriptions
extension Calendar {
  /// Returns a date as in ISO 8601: `2027-01-01`.
  static func text(ofDay dayNumber: Int32) -> String {
    let (year, month, day) = date(dayNumber)
    return "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// Returns a time of day as in ISO 8601: `07:30:00`.
  static func text(ofSecond secondOfDay: Int32) -> String {
    [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { $0.padded(to: 2) }
      .joined(separator: ":")
  }
}

extension BinaryInteger {
  /// Returns the digits of a number that is not negative, with leading zeros.
  package func padded(to width: Int) -> String {
    let digits = "\(self)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
