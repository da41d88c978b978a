import Testing
import TimerKit

@testable import TimerBoard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let hasTimeZones = access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0

/// Several times a day, days of the month, cron expressions and time zones.
@Suite(.enabled(if: hasTimeZones, "install tzdata")) struct ScheduleGrammarTests {
  /// Each is written as the second text, which is written as itself.
  @Test(arguments: [
    ("every day at 8:00 and 20:00", "daily 08:00 and 20:00"),
    ("daily 20:00 and 8 and 9:00:30", "daily 08:00 and 09:00:30 and 20:00"),
    ("every mon,thu 9am and 6 pm x4", "every mon,thu 09:00 and 18:00 x4"),
    ("weekdays noon and 17", "weekdays 12:00 and 17:00"),
    ("mon-fri at 9:55 and 14:00", "weekdays 09:55 and 14:00"),
    ("first monday of the month at 9", "first monday of the month 09:00"),
    ("every first mon of the month 9:00 and 10:00", "first monday of the month 09:00 and 10:00"),
    ("last friday of each month 5pm", "last friday of the month 17:00"),
    ("last day of the month at 18:00", "last day of the month 18:00"),
    ("every first day of every month 9:00", "first day of the month 09:00"),
    ("every 2 hours from 9 to 17", "every 2h from 09:00 to 17:00"),
    ("every 2h from 9am until 6pm", "every 2h from 09:00 to 17:00"),
    ("every hour from 9 to 17 x3", "every 1h from 09:00 to 17:00 x3"),
    ("every 15 min from 9:30 to 12:00", "every 15m from 09:30 to 12:00"),
    ("weekdays every 15m from 9 to 17", "weekdays every 15m from 09:00 to 17:00"),
    ("every sat every 6h", "every sat every 6h from 00:00 to 18:00"),
    ("daily every 90m from 9 to 12", "every 1h30m from 09:00 to 12:00"),
    (
      "last sunday of the month every 1h from 9 to 11",
      "last sunday of the month every 1h from 09:00 to 11:00"
    ),
    ("cron '*/15 9-17 * * 1-5'", "cron '*/15 9-17 * * 1-5'"),
    ("cron @Daily", "cron '@daily'"), ("cron \"0 9 1 JAN *\" x2", "cron '0 9 1 jan *' x2"),
    ("at 9:00 in Asia/Tokyo", "at 09:00 in Asia/Tokyo"),
    ("fri 9:00 in Europe/Berlin", "at fri 09:00 in Europe/Berlin"),
    ("at 2099-01-31T09:00 in Asia/Tokyo paused", "at 2099-01-31T09:00 in Asia/Tokyo paused"),
    ("daily 9:00 and 10:00 in Asia/Tokyo x3", "daily 09:00 and 10:00 in Asia/Tokyo x3"),
    ("cron '0 9 * * *' in America/New_York", "cron '0 9 * * *' in America/New_York"),
    ("every 2h from 9 to 17 in Asia/Tokyo", "every 2h from 09:00 to 17:00 in Asia/Tokyo"),
    ("pay=last day of the month 9:00", "pay=last day of the month 09:00"),
    ("pay last day of the month 9:00", "pay=last day of the month 09:00"),
    ("backup cron '0 3 * * *' run x", "backup=cron '0 3 * * *' run x"),
  ])
  func isWrittenAndParsedAgain(_ line: String, _ text: String) throws {
    let spec = try TimerSpec.parse(timer: line)
    #expect(spec.text == text)
    #expect(try TimerSpec.parse(timer: text) == spec)
    #expect(try TimerSpec.parse(timer: text, in: .trusted) == spec)
    #expect(spec.roundTripsAsText)
  }

  /// The words keep their other meanings.
  @Test(arguments: [
    ("cron=5m", "cron=5m"), ("cron 5m", "cron=5m"), ("last=5m", "last=5m"),
    ("first=monday 9:00", "first=at mon 09:00"), ("every 2h", "every 2h"),
    ("from=every 5m", "from=every 5m"), ("in 5m", "5m"), ("at 9:00 9m", "at 09:00 9m"),
    ("every hour", "every 1h"),
  ])
  func otherMeaningsStay(_ line: String, _ text: String) throws {
    #expect(try TimerSpec.parse(arguments: [line]).map(\.text).joined(separator: " ") == text)
  }

  /// A shell has removed the quotes.
  @Test func aCronExpressionIsOneArgument() throws {
    let specs = try TimerSpec.parse(arguments: ["cron", "*/15 9-17 * * 1-5", "in", "Asia/Tokyo"])
    #expect(specs.map(\.text) == ["cron '*/15 9-17 * * 1-5' in Asia/Tokyo"])
    #expect(try TimerSpec.parse(arguments: ["cron", "5m"]).map(\.text) == ["cron=5m"])
  }

  @Test(arguments: [
    (
      "cron '61 * * * *'", 7,
      "invalid minute '61' (expected 0 to 59, *, a range 0-5, or a step */5)"
    ),
    (
      "cron '0 0 30 2 *'", 7,
      "schedule that never occurs (expected at least one time and date)"
    ),
    (
      "at 9:00 in Europe/Berln", 12,
      "invalid time zone 'Europe/Berln' (expected one of the package tzdata in /usr/share/zoneinfo, such as Europe/Berlin)"
    ),
    ("at 9:00 in 5m", 9, "'in' does not apply to 'at'"),
    ("every 2h from 9 foo", 17, "missing end of the hours (expected one, such as from 9 to 17)"),
    ("every 2h from 9", 16, "missing end of the hours (expected one, such as from 9 to 17)"),
    (
      "every 90s from 9 to 17", 21,
      "invalid interval '90.0 seconds' (expected whole minutes, at most a day)"
    ),
    (
      "every 2h from 17 to 9", 21,
      "schedule that never occurs (expected at least one time and date)"
    ),
    (
      "at 9:00 and 10:00", 9,
      "several times for an alarm that fires once (expected one time, or daily 8:00 and 20:00)"
    ),
  ])
  func errorsNameTheirPlace(_ line: String, _ column: Int, _ message: String) {
    let error = #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(arguments: [line]) }
    #expect(error?.message == message)
    #expect(error?.column == column)
  }

  /// A timer in a zone of its own starts, is saved, and restored.
  @Test func aScheduleIsSavedAndRestored() throws {
    let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 1_767_225_600_000_000_000))
    for line in ["daily 8:00 and 20:00 in Asia/Tokyo", "cron '0 8 * * *' in Asia/Tokyo x3"] {
      let spec = try TimerSpec.parse(timer: line)
      let timer = try BoardTimer(id: TimerID(1), startOf: spec, at: now)
      // 20:00 in Tokyo is 11:00 UTC; 8:00 is 23:00.
      let hours = line.hasPrefix("daily") ? 11 : 23
      #expect(timer.timeLeft(at: now) == .hours(hours))
      let restored = try BoardTimer(SavedFields(timer, at: now), savedAt: now)
      #expect(restored.spec == spec)
      #expect(restored.timeLeft(at: now) == .hours(hours))
    }
  }

  /// A date that has passed here may not have passed there.
  @Test func aDateIsPastInItsZone() throws {
    // 12:00 UTC on 1 January 2026.
    let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 1_767_268_800_000_000_000))
    let context = TimerContext(now: now)
    let text = "at 2026-01-01T11:00"
    #expect(throws: TimerSyntaxError.self) {
      try TimerSpec.parse(timer: "\(text) in UTC", in: context)
    }
    #expect(throws: Never.self) {
      try TimerSpec.parse(timer: "\(text) in America/New_York", in: context)
    }
  }
}
