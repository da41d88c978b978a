import Testing
import TimerKit

@testable import TimerBoard

/// Durations, days and names that are the values of commands and options.
@Suite struct ValueTextTests {
  @Test(arguments: [
    ("90s", "1m30s"), ("1 minute", "1m"), ("half an hour", "30m"), ("an hour and a half", "1h30m"),
    ("twenty five minutes", "25m"), ("PT5M", "5m"), ("1 hour, 30 minutes", "1h30m"),
    ("1h 30", "1h30m"), ("05:00", "5m"), ("1 1/2 hours", "1h30m"), ("5 m", "5m"),
  ])
  func durationsAreThoseOfTimers(_ text: String, _ formatted: String) throws {
    #expect(DurationText.text(try DurationText.parse(words: text)) == formatted)
  }

  @Test(arguments: [
    ("5", "missing unit after '5' (expected 5s, 5m or 5h)"),
    ("", "missing number (expected a duration, such as 30s or 1.5h)"),
    ("3 months", "unknown unit 'months' (expected ms, s, m, h, d or w)"),
    ("5m tea", "unknown unit 'mtea' (expected ms, s, m, h, d or w)"),
    ("at 9", "missing number (expected a duration, such as 30s or 1.5h)"),
  ])
  func otherTextsAreNoDurations(_ text: String, _ message: String) {
    let error = #expect(throws: TimeSyntaxError.self) { try DurationText.parse(words: text) }
    #expect(error?.message == message)
  }

  /// Milliseconds are the usual unit of these.
  @Test(arguments: [
    ("debounce 500", "missing unit after '500' (expected 500ms, 500s or 500m)"),
    ("throttle 500", "missing unit after '500' (expected 500ms, 500s or 500m)"),
    ("debounce 2s max 500", "missing unit after '500' (expected 500ms, 500s or 500m)"),
    ("idle 500", "missing unit after '500' (expected 500s, 500m or 500h)"),
    ("debounce 2s 500", "missing unit after '500' (expected 500s, 500m or 500h)"),
  ])
  func shortTimesSuggestMilliseconds(_ text: String, _ message: String) {
    let error = #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(arguments: [text]) }
    #expect(error?.message == message)
  }

  /// It is Wednesday, 2026-07-01.
  @Test(arguments: [
    ("today", "2026-07-01"), ("yesterday", "2026-06-30"), ("2026-06-15", "2026-06-15"),
    ("2026-06", "2026-06-01"), ("7d", "2026-06-24"), ("1 week", "2026-06-24"),
    ("3 days ago", "2026-06-28"), ("two weeks ago", "2026-06-17"), ("12h", "2026-06-30"),
    ("monday", "2026-06-29"), ("wednesday", "2026-07-01"), ("thu", "2026-06-25"),
    ("last wednesday", "2026-06-24"), ("this week", "2026-06-29"), ("last week", "2026-06-22"),
    ("24 dec", "2025-12-24"), ("dec 24 2024", "2024-12-24"), ("1 july", "2026-07-01"),
    ("29 feb", "2024-02-29"), ("Yesterday", "2026-06-30"),
  ])
  func daysAreInThePast(_ text: String, _ day: String) {
    let today = CivilDate(year: 2026, month: 7, day: 1)
    #expect(today.flatMap { CivilDate.inPast(text, today: $0)?.text } == day)
  }

  @Test(arguments: [
    "", "foo", "7", "noon", "monday tea", "9:00", "mondays", "mon-fri", "2026-13", "2026-06-31",
    "12/25/2026", "tea=3m", "last", "7d tea", "3 months ago", "2026-06-15T09:00", "'monday'",
  ])
  func otherTextsAreNoDays(_ text: String) {
    let today = CivilDate(year: 2026, month: 7, day: 1)
    #expect(today.flatMap { CivilDate.inPast(text, today: $0) } == nil)
  }

  @Test(arguments: ["' '=5m", "'\u{3000}'=5m", "'a\nb'=5m", "'a\u{2028}b'=5m", "5m group ' '"])
  func namesAreVisibleInALine(_ text: String) throws {
    let error = #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(arguments: [text]) }
    #expect(error?.message.hasPrefix("invalid name") == true)
    // A session that has one is read.
    let spec = try TimerSpec.parse(timer: text, in: .trusted)
    #expect(try TimerSpec.parse(timer: spec.text, in: .trusted) == spec)
  }

  /// A name like the reference to another timer is in quotes.
  @Test func aNameLikeAReferenceIsQuoted() throws {
    #expect(try TimerSpec.parse(timer: "#3=5m").text == "'#3'=5m")
    #expect(try TimerSpec.parse(timer: "tea#3=5m").text == "tea#3=5m")
  }

  /// Printed text has no tabs.
  @Test func theFieldsOfCronAreSeparatedBySpaces() throws {
    let spec = try TimerSpec.parse(arguments: ["cron", "0\t9\t* *  1-5"])
    #expect(spec.map(\.text) == ["cron '0 9 * * 1-5'"])
  }
}
