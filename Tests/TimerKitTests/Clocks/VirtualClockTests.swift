import Testing

@testable import TimerKit

/// Simulated system sleep and clock changes.
@Suite struct VirtualClockTests {
  let ticks = Recorder<Repeater.Tick>()

  private func clock(_ kind: TimerClock.Kind) -> VirtualClock {
    VirtualClock(
      kind, startingAt: .nanoseconds(0),
      wall: WallInstant(nanosecondsSince1970: kind == .wall ? 0 : 1_000))
  }

  private func every(_ nanoseconds: Int, on clock: VirtualClock) throws -> Repeater {
    try Repeater.every(.nanoseconds(nanoseconds), clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
  }

  @Test(arguments: TimerClock.Kind.allCases) func sleepStopsTheSuspendingClockOnly(
    _ kind: TimerClock.Kind
  ) throws {
    let clock = clock(kind)
    let timer = try every(10, on: clock)
    let wall = clock.wallNow
    clock.suspend(for: .nanoseconds(35))
    #expect(clock.now.nanoseconds == (kind == .suspending ? 0 : 35))
    #expect(wall.duration(to: clock.wallNow) == .nanoseconds(35))
    #expect(ticks.all.map(\.missedCount) == (kind == .suspending ? [] : [2]))
    #expect(ticks.all.map(\.lateness) == (kind == .suspending ? [] : [.nanoseconds(25)]))
    clock.advance(by: .nanoseconds(10))
    #expect(ticks.count == (kind == .suspending ? 1 : 2))
    clock.suspend(for: .nanoseconds(-35))
    #expect(wall.duration(to: clock.wallNow) == .nanoseconds(45))
    withExtendedLifetime(timer) {}
  }

  @Test(arguments: TimerClock.Kind.allCases) func theTimeOfDayEndsAtTheLastInstant(
    _ kind: TimerClock.Kind
  ) {
    let clock = clock(kind)
    clock.adjustWall(by: .seconds(1))
    clock.suspend(for: .seconds(Int64.max))
    #expect(clock.wallNow == .distantFuture)
  }

  @Test(arguments: TimerClock.Kind.allCases) func aClockStepMovesTheWallClockOnly(
    _ kind: TimerClock.Kind
  ) throws {
    let clock = clock(kind)
    let timer = try every(10, on: clock)
    let wall = clock.wallNow
    clock.adjustWall(by: .nanoseconds(25))
    #expect(wall.duration(to: clock.wallNow) == .nanoseconds(25))
    #expect(clock.now.nanoseconds == (kind == .wall ? 25 : 0))
    #expect(ticks.count == (kind == .wall ? 1 : 0))
    clock.adjustWall(by: .nanoseconds(-40))
    #expect(wall.duration(to: clock.wallNow) == .nanoseconds(-15))
    #expect(clock.now.nanoseconds == (kind == .wall ? -15 : 0))
    // The next tick is due at 30 on the wall clock, at 10 on the others.
    let rest = kind == .wall ? 45 : 10
    clock.advance(by: .nanoseconds(rest - 1))
    #expect(ticks.count == (kind == .wall ? 1 : 0))
    clock.advance(by: .nanoseconds(1))
    #expect(ticks.count == (kind == .wall ? 2 : 1))
    withExtendedLifetime(timer) {}
  }

  @Test func theWallClockShowsTheTimeOfDay() {
    for clock in [
      VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: 7)),
      VirtualClock(
        .wall, startingAt: .nanoseconds(1), wall: WallInstant(nanosecondsSince1970: 7)),
    ] {
      #expect(clock.now.nanoseconds == 7)
      clock.adjustWall(by: .nanoseconds(3))
      clock.suspend(for: .nanoseconds(3))
      clock.advance(by: .nanoseconds(3))
      #expect(clock.now.nanoseconds == 16)
      #expect(clock.wallNow == clock.now.wallInstant)
    }
  }

  /// All fire at the same instant, in the order in which they were due.
  @Test func allDueTimersFireInOrderAfterSleep() throws {
    let clock = clock(.continuous)
    let fires = Recorder<(scheduled: Int64, now: Int64)>()
    let timers = [5, 3, 4, 3, 1, 20].map { (deadline: Int64) in
      let timer = DeadlineTimer(clock: .virtual(clock)) {
        fires.append(($1.nanoseconds, clock.now.nanoseconds))
      }
      timer.schedule(at: clock.instant(deadline))
      return timer
    }
    clock.suspend(for: .nanoseconds(10))
    #expect(fires.all.map(\.scheduled) == [1, 3, 3, 4, 5])
    #expect(fires.all.allSatisfy { $0.now == 10 })
    withExtendedLifetime(timers) {}
  }

  @Test func aClockStepInAHandlerKeepsTheTimeLeftToAdvance() throws {
    for step in [-50, -5, 5, 50] {
      let clock = clock(.wall)
      let log = Recorder<Int64>()
      let stepper = DeadlineTimer(clock: .virtual(clock)) { _, _ in
        clock.adjustWall(by: .nanoseconds(step))
        log.append(clock.now.nanoseconds)
      }
      let other = DeadlineTimer(clock: .virtual(clock)) { _, _ in log.append(clock.now.nanoseconds)
      }
      stepper.schedule(at: clock.instant(10))
      other.schedule(at: clock.instant(12))
      clock.advance(by: .nanoseconds(70))
      #expect(clock.now.nanoseconds == Int64(70 + step))
      #expect(log.all == [Int64(10 + step), Int64(max(12, 10 + step))])
    }
  }

  @Test func aSleepInAHandlerAddsToTheTimeLeftToAdvance() throws {
    let clock = clock(.continuous)
    let sleeper = DeadlineTimer(clock: .virtual(clock)) { _, _ in
      clock.suspend(for: .nanoseconds(30))
    }
    sleeper.schedule(at: clock.instant(10))
    clock.advance(by: .nanoseconds(20))
    #expect(clock.now.nanoseconds == 50)
  }

  /// A pending delivery does not restore the time at which it became pending.
  @Test func aStepBackHoldsWhileFiresAreDelivered() throws {
    let clock = clock(.wall)
    clock.advance(by: .nanoseconds(100))
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { timer, tick in
      guard tick.iteration == 1 else { return }
      timer.fire()
      clock.adjustWall(by: .nanoseconds(-60))
    }
    timer.fire()
    #expect(timer.snapshot.deliveredCount == 2)
    #expect(clock.now.nanoseconds == 40)
  }

  @Test func extremeStepsDoNotTrap() {
    for kind in TimerClock.Kind.allCases {
      let clock = clock(kind)
      clock.suspend(for: .days(Int.max / 200_000))
      clock.adjustWall(by: .seconds(Int64.max))
      clock.adjustWall(by: .seconds(Int64.min))
      clock.advance(by: .seconds(Int64.max))
    }
  }
}
