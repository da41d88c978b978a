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
    guard let (year, month, day) = Self.numbers(in: text) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Returns the numbers in the text of a date, which need not exist.
  static func numbers(in text: String) -> (year: Int, month: Int, day: Int)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    return (year, month, day)
  }

  package var yearMonthDay: (year: Int, month: Int, day: Int) { Calendar.date(day) }

  /// The date in ISO 8601: `2026-11-22`.
  package var text: String { Calendar.text(ofDay: day) }

  /// The month: `2026-11`.
  package var monthText: String { String(text.dropLast(3)) }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int { ((day + 3) % 7 + 7) % 7 }

  package var weekdayName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday] }

  package var monthName: String {
    [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][yearMonthDay.month - 1]
  }

  /// The Monday of the week.
  package var startOfWeek: CivilDate { CivilDate(day: day - weekday) }

  package func advanced(by days: Int) -> CivilDate { CivilDate(day: day + days) }

  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.day < right.day }

  /// Returns the milliseconds since 1970 of an instant in UTC: `2026-11-22T14:03:00.250Z`.
  package static func milliseconds(iso8601 text: ArraySlice<UInt8>) -> Int64? {
    let (form, zero) = ("0000-00-00T00:00:00.000Z".utf8, UInt8(ascii: "0"))
    let hasForm = zip(text, form).allSatisfy { $1 == zero ? $0 &- zero < 10 : $0 == $1 }
    guard text.count == form.count, hasForm else { return nil }
    func number(_ from: Int, _ count: Int) -> Int {
      text.dropFirst(from).prefix(count).reduce(0) { $0 * 10 + Int($1 - zero) }
    }
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    guard hour < 24, minute < 60, second < 60,
      let date = CivilDate(year: number(0, 4), month: number(5, 2), day: number(8, 2))
    else { return nil }
    let seconds = date.day * 86_400 + hour * 3600 + minute * 60 + second
    return Int64(seconds) * 1000 + Int64(number(20, 3))
  }

  /// Returns an instant in ISO 8601, in UTC.
  package static func iso8601(_ milliseconds: Int64) -> String {
    let (day, rest) = milliseconds.flooredDivision(by: 86_400_000)
    let time = Calendar.text(ofSecond: Int(rest / 1000))
    return "\(CivilDate(day: Int(day)).text)T\(time).\((rest % 1000).padded(to: 3))Z"
  }
}
