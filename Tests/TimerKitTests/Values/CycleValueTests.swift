import Testing

@testable import TimerKit

/// Cycles and stopwatches as values: what they add to the state machines, which have their own tests.
@Suite struct CycleValueTests {
  private let origin = TimerClock.suspending.instant(nanoseconds: 0)
  private let wall = WallInstant(nanosecondsSince1970: 0)

  private func at(_ seconds: Int64) -> TimerClock.Instant { origin + .seconds(seconds) }

  private func cycle(rounds: Int? = 3) throws -> Cycle.Value {
    try Cycle.Value([.init("work", .seconds(20)), .init("rest", .seconds(10))], rounds: rounds)
  }

  @Test func phasesEndAndSkipsAreRequests() throws {
    var cycle = try cycle()
    cycle.start(at: at(0))
    #expect(cycle.deadline == at(20) && cycle.wakeUp == at(20)...at(20))
    #expect(cycle.skip(at: at(5)) == .changed && cycle.wakeUp == at(5)...at(5))
    #expect(cycle.advance(to: at(5))?.isManual == true && cycle.position?.phase.name == "rest")
    // The rest ends at 15, and the work that follows at 35.
    let tick = cycle.advance(to: at(40))
    #expect(tick?.ended.phase.name == "rest" && tick?.missedCount == 1 && cycle.phaseIndex == 3)
    #expect(cycle.end(by: at(64)) == nil && cycle.end(by: at(65)) == at(65))
    #expect(cycle.advance(to: at(70))?.isLast == true && cycle.state == .finished)
  }

  @Test(arguments: [(0, 3, 3, 80), (1, 2, 2, 50), (2, 1, 1, 30), (3, 0, 0, 20), (4, 0, 0, 20)])
  func phasesPassWithoutDeliveries(
    left: Int, passed: Int, phaseIndex: Int, deadline: Int64
  ) throws {
    var cycle = try cycle(rounds: nil)
    cycle.start(at: at(0))
    let before = cycle
    // Phases end at 20, 30 and 50.
    #expect(cycle.catchUp(to: at(55), leaving: left) == passed)
    #expect(cycle.phaseIndex == phaseIndex)
    #expect(cycle.deadline == at(left == 0 ? 60 : deadline))
    let tick = cycle.advance(to: at(55))
    #expect(tick?.missedCount == (left == 0 ? nil : min(left, 3) - 1))
    #expect(cycle.deadline == at(60) && cycle.phaseIndex == 3)
    #expect(before.end(by: at(1_000_000)) == nil)
  }

  @Test func aRunEndsWhileItCatchesUp() throws {
    var cycle = try cycle()
    cycle.start(at: at(0))
    // 20 + 10 + 20 + 10 + 20, without the last rest.
    #expect(cycle.end(by: at(80)) == at(80))
    #expect(cycle.catchUp(to: at(80)) == 5 && cycle.state == .finished && cycle.wakeUp == nil)
    cycle.restart(at: at(100))
    #expect(cycle.catchUp(to: at(500), leaving: 1) == 4)
    #expect(cycle.advance(to: at(500))?.isLast == true)
  }

  @Test(.timeLimit(.minutes(1))) func manyRoundsAreOneStep() throws {
    var cycle = try Cycle.Value(
      [.init("a", .nanoseconds(1)), .init("b", .nanoseconds(2))], rounds: Int.max)
    cycle.start(at: at(0))
    #expect(cycle.end(by: TimerClock.suspending.instant(nanoseconds: .max)) == nil)
    #expect(cycle.catchUp(to: at(3_000_000_000)) == 2_000_000_000_000_000_000)
    #expect(cycle.catchUp(to: at(6_000_000_000), leaving: 3) == 1_999_999_999_999_999_997)
  }

  /// A phase that waits for its start is an idle cycle at that phase.
  @Test func aCycleIsMadeAtAPhase() throws {
    let waiting = Cycle.Checkpoint(
      configuration: try cycle().snapshot.configuration, state: .idle, phaseIndex: 1,
      timeLeft: nil, takenAt: wall)
    var cycle = try Cycle.Value(restoring: waiting, at: at(0), wall: wall)
    #expect(cycle.position?.phase.name == "rest" && cycle.wakeUp == nil)
    #expect(cycle.start(at: at(7)) == .changed && cycle.deadline == at(17))
    #expect(cycle.advance(to: at(17))?.begun?.round == 2)
    #expect(
      throws: RestoreError.invalidPhaseIndex(9),
      performing: {
        var invalid = waiting
        invalid.phaseIndex = 9
        _ = try Cycle.Value(restoring: invalid, at: at(0), wall: wall)
      })
  }

  @Test func lapsAreReturnedAndDelivered() throws {
    var watch = Stopwatch.Value()
    #expect(watch.lap(at: at(0)) == nil)
    watch.start(at: at(0))
    let lap = watch.lap(at: at(3))
    #expect(lap?.total == .seconds(3) && watch.wakeUp == at(3)...at(3))
    #expect(watch.advance(to: at(3)) == lap.map { .lap($0) } && watch.wakeUp == nil)
    for _ in 0..<1_024 { #expect(watch.lap(at: at(4)) != nil) }
    #expect(watch.lap(at: at(4)) == nil)
    #expect(watch.elapsed(at: at(9)) == .seconds(9) && watch.laps.count == 1_025)
  }

  @Test func anAlarmIsADeadline() throws {
    var watch = Stopwatch.Value()
    #expect(watch.setAlarm(at: .seconds(10)) == .changed && watch.deadline == nil)
    #expect(watch.timeLeft(at: at(0)) == .seconds(10))
    watch.start(at: at(5))
    #expect(watch.deadline == at(15) && watch.end(by: at(100)) == nil)
    var copy = watch
    #expect(copy.catchUp(to: at(20), leaving: 1) == 0 && copy.catchUp(to: at(20)) == 1)
    #expect(copy.advance(to: at(20)) == nil && copy.snapshot.alarmHasFired)
    #expect(watch.advance(to: at(16)) == .alarm(at: .seconds(10), lateness: .seconds(1)))
    let restored = try Stopwatch.Value(
      restoring: watch.checkpoint(at: at(16), wall: wall), at: at(900),
      wall: wall.advanced(by: .seconds(4)))
    #expect(restored.elapsed(at: at(900)) == .seconds(15))
  }
}
