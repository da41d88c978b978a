import Testing

@testable import TimerKit

/// Cases that the storage prevents, but that a state machine must handle.
@Suite struct RepeaterMachineTests {
  /// Between a tick and the return of its handlers there is no deadline that could be due.
  @Test func anAlarmBeforeTheHandlersReturnIsStaleForDelay() throws {
    var machine = try RepeaterStateMachine(mode: .infinite, interval: 10, missedTicks: .delay)
    _ = machine.start(at: 0)
    let generation = machine.generation
    guard case .deliver = machine.handleArmedAlarm(generation: generation, at: 10) else {
      Issue.record("no tick was delivered")
      return
    }
    #expect(
      machine.handleArmedAlarm(generation: generation, at: 30) == .stale(generation: generation))
    machine.deliveryFinished { 30 }
    #expect(machine.deadline == 40)
  }

  /// The clock can be set back between two ticks of a burst.
  @Test func latenessIsNeverNegative() throws {
    var machine = try RepeaterStateMachine(
      mode: .infinite, interval: 10, missedTicks: .burst(limit: 3))
    _ = machine.start(at: 0)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 25)
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
}
