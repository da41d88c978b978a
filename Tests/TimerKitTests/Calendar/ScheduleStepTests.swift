import Fuzzing
import Testing

@testable import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Every n-th day or week from a date, and a date of each year.
@Suite(.enabled(if: hasZones, "install tzdata")) struct ScheduleStepTests {
  private static let second: Int64 = 1_000_000_000

  /// The instant of a date and time in UTC.
  private static func instant(_ text: String) throws -> WallInstant {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let day = try #require(
      Calendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]))
    let seconds = numbers[3] * 3600 + numbers[4] * 60
    return WallInstant(nanosecondsSince1970: (Int64(day) * 86_400 + Int64(seconds)) * second)
  }

  /// Checks occurrences, in UTC.
  private func expect(
    _ schedule: WallSchedule, in zone: String = "UTC", after start: String, _ expected: String...
  ) throws {
    let schedule = schedule.inTimeZone(try TimeZoneRules(zone))
    var instant = try Self.instant(start)
    for text in expected {
      let next = try #require(schedule.next(after: instant))
      #expect(next == (try Self.instant(text)), "\(next)")
      instant = next
    }
  }

  @Test func everyThirdDay() throws {
    let schedule = try WallSchedule.daily(hour: 9).every(
      .days(3), fromYear: 2026, month: 12, day: 24)
    try expect(
      schedule, after: "2020-01-01 00:00", "2026-12-24 09:00", "2026-12-27 09:00",
      "2026-12-30 09:00", "2027-01-02 09:00")
    // Through a leap day, and after years.
    try expect(
      schedule, after: "2028-02-26 00:00", "2028-02-26 09:00", "2028-02-29 09:00",
      "2028-03-03 09:00")
    try expect(schedule, after: "2126-12-24 09:00", "2126-12-25 09:00")
  }

  /// The week of a Sunday began on the Monday before it.
  @Test func everyOtherWeek() throws {
    let schedule = try WallSchedule.weekdays([.monday, .thursday], hour: 9).every(
      .weeks(2), fromYear: 2026, month: 7, day: 5)
    try expect(
      schedule, after: "2026-01-01 00:00", "2026-07-13 09:00", "2026-07-16 09:00",
      "2026-07-27 09:00", "2026-07-30 09:00")
    // The fifty-third week does not shift it.
    try expect(
      schedule, after: "2026-12-20 00:00", "2026-12-28 09:00", "2026-12-31 09:00",
      "2027-01-11 09:00")
  }

  @Test func aDateOfEachYear() throws {
    try expect(
      WallSchedule(.ofYear(month: 12, day: 24), at: [(18, 0)]), after: "2026-12-24 18:00",
      "2027-12-24 18:00", "2028-12-24 18:00")
    // As with the cron expression `0 9 29 2 *`, there is none in other years.
    let leapDay = try WallSchedule(.ofYear(month: 2, day: 29), at: [(9, 0)])
    let cron = try WallSchedule(cron: "0 9 29 2 *")
    for schedule in [leapDay, cron] {
      try expect(
        schedule, after: "2026-01-01 00:00", "2028-02-29 09:00", "2032-02-29 09:00")
      try expect(schedule, after: "2096-02-29 09:00", "2104-02-29 09:00")
    }
  }

  /// 2:30 is skipped on 29 March 2026, and occurs twice on 25 October.
  @Test func clocksChange() throws {
    let atNight = try WallSchedule.daily(hour: 2, minute: 30)
    try expect(
      atNight.every(.days(2), fromYear: 2026, month: 3, day: 27), in: "Europe/Berlin",
      after: "2026-03-27 12:00", "2026-03-29 01:00", "2026-03-31 00:30")
    try expect(
      atNight.every(.weeks(4), fromYear: 2026, month: 10, day: 19), in: "Europe/Berlin",
      after: "2026-10-24 12:00", "2026-10-25 00:30", "2026-11-16 01:30")
    let grid = try WallSchedule(.every, every: .minutes(30), from: (2, 0), through: (2, 30))
    try expect(
      grid.every(.days(2), fromYear: 2026, month: 10, day: 23), in: "Europe/Berlin",
      after: "2026-10-24 12:00", "2026-10-25 00:00", "2026-10-25 00:30", "2026-10-25 01:00",
      "2026-10-25 01:30", "2026-10-27 01:00")
    // 30 December 2011 was skipped: it counts, and has no occurrence.
    try expect(
      WallSchedule.daily(hour: 12).every(.days(2), fromYear: 2011, month: 12, day: 28),
      in: "Pacific/Apia", after: "2011-12-27 00:00", "2011-12-28 22:00", "2011-12-31 22:00")
  }

  @Test func limitsApplyToSteps() throws {
    let schedule = try WallSchedule.daily(hour: 9)
      .every(.days(2), fromYear: 2026, month: 1, day: 1)
      .except(year: 2026, month: 1, day: 3).until(year: 2026, month: 1, day: 6)
    try expect(schedule, after: "2025-01-01 00:00", "2026-01-01 09:00", "2026-01-05 09:00")
    let utc = schedule.inTimeZone(try TimeZoneRules("UTC"))
    #expect(utc.next(after: try Self.instant("2026-01-05 09:00")) == nil)
    #expect(schedule.step == .days(2))
    #expect(schedule.firstDate.map { $0 == (2026, 1, 1) } == true)
    #expect(schedule.lastDate.map { $0 == (2026, 1, 6) } == true)
    let other = try schedule.every(.weeks(3), fromYear: 2025, month: 1, day: 1)
    #expect(other.step == .weeks(3))
    let plain = try WallSchedule.at(year: 2026, month: 1, day: 1, hour: 0)
    #expect(plain.step == nil && plain.firstDate == nil && plain.lastDate == nil)
  }

  @Test func invalidStepsAreRefused() throws {
    let daily = try WallSchedule.daily(hour: 9)
    for count in [0, -1, .min] {
      #expect(throws: WallScheduleError.invalid("step", "\(count)", expected: "1 or more")) {
        try daily.every(.days(count), fromYear: 2026, month: 1, day: 1)
      }
    }
    #expect(throws: WallScheduleError.invalidDate(year: 2026, month: 2, day: 29)) {
      try daily.every(.weeks(1), fromYear: 2026, month: 2, day: 29)
    }
    // Each seventh day from a Tuesday is a Tuesday.
    #expect(throws: WallScheduleError.neverOccurs) {
      try WallSchedule.weekdays(.monday, hour: 9)
        .every(.days(7), fromYear: 2026, month: 1, day: 6)
    }
    for (month, day) in [(2, 30), (0, 1), (13, 1), (1, 0), (4, 31), (.max, .min)] {
      #expect(throws: WallScheduleError.self) {
        try WallSchedule(.ofYear(month: month, day: day), at: [(9, 0)])
      }
    }
    let once = try daily.every(.days(.max), fromYear: 2026, month: 1, day: 1)
    try expect(once, after: "2025-01-01 00:00", "2026-01-01 09:00")
  }

  @Test func isEncodedDecodedAndDescribed() throws {
    let schedules = [
      try WallSchedule.daily(hour: 9).every(.days(3), fromYear: 2026, month: 1, day: 31),
      try WallSchedule.weekdays(.tuesday, hour: 9)
        .every(.weeks(2), fromYear: 1999, month: 12, day: 31).until(year: 2030, month: 1, day: 2),
      try WallSchedule(.ofYear(month: 2, day: 29), at: [(9, 0), (18, 0)]),
    ]
    for schedule in schedules {
      let data = try JSONEncoder().encode(schedule)
      #expect(try JSONDecoder().decode(WallSchedule.self, from: data) == schedule)
    }
    #expect(
      schedules.map(\.description) == [
        "every day 09:00:00 every 3 days from 2026-01-31",
        "Tuesday 09:00:00 every 2 weeks from 1999-12-31 until 2030-01-02",
        "02-29 of the year 09:00:00, 18:00:00",
      ])
  }

  @Test(arguments: [
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"step":{"days":{"_0":0}}}"#,
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"step":{"weeks":{"_0":-3}},"firstDay":3}"#,
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"step":{"days":{"_0":2}},"firstDay":-2147483648}"#,
    #"{"weekdays":127,"hour":9,"minute":0,"second":0,"step":{"days":{"_0":2}},"firstDay":2147483647}"#,
    #"{"days":{"ofYear":{"month":2,"day":30}},"times":[0]}"#,
  ])
  func invalidFormsAreRefused(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WallSchedule.self, from: Data(text.utf8))
    }
  }

  /// A value delivers each of its occurrences, and a checkpoint keeps the days.
  @Test func aValueKeepsItsDays() throws {
    let schedule = try WallSchedule.daily(hour: 9).inTimeZone(TimeZoneRules("Europe/Berlin"))
      .every(.days(3), fromYear: 2026, month: 3, day: 25)
    var timer = try Repeater.Value(schedule: schedule)
    let start = try Self.instant("2026-03-26 00:00")
    func at(_ instant: WallInstant) -> TimerClock.Instant {
      TimerClock.wall.instant(nanoseconds: instant.nanosecondsSince1970)
    }
    timer.start(at: at(start))
    // 9:00 is 8:00 UTC before the change of the clocks, and 7:00 after it.
    for text in ["2026-03-28 08:00", "2026-03-31 07:00", "2026-04-03 07:00"] {
      let due = try Self.instant(text)
      #expect(timer.deadline == at(due))
      #expect(timer.advance(to: at(due))?.deadline == at(due))
    }
    let checkpoint = timer.checkpoint(
      at: at(try Self.instant("2026-04-04 00:00")), wall: try Self.instant("2026-04-04 00:00"))
    let data = try JSONEncoder().encode(checkpoint)
    let later = try Self.instant("2026-04-07 00:00")
    let restored = try Repeater.Value(
      restoring: try JSONDecoder().decode(Repeater.Checkpoint.self, from: data),
      policy: .catchUp, clock: .wall, at: at(later), wall: later)
    #expect(restored.deadline == at(try Self.instant("2026-04-09 07:00")))
  }

  // MARK: The reference

  /// The rules of a schedule, and the schedule that has them.
  private struct Case {
    var schedule: WallSchedule
    var times: [Int]
    var includes: (_ day: Int) -> Bool
    var zone: String
  }

  private static func randomCase(using random: inout SplitMix) throws -> Case? {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let times = (0..<number(1...2)).map { _ in (hour: number(0...23), minute: number(0...59)) }
    let weekdays = WallSchedule.Weekdays(rawValue: UInt8(number(1...127)))
    let (month, dayOfMonth) = (number(1...12), number(1...31))
    let days: WallSchedule.Days
    let isDay: (Int) -> Bool
    switch number(0...3) {
    case 0: (days, isDay) = (.every, { _ in true })
    case 1:
      days = .weekdays(weekdays)
      // 1970-01-01 was a Thursday, and 1969-12-29 a Monday.
      isDay = { weekdays.rawValue >> UInt8((($0 + 3) % 7 + 7) % 7) & 1 == 1 }
    case 2:
      days = .ofMonth([dayOfMonth])
      isDay = { Calendar.date($0).day == dayOfMonth }
    default:
      days = .ofYear(month: month, day: dayOfMonth)
      isDay = { Calendar.date($0).month == month && Calendar.date($0).day == dayOfMonth }
    }
    let first = number(10_000...25_000)
    let date = Calendar.date(first)
    let count = number(1...number(1...400))
    let isInDays = number(0...1) == 0
    let last = number(0...3) == 0 ? first + number(0...3000) : .max
    let zone = ["UTC", "Europe/Berlin", "Pacific/Apia", "America/Havana", "Australia/Lord_Howe"][
      number(0...4)]
    guard
      var schedule = try? WallSchedule(days, at: times)
        .every(
          isInDays ? .days(count) : .weeks(count), fromYear: date.year, month: date.month,
          day: date.day)
    else { return nil }
    if last < .max {
      let end = Calendar.date(last)
      guard let ending = try? schedule.until(year: end.year, month: end.month, day: end.day) else {
        return nil
      }
      schedule = ending
    }
    return Case(
      schedule: schedule.inTimeZone(try TimeZoneRules(zone)),
      times: Set(times.map { $0.hour * 3600 + $0.minute * 60 }).sorted(),
      includes: { day in
        // The weeks from the Monday of the first one.
        let firstMonday = first - ((first + 3) % 7)
        let isStep =
          isInDays ? (day - first) % count == 0 : ((day - firstMonday) / 7) % count == 0
        return day >= first && day <= last && isStep && isDay(day)
      }, zone: zone)
  }

  /// Goes from day to day.
  private static func slowNext(
    _ example: Case, after second: Int64, limit: Int, in zone: LocalTimeZone
  ) -> Int64? {
    let today = Int(zone.localTime(at: second).flooredDivision(by: 86_400).quotient)
    for day in (today - 2)...(today + limit) where example.includes(day) {
      let start = Int64(day) * 86_400
      let isOmitted =
        zone.localTime(at: zone.firstInstant(atLocalTime: start)) >= start + 86_400
      if isOmitted { continue }
      for time in example.times {
        let occurrence = zone.firstInstant(atLocalTime: start + Int64(time))
        if occurrence > second { return occurrence }
      }
    }
    return nil
  }

  @Test func nextEqualsAReferenceThatGoesFromDayToDay() throws {
    var random = SplitMix(state: 58)
    var count = 0
    var found = 0
    let limit = 5000
    while count < 20_000 {
      guard let example = try Self.randomCase(using: &random) else { continue }
      let zone = try TimeZoneRules(example.zone).localTime
      let second = Int64.random(in: 860_000_000...2_100_000_000, using: &random)
      let next = example.schedule.next(
        after: WallInstant(nanosecondsSince1970: second * Self.second))
      let expected = Self.slowNext(example, after: second, limit: limit, in: zone)
      if let expected {
        try #require(
          next?.nanosecondsSince1970 == expected * Self.second,
          "\(example.schedule.description) after \(second)")
        found += 1
      } else if let next {
        try #require(
          next.nanosecondsSince1970 / Self.second > second + Int64(limit - 3) * 86_400,
          "\(example.schedule.description) after \(second)")
      }
      count += 1
    }
    #expect(found > 8000)
  }
}
