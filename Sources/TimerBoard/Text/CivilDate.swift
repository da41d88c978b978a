import TimerKit

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
    guard (1700...2261).contains(year),
      let number = Calendar.dayNumber(year: year, month: month, day: day)
    else { return nil }
    self.day = number
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

  package var yearMonthDay: (year: Int, month: Int, day: Int) { Calendar.date(day) }

  /// The date in ISO 8601: `2026-11-22`.
  package var text: String { Calendar.text(ofDay: day) }

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
    let (day, rest) = milliseconds.flooredDivision(by: 86_400_000)
    let time = Calendar.text(ofSecond: Int(rest / 1000))
    return "\(CivilDate(day: Int(day)).text)T\(time).\((rest % 1000).padded(to: 3))Z"
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  func floorDivided(by divisor: Int64) -> Int64 { flooredDivision(by: divisor).quotient }
}
