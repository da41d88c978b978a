import Testing

@testable import TimerKit

@Suite struct RepeaterBurstTests {
  /// Returns the ticks of an alarm at `now` on a machine with interval 10 that started at 0.
  private func burst(
    _ mode: Repeater.Mode, limit: Int, at now: Int64,
    inside control: (inout RepeaterStateMachine) -> Void = { _ in }
  ) throws -> (ticks: [Repeater.Tick], machine: RepeaterStateMachine) {
    var machine = try RepeaterStateMachine(
      mode: mode, interval: 10, missedTicks: .burst(limit: limit))
    _ = machine.start(at: 0)
    var ticks: [Repeater.Tick] = []
    var effect = machine.handleArmedAlarm(generation: machine.generation, at: now)
    while case .deliver(let tick) = effect {
      ticks.append(tick)
      if ticks.count == 1 { control(&machine) }
      machine.deliveryFinished { now }
      effect = machine.takeReady(at: now)
    }
    return (ticks, machine)
  }

  @Test func deliversEveryMissedTickAtItsOwnTime() throws {
    let (ticks, machine) = try burst(.infinite, limit: 9, at: 34)
    #expect(ticks.map(\.deadline.nanoseconds) == [10, 20, 30])
    #expect(ticks.map(\.lateness) == [24, 14, 4].map { .nanoseconds($0) })
    #expect(ticks.map(\.missedCount) == [0, 0, 0])
    #expect(machine.deadline == 40)
  }

  @Test func theLastTickOfTheLimitCarriesTheRest() throws {
    let (ticks, machine) = try burst(.infinite, limit: 2, at: 59)
    #expect(ticks.map(\.missedCount) == [0, 3])
    #expect(machine.missedCount == 3)
    #expect(machine.deadline == 60)
  }

  @Test func neverDeliversMoreThanAreLeft() throws {
    let (ticks, machine) = try burst(.finite(2), limit: 9, at: 59)
    #expect(ticks.map(\.remainingIterations) == [1, 0])
    #expect(ticks.map(\.missedCount) == [0, 3])
    #expect(machine.state == .finished)
  }

  @Test func aOnceTimerMissesNothing() throws {
    let (ticks, _) = try burst(.once, limit: 9, at: 59)
    #expect(ticks.map(\.missedCount) == [0])
  }

  @Test(
    arguments: [
      { @Sendable (machine: inout RepeaterStateMachine) in _ = machine.pause(at: 50) },
      { _ = $0.reset(restart: true, at: 50) },
      { _ = $0.setInterval(10, counting: .fromNow, at: 50) },
      { _ = $0.setInterval(10, counting: .fromLastFire, at: 50) },
      { _ = $0.setInterval(10, counting: .fromNextFire, at: 50) },
      { _ = $0.adjustTimeLeft(by: 3, at: 50) },
      { _ = $0.setRemainingIterations(5) },
      { _ = $0.cancel() },
    ] as [@Sendable (inout RepeaterStateMachine) -> Void])
  func aControlInTheHandlerDropsTheRest(
    _ control: @Sendable (inout RepeaterStateMachine) -> Void
  ) throws {
    #expect(try burst(.finite(99), limit: 9, at: 50, inside: control).ticks.count == 1)
  }

  @Test func aFireInTheHandlerComesAfterTheRest() throws {
    let (ticks, _) = try burst(.infinite, limit: 9, at: 34) {
      _ = $0.fire(pausing: false, at: 34)
    }
    #expect(ticks.map(\.isManual) == [false, false, false, true])
  }

  @Test func theLargestMissedCountDoesNotOverflow() throws {
    var machine = try RepeaterStateMachine(
      mode: .infinite, interval: 1, missedTicks: .burst(limit: 2))
    _ = machine.start(at: .min)
    for missed in [0, Int.max - 1] {
      let effect =
        missed == 0
        ? machine.handleArmedAlarm(generation: 1, at: .max) : machine.takeReady(at: .max)
      guard case .deliver(let tick) = effect else {
        Issue.record("nothing delivered")
        return
      }
      #expect(tick.missedCount == missed)
      machine.deliveryFinished { .max }
    }
  }
}
