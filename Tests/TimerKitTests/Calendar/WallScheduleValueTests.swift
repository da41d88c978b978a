import Testing

@testable import TimerKit

@Suite struct WallScheduleValueTests {
  @Test func isDescribedInOneLine() throws {
    let daily = try WallSchedule.daily(hour: 7, minute: 30, second: 5)
    #expect((daily.hour, daily.minute, daily.second) == (7, 30, 5))
    #expect(daily.weekdays == .all)
    #expect(daily.date == nil)
    #expect(try daily == .weekdays(.all, hour: 7, minute: 30, second: 5))
    let date = try WallSchedule.at(year: 2028, month: 2, day: 29, hour: 23)
    #expect(date.weekdays == nil)
    #expect(date.date.map { $0 == (2028, 2, 29) } == true)
    #expect(WallSchedule.Weekdays.all == [.mondayToFriday, .saturday, .sunday])
  }

  @Test(arguments: [(24, 0, 0), (-1, 0, 0), (0, 60, 0), (0, -1, 0), (0, 0, 60), (0, 0, .min)])
  func invalidTimesAreRejected(_ hour: Int, _ minute: Int, _ second: Int) {
    #expect(throws: WallScheduleError.invalidTime(hour: hour, minute: minute, second: second)) {
      try WallSchedule.daily(hour: hour, minute: minute, second: second)
    }
  }

  @Test func invalidDatesAreRejected() {
    #expect(throws: WallScheduleError.invalidDate(year: 2027, month: 2, day: 29)) {
      try WallSchedule.at(year: 2027, month: 2, day: 29, hour: 0)
    }
    #expect(throws: WallScheduleError.noWeekdays) { try WallSchedule.weekdays([], hour: 0) }
    #expect(throws: WallScheduleError.noWeekdays) {
      try WallSchedule.weekdays(.init(rawValue: 128), hour: 0)
    }
  }

  @Test func extremeInstantsDoNotTrap() throws {
    let daily = try WallSchedule.daily(hour: 12)
    #expect(daily.next(after: .distantFuture) == nil)
    #expect(daily.next(after: WallInstant(nanosecondsSince1970: .max - 1)) == nil)
    let first = try #require(daily.next(after: WallInstant(nanosecondsSince1970: .min)))
    #expect(first.nanosecondsSince1970 < .min + 2 * 86_400_000_000_000)
    let last = try WallSchedule.at(
      year: 2261, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    #expect(last.next(after: WallInstant(nanosecondsSince1970: 0)) != nil)
  }

  /// A clock that stands still for a day and then shows the time of a day before.
  @Test func impossibleClocksDoNotTrap() {
    let strange = LocalTimeZone { $0 < 1_000_000 ? 0 : -86_400 / 2 }
    #expect(strange.firstInstant(atLocalTime: 999_999) == 999_999)
    #expect(strange.firstInstant(atLocalTime: 1_000_000) == 1_043_200)
    let forward = LocalTimeZone { $0 < 1_000_000 ? 0 : 86_400 / 2 }
    #expect(forward.firstInstant(atLocalTime: 1_000_001) == 1_000_000)
    #expect(forward.firstInstant(atLocalTime: 1_043_200) == 1_000_000)
    #expect(forward.firstInstant(atLocalTime: 1_043_201) == 1_000_001)
  }
}
