import Testing

@testable import TimerKit

/// What a machine must do with what its storage spares it, but another one might not.
@Suite struct RepeaterMachineTests {
  /// Between a tick and its handlers' return there is no deadline that could be due.
  @Test func anAlarmWhileDelayAwaitsTheReturnIsStale() throws {
    var machine = try RepeaterStateMachine(mode: .infinite, interval: 10, missedTicks: .delay)
    _ = machine.start(at: 0)
    let generation = machine.generation
    guard case .deliver = machine.alarm(generation: generation, at: 10) else {
      Issue.record("it does not tick")
      return
    }
    #expect(machine.alarm(generation: generation, at: 30) == .stale(generation: generation))
    machine.deliveryFinished { 30 }
    #expect(machine.deadline == 40)
  }

  /// The clock can be set back between two ticks of a burst.
  @Test func noTickIsEarly() throws {
    var machine = try RepeaterStateMachine(
      mode: .infinite, interval: 10, missedTicks: .burst(limit: 3))
    _ = machine.start(at: 0)
    _ = machine.alarm(generation: machine.generation, at: 25)
    #expect(machine.lastLateness == 15)
    machine.deliveryFinished { 25 }
    guard case .deliver(let tick) = machine.next(at: 5) else {
      Issue.record("the burst has only one tick")
      return
    }
    #expect(tick.scheduled == TimerClock.Instant(nanoseconds: 20))
    #expect(tick.lateness == .zero)
    #expect(machine.lastLateness == 0)
  }
}
