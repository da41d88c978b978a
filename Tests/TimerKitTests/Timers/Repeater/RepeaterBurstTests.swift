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
    var effect = machine.handleArmedAlarm(at: now)
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

  @Test(
    arguments: [
      { @Sendable (machine: inout RepeaterStateMachine) in _ = machine.pause(at: 50) },
      { _ = $0.reset(restart: true, at: 50) },
      { _ = $0.setInterval(10, counting: .fromNow, at: 50) },
      { _ = $0.setInterval(10, counting: .fromLastFire, at: 50) },
      { _ = $0.setInterval(10, counting: .fromNextFire, at: 50) },
      { _ = $0.adjustTimeLeft(by: 3, at: 50) },
      { _ = $0.setRemainingIterations(5) },
      { $0.cancel() },
    ] as [@Sendable (inout RepeaterStateMachine) -> Void])
  func aControlInTheHandlerDropsTheRest(
    _ control: @Sendable (inout RepeaterStateMachine) -> Void
  ) throws {
    #expect(try burst(.finite(99), limit: 9, at: 50, inside: control).ticks.count == 1)
  }

  /// The clock can be set back between two ticks of a burst.
  @Test func latenessIsNeverNegative() throws {
    var machine = try RepeaterStateMachine(
      mode: .infinite, interval: 10, missedTicks: .burst(limit: 3))
    _ = machine.start(at: 0)
    _ = machine.handleArmedAlarm(at: 25)
    #expect(machine.lastLateness == 15)
    machine.deliveryFinished { 25 }
    guard case .deliver(let tick) = machine.takeReady(at: 5) else {
      Issue.record("the burst has only one tick")
      return
    }
    #expect(tick.deadline == TimerClock.suspending.instant(nanoseconds: 20))
    #expect(tick.lateness == .zero)
    #expect(machine.lastLateness == 0)
  }

  @Test func theLargestMissedCountDoesNotOverflow() throws {
    var machine = try RepeaterStateMachine(
      mode: .infinite, interval: 1, missedTicks: .burst(limit: 2))
    _ = machine.start(at: .min)
    for missed in [0, Int.max - 1] {
      let effect =
        missed == 0 ? machine.handleArmedAlarm(at: .max) : machine.takeReady(at: .max)
      guard case .deliver(let tick) = effect else {
        Issue.record("nothing delivered")
        return
      }
      #expect(tick.missedCount == missed)
      machine.deliveryFinished { .max }
    }
  }
}
