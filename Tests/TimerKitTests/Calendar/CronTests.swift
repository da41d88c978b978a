import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

private let zones = [
  "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo",
]

/// The differences from croniter that a rule explains; the script describes them.
private let rules: Set<Substring> = ["gap", "repeated", "shifted", "full", "short"]

/// Compares lines of the script with WallSchedule. Returns what is wrong.
private func mismatches(in table: [Substring]) throws -> [String] {
  let zones = try zones.map { try TimeZoneRules($0) }
  var found: [String] = []
  for line in table {
    let columns = line.split(separator: "\t")
    let start = try #require(Int64(columns[1]))
    let schedule = try WallSchedule(cron: String(columns[0]))
    for (zone, column) in zip(zones, columns.dropFirst(2)) {
      // The occurrences, and those of croniter if it has others, after the rule that explains it.
      let parts = column.split(separator: " ")
      if parts.count > 1, !rules.contains(parts[1]) { found.append("unexplained: \(line)") }
      var instant = WallInstant(nanosecondsSince1970: start * 1_000_000_000)
      let own = schedule.inTimeZone(zone)
      for minutes in parts[0].split(separator: ",") {
        let expected = start / 60 * 60 + (try #require(Int64(minutes))) * 60
        let next = own.next(after: instant)
        if next?.nanosecondsSince1970 != expected * 1_000_000_000 {
          found.append(
            "\(columns[0]) in \(zone) after \(instant): \(next.map { "\($0)" } ?? "none")")
        }
        instant = WallInstant(nanosecondsSince1970: expected * 1_000_000_000)
      }
    }
  }
  return found
}

@Suite struct CronTests {
  @Test(.enabled(if: hasZones, "install tzdata"))
  func occursAsInTheTable() throws {
    let table = lines(bytes(ofFile: "\(calendarFolder)/cron.txt"))
    #expect(table.count == 500)
    #expect(try mismatches(in: table) == [])
  }

  private static func utc(_ text: String) throws -> WallInstant {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let day = try #require(
      Calendar.dayNumber(year: numbers[0], month: numbers[1], day: numbers[2]))
    let seconds = numbers[3] * 3600 + numbers[4] * 60
    return WallInstant(nanosecondsSince1970: (Int64(day) * 86_400 + Int64(seconds)) * 1_000_000_000)
  }

  /// In Berlin, 2:00 → 3:00 on 29 March 2026, at 1:00 UTC, and 3:00 → 2:00 on 25 October.
  @Test(
    .enabled(if: hasZones, "install tzdata"),
    arguments: [
      // Fixed times: at the end of the gap, together with the one that is there; once in the repeated hour.
      ("30 2 * * *", "2026-03-28 12:00", ["2026-03-29 01:00", "2026-03-30 00:30"]),
      ("15,45 2,3 * * *", "2026-03-29 00:00", ["2026-03-29 01:00", "2026-03-29 01:15"]),
      ("0 2,3 * * *", "2026-03-29 00:00", ["2026-03-29 01:00", "2026-03-30 00:00"]),
      ("30 2 * * *", "2026-10-24 12:00", ["2026-10-25 00:30", "2026-10-26 01:30"]),
      ("0-59/30 2 * * *", "2026-10-25 00:00", ["2026-10-25 00:30", "2026-10-26 01:00"]),
      // Times that follow the clock: not in the gap; in both of the repeated hours.
      ("*/30 2 * * *", "2026-03-28 12:00", ["2026-03-30 00:00", "2026-03-30 00:30"]),
      ("*/30 * * * *", "2026-03-29 00:15", ["2026-03-29 00:30", "2026-03-29 01:00"]),
      ("30 */2 * * *", "2026-03-28 23:45", ["2026-03-29 02:30", "2026-03-29 04:30"]),
      ("30 */2 * * *", "2026-10-24 22:45", ["2026-10-25 00:30", "2026-10-25 01:30"]),
      (
        "*/30 2 * * *", "2026-10-25 00:00",
        ["2026-10-25 00:30", "2026-10-25 01:00", "2026-10-25 01:30", "2026-10-26 01:00"]
      ),
    ])
  func followsChangesOfTheClock(_ cron: String, _ after: String, _ expected: [String]) throws {
    let schedule = try WallSchedule(cron: cron, timeZone: try TimeZoneRules("Europe/Berlin"))
    var instant = try Self.utc(after)
    for text in expected {
      let next = try #require(schedule.next(after: instant))
      #expect(next == (try Self.utc(text)))
      instant = next
    }
    // The same when they are counted.
    let begin = try Self.utc(after).nanosecondsSince1970
    let count = schedule.occurrencesPassed(since: begin, at: instant.nanosecondsSince1970).count
    #expect(count == expected.count)
  }

  /// Day of the month or day of the week, both, names, Sundays and nicknames, in UTC after 2026-01-01.
  @Test(
    .enabled(if: hasZones, "install tzdata"),
    arguments: [
      ("0 9 13 * 5", ["2026-01-02 09:00", "2026-01-09 09:00", "2026-01-13 09:00"]),
      ("0 9 */2 * 1", ["2026-01-05 09:00", "2026-01-19 09:00", "2026-02-09 09:00"]),
      ("0 9 1-7 * */7", ["2026-01-04 09:00", "2026-02-01 09:00", "2026-03-01 09:00"]),
      ("0 9 * * 0", ["2026-01-04 09:00"]), ("0 9 * * 7", ["2026-01-04 09:00"]),
      ("0 9 * * SUN", ["2026-01-04 09:00"]), ("0 9 * * 5-7", ["2026-01-02 09:00"]),
      ("0 0 29 2 *", ["2028-02-29 00:00", "2032-02-29 00:00"]),
      ("0 0 31 * *", ["2026-01-31 00:00", "2026-03-31 00:00"]),
      ("0 0 1 jan-mar/2,Dec *", ["2026-03-01 00:00", "2026-12-01 00:00"]),
      ("@yearly", ["2027-01-01 00:00"]), ("@annually", ["2027-01-01 00:00"]),
      ("@monthly", ["2026-02-01 00:00"]), ("@weekly", ["2026-01-04 00:00"]),
      ("@Daily", ["2026-01-02 00:00"]), ("@midnight", ["2026-01-02 00:00"]),
      ("@hourly", ["2026-01-01 01:00"]),
      ("\t*/59  * * * * ", ["2026-01-01 00:59", "2026-01-01 01:00"]),
    ])
  func followsTheRulesOfDebian(_ cron: String, _ expected: [String]) throws {
    let schedule = try WallSchedule(cron: cron, timeZone: .utc)
    var instant = try Self.utc("2026-01-01 00:00")
    for text in expected {
      let next = try #require(schedule.next(after: instant))
      #expect(next == (try Self.utc(text)))
      instant = next
    }
  }

  @Test(arguments: [
    ("60 * * * *", "invalid minute '60' (expected 0 to 59, *, a range 0-5, or a step */5)"),
    ("* 24 * * *", "invalid hour '24' (expected 0 to 23, *, a range 0-5, or a step */5)"),
    ("* * 0 * *", "invalid day of the month '0' (expected 1 to 31, *, a range 1-5, or a step */5)"),
    (
      "* * * 13 *",
      "invalid month '13' (expected 1 to 12, jan to dec, *, a range 1-5, or a step */5)"
    ),
    (
      "* * * * 8",
      "invalid day of the week '8' (expected 0 to 7, sun to sat, *, a range 0-5, or a step */5)"
    ),
    (
      "0 9 L JAN mon",
      "invalid day of the month 'L' (expected 1 to 31, *, a range 1-5, or a step */5)"
    ),
    ("1,,2 * * * *", "invalid minute '' (expected 0 to 59, *, a range 0-5, or a step */5)"),
  ])
  func errorsNameTheField(_ cron: String, _ message: String) {
    let error = #expect(throws: WallScheduleError.self) { try WallSchedule(cron: cron) }
    #expect(error.map { "\($0)" } == message)
  }

  /// Upper and lower case do not differ.
  @Test func anExpressionIsInLowerCase() throws {
    let schedule = try WallSchedule(cron: "0 9 * JAN-Mar MON")
    #expect(schedule.cronExpression == "0 9 * jan-mar mon")
    #expect(schedule == (try WallSchedule(cron: "0 9 * jan-mar mon")))
  }

  @Test(arguments: [
    "5-2 * * * *", "*/0 * * * *", "*/ * * * *", "5/10 * * * *", "-5 * * * *", "5- * * * *",
    "*5 * * * *", "*-5 * * * *", "1-2-3 * * * *", "+5 * * * *", "1//2 * * * *", "5.0 * * * *",
    "* * * monday *", "* * * * fri-sun", "jan * * * *", "* * l * *", "* * * * 1#2", "* * ? * *",
    "99999999999999999999 * * * *", "*/99999999999999999999 * * * *", "٣ * * * *",
    "", "* * * *", "* * * * * *", "@reboot", "@", "@daily x",
  ])
  func invalidExpressionsAreRefused(_ cron: String) {
    let error = #expect(throws: WallScheduleError.self) { try WallSchedule(cron: cron) }
    if case .invalid = error { return }
    Issue.record("\(cron): \(error.map { "\($0)" } ?? "accepted")")
  }

  @Test(arguments: ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30 2 */2"])
  func expressionsThatNeverOccurAreRefused(_ cron: String) {
    #expect(throws: WallScheduleError.neverOccurs) { try WallSchedule(cron: cron) }
  }
}

@Suite struct CronFuzzTests {
  /// 10,000 new expressions in `make fuzz`, if croniter is installed.
  @Test(.enabled(if: hasZones, "install tzdata"))
  func newExpressionsOccurAsInCroniter() throws {
    guard let seconds = getenv("FUZZ_SECONDS").flatMap({ Int(String(cString: $0)) }) else { return }
    let seed = getenv("FUZZ_SEED").map { String(cString: $0) } ?? "1"
    let script = "\(calendarFolder)/cron \(seed) \(seconds > 0 ? 10_000 : 0) 2>/dev/null"
    // Debian's package is that of Debian's Python.
    var table = lines(bytes(output: "/usr/bin/python3 \(script)"))
    if table.isEmpty { table = lines(bytes(output: "python3 \(script)")) }
    #expect(try mismatches(in: table) == [])
    printCases("newExpressionsOccurAsInCroniter()", table.count)
  }
}
