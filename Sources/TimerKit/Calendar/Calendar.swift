/// The Gregorian calendar, in days since 1970-01-01.
package enum Calendar {
  static let secondsPerDay: Int64 = 86_400

  /// The years that an `Int64` of nanoseconds since 1970 covers completely.
  static let years = 1678...2261
  /// The range of the days of a schedule, which begins before the first instant.
  static let firstDay = Int32(days(year: years.lowerBound - 1, month: 1, day: 1))
  static let lastDay = Int32(days(year: years.upperBound, month: 12, day: 31))

  /// Returns the number of days from 1970-01-01 to a date; `nil` if the date does not exist.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int? {
    guard years.contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    let number = days(year: year, month: month, day: day)
    return date(number) == (year, month, day) ? number : nil
  }

  /// Returns the number of days from 1970-01-01 to a day of a month from 1 to 12, in a year of four digits. A day after
  /// the end of the month is in the next one.
  static func days(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that a leap day is the last day of a year.
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// Returns the day of the week, from 0 for Monday. 1970-01-01 was a Thursday.
  static func weekday(_ dayNumber: Int) -> Int {
    Int(Int64(dayNumber + 3).flooredDivision(by: 7).remainder)
  }

  /// Returns the Monday of the week in which a day is.
  static func monday(ofWeekWith dayNumber: Int) -> Int { dayNumber - weekday(dayNumber) }

  /// Returns the number of days of a month from 1 to 12.
  static func length(ofMonth month: Int, year: Int) -> Int {
    days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
      - days(year: year, month: month, day: 1)
  }

  /// Returns the date that comes a number of days after 1970-01-01.
  package static func date(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    // An era is a cycle of 400 years, after which leap years repeat.
    let (era, dayOfEra) = (dayNumber + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns a date as in ISO 8601: `2027-01-01`.
  package static func text(ofDay dayNumber: Int) -> String {
    let (year, month, day) = date(dayNumber)
    return "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// Returns a time of day as in ISO 8601: `07:30:00`.
  package static func text(ofSecond secondOfDay: Int) -> String {
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

  /// The text of a number of nanoseconds below a second as it follows the digits of the seconds: `.25`; empty for 0.
  var fractionOfSecond: String {
    guard self > 0 else { return "" }
    var fraction = padded(to: 9)
    while fraction.last == "0" { fraction.removeLast() }
    return "." + fraction
  }
}

extension Int64 {
  package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
