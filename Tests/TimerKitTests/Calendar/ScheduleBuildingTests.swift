import Testing

@testable import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Schedules with several times and other days than those of the week.
@Suite(.enabled(if: hasZones, "install tzdata")) struct ScheduleBuildingTests {
  private static func instant(_ text: String) throws -> WallInstant {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let day = try #require(
      Calendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]))
    let seconds = numbers[3] * 3600 + numbers[4] * 60
    return WallInstant(nanosecondsSince1970: (Int64(day) * 86_400 + Int64(seconds)) * 1_000_000_000)
  }

  /// Checks the first occurrences in UTC after 2026-01-01 00:00, and their number.
  private func expect(
    _ schedule: WallSchedule, _ expected: String..., isEnd: Bool = false
  ) throws {
    let schedule = schedule.inTimeZone(.utc)
    var instant = try Self.instant("2026-01-01 00:00")
    for text in expected {
      let next = try #require(schedule.next(after: instant))
      #expect(next == (try Self.instant(text)))
      instant = next
    }
    if isEnd { #expect(schedule.next(after: instant) == nil) }
  }

  @Test func severalTimesOfDay() throws {
    let schedule = try WallSchedule(.every, at: [(20, 30), (8, 0), (8, 0)])
    try expect(schedule, "2026-01-01 08:00", "2026-01-01 20:30", "2026-01-02 08:00")
    #expect(schedule == (try WallSchedule(.every, at: [(8, 0), (20, 30)])))
    #expect((schedule.hour, schedule.minute) == (8, 0))
    #expect(schedule.shortestPeriod == (11 * 3600 + 1800 - 3600) * 1_000_000_000)
    let days = try WallSchedule(.weekdays([.friday, .sunday]), at: [(7, 5), (9, 0)])
    try expect(
      days, "2026-01-02 07:05", "2026-01-02 09:00", "2026-01-04 07:05", "2026-01-04 09:00",
      "2026-01-09 07:05")
    let date = try WallSchedule(.date(year: 2026, month: 2, day: 3), at: [(9, 0), (10, 0)])
    try expect(date, "2026-02-03 09:00", "2026-02-03 10:00", isEnd: true)
    #expect(!date.occursOnce)
  }

  @Test func daysOfTheMonth() throws {
    try expect(
      WallSchedule(.ofMonth([31, 15]), at: [(9, 0)]), "2026-01-15 09:00", "2026-01-31 09:00",
      "2026-02-15 09:00", "2026-03-15 09:00", "2026-03-31 09:00")
    try expect(
      WallSchedule(.ofMonth([-1]), at: [(18, 0)]), "2026-01-31 18:00", "2026-02-28 18:00",
      "2026-03-31 18:00")
    try expect(
      WallSchedule(.ofMonth([1, -3]), at: [(0, 30)]), "2026-01-01 00:30", "2026-01-29 00:30",
      "2026-02-01 00:30", "2026-02-26 00:30")
    try expect(
      WallSchedule(.ofMonth([-31]), at: [(0, 30)]), "2026-01-01 00:30", "2026-03-01 00:30")
  }

  @Test func daysOfTheWeekInAWeekOfTheMonth() throws {
    try expect(
      WallSchedule(.nth(1, .monday), at: [(9, 0)]), "2026-01-05 09:00", "2026-02-02 09:00")
    try expect(
      WallSchedule(.nth(-1, [.friday, .saturday]), at: [(9, 0)]), "2026-01-30 09:00",
      "2026-01-31 09:00", "2026-02-27 09:00", "2026-02-28 09:00")
    // A fifth Thursday is not in each month.
    try expect(
      WallSchedule(.nth(5, .thursday), at: [(9, 0)]), "2026-01-29 09:00", "2026-04-30 09:00")
  }

  @Test func intervalsOnTheClock() throws {
    let quarters = try WallSchedule(
      .weekdays(.mondayToFriday), every: .minutes(15), from: (16, 30), through: (17, 0))
    try expect(
      quarters, "2026-01-01 16:30", "2026-01-01 16:45", "2026-01-01 17:00", "2026-01-02 16:30",
      "2026-01-02 16:45", "2026-01-02 17:00", "2026-01-05 16:30")
    #expect(quarters.shortestPeriod == 900 * 1_000_000_000)
    try expect(
      WallSchedule(.every, every: .hours(2), from: (9, 0), through: (12, 59)),
      "2026-01-01 09:00", "2026-01-01 11:00", "2026-01-02 09:00")
    // The grid begins at midnight each day.
    try expect(
      WallSchedule(.every, every: .minutes(500)), "2026-01-01 08:20", "2026-01-01 16:40",
      "2026-01-02 00:00")
    #expect(try WallSchedule(.every, every: .days(1)).interval == nil)
  }

  @Test func untilADateAndWithoutDates() throws {
    let schedule = try WallSchedule.daily(hour: 9).until(year: 2026, month: 1, day: 4)
      .except(year: 2026, month: 1, day: 2).except(year: 2026, month: 1, day: 2)
    try expect(schedule, "2026-01-01 09:00", "2026-01-03 09:00", "2026-01-04 09:00", isEnd: true)
    #expect(throws: WallScheduleError.neverOccurs) {
      try WallSchedule.at(year: 2026, month: 1, day: 2, hour: 3)
        .except(year: 2026, month: 1, day: 2)
    }
    #expect(throws: WallScheduleError.neverOccurs) {
      try WallSchedule.at(year: 2026, month: 1, day: 2, hour: 3)
        .until(year: 2026, month: 1, day: 1)
    }
    #expect(throws: WallScheduleError.invalidDate(year: 2026, month: 2, day: 30)) {
      try WallSchedule.daily(hour: 9).until(year: 2026, month: 2, day: 30)
    }
  }

  @Test func invalidPartsAreRefused() {
    for day in [0, 32, -32, .max, .min] {
      let error = WallScheduleError.invalid(
        "day", "\(day)", expected: "1 to 31, or -1 to -31 from the end")
      #expect(throws: error) { try WallSchedule(.ofMonth([day]), at: [(0, 0)]) }
    }
    for week in [0, 6, -2, .min] {
      let error = WallScheduleError.invalid(
        "week", "\(week)", expected: "1 to 5, or -1 for the last one")
      #expect(throws: error) { try WallSchedule(.nth(week, .monday), at: [(0, 0)]) }
    }
    for interval in [Duration.zero, .seconds(90), .days(2), .minutes(-1), .nanoseconds(Int64.max)] {
      #expect(throws: WallScheduleError.self) { try WallSchedule(.every, every: interval) }
    }
    #expect(throws: WallScheduleError.invalidTime(hour: 24, minute: 0, second: 0)) {
      try WallSchedule(.every, at: [(24, 0)])
    }
    #expect(throws: WallScheduleError.neverOccurs) { try WallSchedule(.every, at: []) }
    #expect(throws: WallScheduleError.neverOccurs) { try WallSchedule(.ofMonth([]), at: [(0, 0)]) }
    #expect(throws: WallScheduleError.neverOccurs) {
      try WallSchedule(.nth(1, []), at: [(0, 0)])
    }
    #expect(throws: WallScheduleError.neverOccurs) {
      try WallSchedule(.every, every: .hours(1), from: (9, 0), through: (8, 0))
    }
  }

  private static func schedules() throws -> [WallSchedule] {
    let berlin = try TimeZoneRules("Europe/Berlin")
    return [
      try .daily(hour: 9), try .daily(hour: 9).inTimeZone(berlin),
      try .at(year: 2028, month: 2, day: 29, hour: 23).inTimeZone(berlin),
      try .weekdays(.weekend, hour: 9).until(year: 2027, month: 1, day: 1),
      try WallSchedule(.every, at: [(8, 0), (20, 0)]),
      try WallSchedule(.ofMonth([-1]), at: [(8, 0)]).except(year: 2027, month: 1, day: 31),
      try WallSchedule(.nth(-1, .friday), at: [(8, 0)]).inTimeZone(berlin),
      try WallSchedule(.every, every: .minutes(15), from: (9, 0), through: (17, 0)),
      try WallSchedule(cron: "@daily", timeZone: berlin),
      try WallSchedule(cron: "*/15 9-17 * * 1-5").until(year: 2027, month: 1, day: 1),
    ]
  }

  @Test func isEncodedAndDecodedAsTheSame() throws {
    for schedule in try Self.schedules() {
      let data = try JSONEncoder().encode(schedule)
      #expect(try JSONDecoder().decode(WallSchedule.self, from: data) == schedule)
    }
  }

  @Test func isDescribedInOneLine() throws {
    #expect(
      try Self.schedules().map(\.description) == [
        "every day 09:00:00", "every day 09:00:00 in Europe/Berlin",
        "2028-02-29 23:00:00 in Europe/Berlin", "Saturday, Sunday 09:00:00 until 2027-01-01",
        "every day 08:00:00, 20:00:00",
        "days [-1] of the month 08:00:00 except 2027-01-31",
        "Friday number -1 of the month 08:00:00 in Europe/Berlin",
        "every day every 900.0 seconds from 09:00:00 to 17:00:00",
        "cron @daily in Europe/Berlin", "cron */15 9-17 * * 1-5 until 2027-01-01",
      ])
  }

  @Test(arguments: [
    #"{"cron":"60 * * * *"}"#, #"{"days":{"weekdays":{"_0":127}},"times":[]}"#,
    #"{"days":{"weekdays":{"_0":127}},"times":[-1]}"#,
    #"{"days":{"weekdays":{"_0":127}},"times":[86400]}"#,
    #"{"days":{"weekdays":{"_0":0}},"times":[0]}"#,
    #"{"days":{"ofMonth":{"_0":[32]}},"times":[0]}"#,
    #"{"weekdays":127,"hour":9,"minute":0}"#,
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"lastDay":-2147483648}"#,
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"timeZone":"../UTC"}"#, "{}",
  ])
  func invalidFormsAreRefused(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WallSchedule.self, from: Data(text.utf8))
    }
  }

  /// A count over many days equals one by one, also where clocks change.
  @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "America/Havana"])
  func passedOccurrencesAreCounted(_ zone: String) throws {
    let zone = try TimeZoneRules(zone)
    let schedules = [
      try WallSchedule(.weekdays(.weekend), every: .minutes(30), from: (0, 0), through: (4, 0)),
      try WallSchedule(.every, at: [(0, 0), (1, 30), (2, 15), (2, 30), (23, 59)]),
      try WallSchedule(cron: "10-40/10 * */3 * *"),
    ]
    let begin = try Self.instant("2011-03-01 00:07").nanosecondsSince1970
    let end = try Self.instant("2012-12-31 17:11").nanosecondsSince1970
    for schedule in schedules.map({ $0.inTimeZone(zone) }) {
      var (count, instant) = (0, begin)
      while let next = schedule.next(after: instant), next <= end {
        (count, instant) = (count + 1, next)
      }
      let passed = schedule.occurrencesPassed(since: begin, at: end)
      #expect(passed.count == count)
      #expect(passed.next == schedule.next(after: end))
    }
  }

  /// A clock that was set from 1970 to today does not count each minute.
  @Test func passedOccurrencesOfManyYearsAreCountedSoon() throws {
    let minutely = try WallSchedule(cron: "* * * * *", timeZone: .utc)
    let start = TimerClock.Kind.suspending.systemNanoseconds
    let end = try Self.instant("2026-01-01 00:00").nanosecondsSince1970
    #expect(minutely.occurrencesPassed(since: 0, at: end).count == 20_454 * 1440)
    #expect(TimerClock.Kind.suspending.systemNanoseconds - start < 30_000_000_000)
  }

  /// Zones whose offset changes in every way do not trap, and no loop is endless.
  @Test func impossibleZonesHaveOccurrences() throws {
    let zones = [
      LocalTimeZone { $0 / 3600 % 2 == 0 ? 26 * 3600 : -26 * 3600 },
      LocalTimeZone { $0 / 86_400 % 2 == 0 ? 86_400 : 0 },
      LocalTimeZone { $0 & 1 == 0 ? 3600 : 0 },
    ]
    for zone in zones {
      for time in stride(from: 0 as Int64, to: 1_000_000, by: 77_777) {
        #expect(abs(zone.firstInstant(atLocalTime: time) - time) < 4 * 86_400)
      }
    }
  }
}
