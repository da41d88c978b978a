import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Schedules in real time zones, from the system's own data: `make test` installs it (tzdata).
@Suite(.enabled(if: hasZones, "the system has no time zones: install tzdata"))
struct WallScheduleTests {
  /// A row of the table: the occurrences of a schedule after an instant, all in seconds of UTC.
  struct Row: Codable, Sendable, CustomTestStringConvertible {
    var zone: String
    var schedule: WallSchedule
    var after: String
    var expected: [String]

    init(
      _ zone: String, _ schedule: WallSchedule, after: String, _ expected: String...
    ) {
      (self.zone, self.schedule, self.after, self.expected) = (zone, schedule, after, expected)
    }

    var testDescription: String { "\(zone) after \(after)" }
  }

  private static func rows() throws -> [Row] {
    let at230 = try WallSchedule.daily(hour: 2, minute: 30)
    let midnight = try WallSchedule.daily(hour: 0)
    let noon = try WallSchedule.daily(hour: 12)
    return [
      Row(
        "UTC", try .daily(hour: 23, minute: 59, second: 59), after: "2024-02-28 23:59:59",
        "2024-02-29 23:59:59", "2024-03-01 23:59:59"),
      Row(
        "UTC", midnight, after: "1969-12-30 12:00:00", "1969-12-31 00:00:00", "1970-01-01 00:00:00"),
      Row(
        "UTC", try .weekdays([.monday, .friday], hour: 9), after: "2026-11-20 08:59:59",
        "2026-11-20 09:00:00", "2026-11-23 09:00:00", "2026-11-27 09:00:00"),
      Row(
        "UTC", try .weekdays(.weekend, hour: 9), after: "2026-12-27 09:00:00",
        "2027-01-02 09:00:00", "2027-01-03 09:00:00"),
      Row(
        "UTC", try .at(year: 2028, month: 2, day: 29, hour: 6), after: "2026-01-01 00:00:00",
        "2028-02-29 06:00:00"),
      Row("UTC", try .at(year: 2020, month: 2, day: 29, hour: 6), after: "2020-02-29 06:00:00"),
      // 2:00 → 3:00 on 29 March 2026, at 1:00 UTC; 3:00 → 2:00 on 25 October.
      Row(
        "Europe/Berlin", at230, after: "2026-03-28 00:00:00",
        "2026-03-28 01:30:00", "2026-03-29 01:00:00", "2026-03-30 00:30:00"),
      Row(
        "Europe/Berlin", at230, after: "2026-10-24 00:00:00",
        "2026-10-24 00:30:00", "2026-10-25 00:30:00", "2026-10-26 01:30:00"),
      Row(
        "Europe/Berlin", at230, after: "2026-10-25 01:00:00", "2026-10-26 01:30:00"),
      Row(
        "Europe/Berlin", try .daily(hour: 3), after: "2026-03-29 00:59:59",
        "2026-03-29 01:00:00", "2026-03-30 01:00:00"),
      Row(
        "Europe/Berlin", try .at(year: 2026, month: 3, day: 29, hour: 2, minute: 30),
        after: "2026-01-01 00:00:00", "2026-03-29 01:00:00"),
      // On a Sunday in March and one in November, shortly after midnight.
      Row(
        "America/New_York", at230, after: "2026-03-08 00:00:00",
        "2026-03-08 07:00:00", "2026-03-09 06:30:00"),
      Row(
        "America/New_York", try .daily(hour: 1, minute: 30), after: "2026-11-01 00:00:00",
        "2026-11-01 05:30:00", "2026-11-02 06:30:00"),
      Row(
        "America/New_York", try .weekdays([.sunday], hour: 20), after: "2026-11-01 12:00:00",
        "2026-11-02 01:00:00", "2026-11-09 01:00:00"),
      // A shift of half an hour.
      Row(
        "Australia/Lord_Howe", try .daily(hour: 2, minute: 15), after: "2026-10-03 00:00:00",
        "2026-10-03 15:30:00", "2026-10-04 15:15:00"),
      Row(
        "Australia/Lord_Howe", try .daily(hour: 1, minute: 45), after: "2026-04-04 00:00:00",
        "2026-04-04 14:45:00", "2026-04-05 15:15:00"),
      Row(
        "Asia/Kolkata", midnight, after: "2026-11-21 18:29:59",
        "2026-11-21 18:30:00", "2026-11-22 18:30:00"),
      // 30 December 2011, a Friday, was skipped.
      Row(
        "Pacific/Apia", noon, after: "2011-12-29 21:59:59",
        "2011-12-29 22:00:00", "2011-12-30 22:00:00"),
      Row(
        "Pacific/Apia", try .weekdays([.friday], hour: 12), after: "2011-12-24 00:00:00",
        "2012-01-05 22:00:00"),
      Row(
        "Pacific/Apia", try .at(year: 2011, month: 12, day: 30, hour: 12),
        after: "2011-01-01 00:00:00", "2011-12-30 10:00:00"),
      // Midnight itself is skipped, or occurs twice.
      Row(
        "Asia/Beirut", midnight, after: "2024-03-30 12:00:00",
        "2024-03-30 22:00:00", "2024-03-31 21:00:00"),
      Row(
        "America/Havana", midnight, after: "2026-10-31 12:00:00",
        "2026-11-01 04:00:00", "2026-11-02 05:00:00"),
      Row(
        "America/Havana", try .daily(hour: 0, minute: 30), after: "2026-10-31 12:00:00",
        "2026-11-01 04:30:00", "2026-11-02 05:30:00"),
      // The hour before midnight is skipped: an occurrence in it moves to the next day.
      Row(
        "America/Nuuk", try .daily(hour: 23, minute: 30), after: "2024-03-30 00:00:00",
        "2024-03-30 01:30:00", "2024-03-31 01:00:00", "2024-04-01 00:30:00"),
    ]
  }

  /// A process has one time zone at a time, so each row has its own process.
  @Test(arguments: try rows()) func followsTheClockChangesOfAZone(_ row: Row) async {
    await #expect(processExitsWith: .success) { [row] in
      setenv("TZ", row.zone, 1)
      var moment: WallInstant? = try Self.utc(row.after)
      for expected in row.expected {
        moment = moment.flatMap { row.schedule.next(after: $0) }
        #expect(moment == (try Self.utc(expected)), "\(row.zone) after \(row.after)")
      }
      if row.schedule.date != nil {
        #expect(moment.flatMap { row.schedule.next(after: $0) } == nil)
      }
    }
  }

  /// Parses a time of UTC, such as "2026-11-21 08:00:00".
  private static func utc(_ text: String) throws -> WallInstant {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let day = try #require(
      Calendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]))
    let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    return WallInstant(
      nanosecondsSince1970: (Int64(day) * 86_400 + Int64(seconds)) * 1_000_000_000)
  }

  /// In every zone, days are in order, and each occurs exactly once.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC",
    "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll", "America/Havana",
  ])
  func everyDayHasExactlyOneOccurrence(_ zone: String) async {
    await #expect(processExitsWith: .success) { [zone] in
      setenv("TZ", zone, 1)
      for hour in [0, 1, 2, 3, 12, 23] {
        let schedule = try WallSchedule.daily(hour: hour, minute: 30)
        let begin = try Self.utc("2011-01-01 00:00:00")
        let end = try Self.utc("2013-01-01 00:00:00")
        var moment = begin
        var count = 0
        while let next = schedule.next(after: moment), next <= end {
          #expect(next > moment)
          #expect(count == 0 || (.hours(22) ... .hours(26)).contains(moment.duration(to: next)))
          moment = next
          count += 1
        }
        // 2012 was a leap year. (At the end, Apia has regained the day it skipped.)
        #expect(count == 731)
        #expect(
          schedule.occurrencesPassed(
            since: begin.nanosecondsSince1970, at: end.nanosecondsSince1970
          ).count
            == count)
      }
    }
  }

  @Test func followsAChangeOfTheTimeZone() async {
    await #expect(processExitsWith: .success) {
      let noon = try WallSchedule.daily(hour: 12)
      let morning = try Self.utc("2026-07-01 00:00:00")
      for (zone, expected) in [("Europe/Berlin", 10), ("Asia/Tokyo", 3), ("UTC", 12)] {
        setenv("TZ", zone, 1)
        #expect(noon.next(after: morning) == morning.advanced(by: .hours(expected)))
      }
    }
  }
}
