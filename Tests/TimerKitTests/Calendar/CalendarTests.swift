import Testing

@testable import TimerKit

@Suite struct CalendarTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (1970, 12, 31, 364), (1972, 2, 29, 789),
    (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2026, 11, 21, 20_778), (2100, 2, 28, 47_540),
    (2100, 3, 1, 47_541), (1678, 1, 1, -106_650), (2261, 12, 31, 106_650),
  ])
  func convertsDatesToDaysSince1970(_ year: Int, _ month: Int, _ day: Int, _ number: Int) {
    #expect(Calendar.dayNumber(year: year, month: month, day: day) == number)
    #expect(Calendar.date(number) == (year, month, day))
  }

  @Test func convertsEveryDayInBothDirections() {
    var expected = (year: 1678, month: 1, day: 1)
    var number = -106_650
    while expected.year <= 2261 {
      guard Calendar.date(number) == expected,
        Calendar.dayNumber(year: expected.year, month: expected.month, day: expected.day) == number
      else {
        Issue.record("day \(number) is not \(expected)")
        return
      }
      number += 1
      expected.day += 1
      let isNewMonth =
        Calendar.dayNumber(year: expected.year, month: expected.month, day: expected.day) == nil
      if isNewMonth { expected = (expected.year, expected.month + 1, 1) }
      if expected.month == 13 { expected = (expected.year + 1, 1, 1) }
    }
    #expect(number == 106_651)
  }

  @Test(arguments: [
    (2027, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
    (2026, 1, 32), (1677, 12, 31), (2262, 1, 1), (Int.max, 1, 1), (2026, .min, 1), (2026, 1, .max),
  ])
  func invalidDatesAreRejected(_ year: Int, _ month: Int, _ day: Int) {
    #expect(Calendar.dayNumber(year: year, month: month, day: day) == nil)
  }
}
