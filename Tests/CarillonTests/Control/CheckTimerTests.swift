import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// `carillon check --timer`: when a timer would fire.
@Suite(.enabled(if: hasBerlin, "install tzdata")) struct CheckTimerTests {
  /// Wednesday, 2026-07-01 16:29 in Berlin.
  private func forecast(zone: String = "Europe/Berlin") throws -> FireForecast {
    let wall = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)
    return FireForecast(
      now: ClockReading(wall: wall, zone: .rules(try TimeZoneRules(zone))), zoneName: zone,
      uses24Hours: true)
  }

  private func text(_ timer: String) throws -> String {
    let forecast = try forecast()
    let parsed = try ParsedTimers(arguments: [timer], in: TimerContext(now: forecast.now))
    return parsed.specs.map { forecast.text(of: $0, in: parsed) }.joined(separator: "\n")
  }

  @Test func fiveFiresOfACronExpression() throws {
    #expect(
      try text("cron '0 9 1,15 * 5' in Europe/Berlin") == """
        cron '0 9 1,15 * 5' in Europe/Berlin · first fires Fri 09:00, in 1 d 17 h
          Fri 2026-07-03  09:00:00  Europe/Berlin +02:00  in 2 days
          Fri 2026-07-10  09:00:00  Europe/Berlin +02:00  in 9 days
          Wed 2026-07-15  09:00:00  Europe/Berlin +02:00  in 14 days
          Fri 2026-07-17  09:00:00  Europe/Berlin +02:00  in 16 days
          Fri 2026-07-24  09:00:00  Europe/Berlin +02:00  in 23 days

        """)
  }

  /// The offset is that of each fire.
  @Test func clocksChangeBetweenFires() throws {
    let fires = try text("every other sunday at 9 from 2026-10-18 in Europe/Berlin")
    #expect(fires.contains("Sun 2026-10-18  09:00:00  Europe/Berlin +02:00  in 109 days\n"))
    #expect(fires.contains("Sun 2026-11-01  09:00:00  Europe/Berlin +01:00  in 123 days\n"))
  }

  @Test func firesOfOtherKinds() throws {
    #expect(
      try text("tea=3m") == """
        tea · once 3m · fires 16:32:00
          Wed 2026-07-01  16:32:00  Europe/Berlin +02:00  today

        """)
    #expect(
      try text("cycle 25/5 x2") == """
        cycle 25m/5m ×2 · work until 16:54:00, ends 17:24:00
          Wed 2026-07-01  16:54:00  Europe/Berlin +02:00  today  rest
          Wed 2026-07-01  16:59:00  Europe/Berlin +02:00  today  work
          Wed 2026-07-01  17:24:00  Europe/Berlin +02:00  today

        """)
    // It fires at its start, too, and a pause does not matter.
    #expect(try text("every 12h x3 now jitter 5m").split(separator: "\n").count == 4)
    #expect(try text("every 12h x3 paused").contains("Thu 2026-07-02  04:29:00"))
    #expect(try text("cycle 25/5 wait").split(separator: "\n").count == 2)
    #expect(try text("stopwatch") == "stopwatch · counts up\n")
    #expect(try text("debounce 2s") == "debounce 2s · waits for triggers\n")
    #expect(try text("every 100d").contains("in 500 days"))
    #expect(try text("tea=3m egg=5m").contains("\n\negg · once 5m"))
  }

  @Test func jsonHasTheSameFires() throws {
    let forecast = try forecast()
    let spec = try TimerSpec.parse(timer: "pause=cycle work 1h/rest 2d x1")
    #expect(
      forecast.json(of: spec) == """
        {"name":"pause","timer":"pause=cycle 1h/2d x1","fires":[\
        {"at":"2026-07-01T15:29:00.000Z","local":"2026-07-01T17:29:00+02:00",\
        "zone":"Europe/Berlin","days":0}]}

        """)
    #expect(
      forecast.json(of: try TimerSpec.parse(timer: "stopwatch"))
        == #"{"name":"stopwatch","timer":"stopwatch","fires":[]}"# + "\n")
  }

  /// The longest durations and the last dates do not trap.
  @Test(arguments: [
    "36525d", "every 36525d", "cycle 36525d/36525d", "at 2261-12-31T23:59", "every 1ms",
  ])
  func extremeTimersDoNotTrap(_ timer: String) throws {
    #expect(try !text(timer).isEmpty)
  }
}

private let hasBerlin = (try? TimeZoneRules("Europe/Berlin")) != nil
