import Testing
import TimerKit

/// A clock can show a time before its origin: a wall clock before 1970, or a virtual clock that starts there.
@Suite struct NegativeTimeTests {
  static let clocks = [
    VirtualClock(startingAt: .seconds(-10)), VirtualClock(.continuous, startingAt: .days(-10_000)),
    VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: -3_600_000_000_000)),
  ]

  @Test(arguments: clocks) func aRepeaterFiresAtItsInterval(_ clock: VirtualClock) throws {
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    #expect(timer.timeLeft == .seconds(1))
    clock.advance(by: .milliseconds(2500))
    #expect(timer.snapshot.deliveredCount == 2)
    timer.pause()
    clock.advance(by: .seconds(3))
    timer.start()
    #expect(timer.timeLeft == .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    #expect(timer.snapshot.deliveredCount == 3)
  }

  @Test(arguments: clocks) func aDelayCountsFromTheReturnOfTheHandler(
    _ clock: VirtualClock
  ) throws {
    let timer = try Repeater.every(.seconds(1), missedTicks: .delay, clock: .virtual(clock)) {
      _, _ in
    }
    clock.advance(by: .seconds(3))
    #expect(timer.snapshot.deliveredCount == 3)
  }

  @Test(arguments: clocks) func aCountdownEnds(_ clock: VirtualClock) throws {
    let countdown = try Countdown(from: 3, every: .seconds(1), clock: .virtual(clock)) { _, _ in }
    countdown.start()
    clock.advance(by: .seconds(3))
    #expect(countdown.state == .finished)
  }

  @Test(arguments: clocks) func aRestoredTimerContinues(_ clock: VirtualClock) throws {
    let repeater = try Repeater.every(.seconds(4), clock: .virtual(clock)) { _, _ in }
    let cycle = try Cycle([.init("a", .seconds(4))], clock: .virtual(clock)) { _, _ in }
    cycle.start()
    clock.advance(by: .seconds(1))
    let restoredRepeater = try Repeater(
      restoring: repeater.checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)
    ) { _, _ in }
    let restoredCycle = try Cycle(
      restoring: cycle.checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)
    ) { _, _ in }
    #expect(restoredRepeater.timeLeft == .seconds(3))
    #expect(restoredCycle.timeLeft == .seconds(3))
    clock.advance(by: .seconds(3))
    #expect(restoredRepeater.snapshot.deliveredCount == 1)
    #expect(restoredCycle.snapshot.deliveredCount == 1)
  }
}
