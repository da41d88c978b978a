/// A date of the Gregorian calendar, as the number of days since 1970-01-01.
package struct CivilDate: Hashable, Comparable, Sendable {
  package var day: Int

  /// The days that dates can have: those of the years 1677 to 2262, the range of `WallInstant`.
  package static let range = -106_751...106_751

  package init(day: Int) {
    self.day = min(max(Self.range.lowerBound, day), Self.range.upperBound)
  }

  /// - Returns: `nil` if there is no such date, or if the year is not in 1700 to 2261.
  package init?(year: Int, month: Int, day: Int) {
    guard (1700...2261).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(of: month, in: year)
    else { return nil }
    // Years begin in March, so that a leap day is the last day of a year.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    self.day =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Creates a date from its text: `2026-11-22`.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package var yearMonthDay: (year: Int, month: Int, day: Int) {
    let days = day + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The date in ISO 8601: `2026-11-22`.
  package var text: String {
    let (year, month, day) = yearMonthDay
    return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
  }

  /// The month: `2026-11`.
  package var monthText: String { String(text.dropLast(3)) }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int { ((day + 3) % 7 + 7) % 7 }

  package var weekdayName: String {
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday]
  }

  package var monthName: String {
    [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][yearMonthDay.month - 1]
  }

  /// The Monday of the week.
  package var startOfWeek: CivilDate { CivilDate(day: day - weekday) }

  package func advanced(by days: Int) -> CivilDate { CivilDate(day: day + days) }

  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.day < right.day }
}

extension CivilDate {
  /// Returns the milliseconds since 1970 of an instant in UTC: `2026-11-22T14:03:00.250Z`.
  package static func milliseconds(iso8601 text: ArraySlice<UInt8>) -> Int64? {
    let start = text.startIndex
    guard text.count == 24, text[start + 4] == UInt8(ascii: "-"),
      text[start + 7] == UInt8(ascii: "-"), text[start + 10] == UInt8(ascii: "T"),
      text[start + 13] == UInt8(ascii: ":"), text[start + 16] == UInt8(ascii: ":"),
      text[start + 19] == UInt8(ascii: "."), text[start + 23] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ from: Int, _ count: Int) -> Int? {
      var number = 0
      for index in (start + from)..<(start + from + count) {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let date = CivilDate(year: year, month: month, day: day),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
      let millisecond = number(20, 3), hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = date.day * 86_400 + hour * 3600 + minute * 60 + second
    return Int64(seconds) * 1000 + Int64(millisecond)
  }

  /// Returns an instant in ISO 8601, in UTC.
  package static func iso8601(_ milliseconds: Int64) -> String {
    let day = milliseconds.floorDivided(by: 86_400_000)
    let rest = Int(milliseconds - day * 86_400_000)
    let second = rest / 1000
    let part = rest % 1000
    let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    return "\(CivilDate(day: Int(day)).text)T\(time).\(part < 100 ? "0" : "")\(twoDigits(part))Z"
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
