import Testing
import TimerKit

@testable import TimerBoard

/// Saved timers that are advanced over the time in which the program was not running.
@Suite struct OfflineCatchUpTests {
  private static let start = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)

  private func catchUp(
    _ words: String, _ policy: RestorePolicy = .catchUp, for time: Duration
  ) throws -> (OfflineCatchUp, ClockReading) {
    let start = ClockReading(wall: Self.start)
    let end = ClockReading(wall: start.wall.advanced(by: time))
    let timers = try TimerSpec.parse(arguments: [words]).map { SavedTimer(startOf: $0, at: start) }
    return (OfflineCatchUp(of: timers, policy, until: end), end)
  }

  private func reports(_ catchUp: OfflineCatchUp) -> [String] {
    catchUp.report.map { "\($0.label) \($0.text)" }
  }

  @Test func periodsElapse() throws {
    let (catchUp, now) = try catchUp(
      "tea=3m sets=every 45s x8 pomo=cycle 25m/5m x4 sw=stopwatch p=1m paused", for: .seconds(100))
    #expect(
      catchUp.timers.map { $0.timeText(at: now) } == ["1:20", "0:35", "23:20", "1:40", "1:00"])
    #expect(catchUp.timers[1].iterationsText(at: now) == "6/8")
    #expect(reports(catchUp) == ["sets fired 2 times"])
  }

  @Test func onlyDatesElapseWithKeepTimeLeft() throws {
    let (catchUp, now) = try catchUp("tea=3m at 2026-11-21T12:00", .keepTimeLeft, for: .days(1))
    #expect(catchUp.timers[0].timeText(at: now) == "3:00")
    #expect(catchUp.timers[1].state == .finished)
    #expect(reports(catchUp) == ["at 2026-11-21T12:00 finished"])
  }

  /// `a` ends at 10 s and starts `b`, which ends at 40 s and starts `c`.
  @Test func aFinishedTimerStartsTheNext() throws {
    let (catchUp, now) = try catchUp(
      "a=every 5s x2 then b b=30s paused then c c=1m paused", for: .seconds(50))
    #expect(catchUp.timers.map(\.state) == [.finished, .finished, .running])
    #expect(catchUp.timers[2].timeText(at: now) == "0:50")
    #expect(reports(catchUp) == ["a finished", "b finished"])
  }

  /// Chains are followed by positions.
  @Test func timersKeepTheirIdentifiers() throws {
    let now = ClockReading(wall: Self.start)
    let specs = try TimerSpec.parse(arguments: ["a=5s then b b=30s paused then a"])
    let timers = SavedTimer.timers(specs, at: now)
    let end = ClockReading(wall: now.wall.advanced(by: .seconds(50)))
    let caughtUp = OfflineCatchUp(of: timers, .catchUp, until: end).timers
    #expect(caughtUp.map(\.id) == timers.map(\.id))
  }

  @Test func aTimerCanRestartItself() throws {
    let (catchUp, now) = try catchUp("a=10s then a", for: .seconds(25))
    #expect(catchUp.timers[0].timeText(at: now) == "0:05")
    #expect(reports(catchUp) == ["a fired 2 times"])
  }

  /// No fire is lost, and none is counted twice.
  @Test(arguments: [
    ("a=7s then b b=11s then c c=13s then a", Duration.hours(30)),
    ("a=7s then b b=11s then a c=1h then b", .hours(30)),
    ("a=7s then b b=11s then a c=daily 12:00 x2 then b", .days(3)),
    ("a=7s then b b=11s then a c=every 1h x3 then a", .hours(30)),
  ])
  func chainsContinue(words: String, time: Duration) throws {
    let (whole, now) = try catchUp(words, for: time)
    #expect(whole.delayed.isEmpty)
    // The same in steps.
    var timers = try TimerSpec.parse(arguments: [words])
      .map { SavedTimer(startOf: $0, at: ClockReading(wall: Self.start)) }
    var fired = timers.map { _ in 0 }
    var wall = Self.start
    while wall < now.wall {
      wall = min(now.wall, wall.advanced(by: .seconds(29)))
      let part = OfflineCatchUp(of: timers, .catchUp, until: ClockReading(wall: wall))
      timers = part.timers
      fired = zip(fired, part.fires).map(+)
    }
    #expect(whole.fires == fired)
    #expect(whole.timers == timers)
  }

  /// A day with two timers in a loop and a timer with thousands of future fires.
  @Test func manyFutureFiresAreComputedQuickly() throws {
    let took = try processorTime {
      let (catchUp, _) = try catchUp(
        "a=10s then b b=10s paused then a c=daily 09:00 x10000", for: .days(1))
      #expect(catchUp.timers.map(\.state).count(where: { $0 == .running }) == 2)
      #expect(catchUp.fires == [4_320, 4_320, 1])
    }
    #expect(took < .seconds(1), "\(took)")
  }

  /// A loop that cannot be skipped is followed up to a limit; then it continues from now and is
  /// reported.
  @Test func anEndlessLoopIsReported() throws {
    let words = (0..<400).map { "t\($0)=\(1000 + $0)ms then t\(($0 + 1) % 400) ring" }
    let (catchUp, now) = try catchUp(words.joined(separator: " "), for: .days(3650))
    #expect(!catchUp.delayed.isEmpty)
    #expect(reports(catchUp).contains { $0.contains("too many chained starts") })
    #expect(catchUp.timers.contains { $0.state == .running && $0.timeLeft(at: now) != nil })
    // What ended after the limit has ended now.
    let ended = catchUp.timers.filter { $0.hasAlert }.compactMap(\.overtime)
    #expect(ended.contains(.zero))
  }

  /// The run has no final rest: seven phases, 4 × 25 + 3 × 5 minutes.
  @Test(arguments: [(114, TimerState.running), (115, .finished)])
  func aCycleEndsOnTime(minutes: Int, phase: TimerState) throws {
    let (catchUp, _) = try catchUp(
      "pomo=cycle 25m/5m x4 then b b=1h paused", for: .minutes(minutes))
    #expect(catchUp.timers[0].state == phase)
    #expect(catchUp.timers[1].state == (phase == .finished ? .running : .paused))
  }
}
