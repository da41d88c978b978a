import Testing

@testable import TimerKit

/// The cells of the state table that need a separate setup: the last iteration, and the return of the
/// handlers.
@Suite struct RepeaterLastTickTests {
  private func running(
    _ mode: Repeater.Mode = .finite(2), missedTicks: Repeater.MissedTicks = .skip
  ) throws -> RepeaterStateMachine {
    var machine = try RepeaterStateMachine(mode: mode, interval: 10, missedTicks: missedTicks)
    _ = machine.start(at: 0)
    return machine
  }

  private func delivered(_ effect: Effect<Repeater.Tick>) -> Repeater.Tick? {
    if case .deliver(let tick) = effect { tick } else { nil }
  }

  @Test(arguments: [Repeater.Mode.once, .finite(1)])
  func alarmAtTheLastIterationFinishes(_ mode: Repeater.Mode) throws {
    var machine = try running(mode)
    let generation = machine.generation
    let tick = try #require(delivered(machine.handleArmedAlarm(generation: generation, at: 10)))
    #expect(tick.isLast)
    #expect(tick.remainingIterations == 0)
    #expect(machine.state == .finished)
    #expect(machine.deadline == nil)
    #expect(machine.generation == generation + 1)
    // Its own tick is still current, although the schedule is over.
    #expect(machine.isCurrent(tick))
    machine.deliveryFinished { 11 }
    #expect(machine.state == .finished)
  }

  @Test(arguments: [TimerState.idle, .running, .paused])
  func manualFireAtTheLastIterationFinishes(_ phase: TimerState) throws {
    var machine = try RepeaterStateMachine(mode: .finite(1), interval: 10, missedTicks: .skip)
    if phase != .idle { _ = machine.start(at: 0) }
    if phase == .paused { _ = machine.pause(at: 4) }
    _ = machine.fire(pausing: false, at: 5)
    let generation = machine.generation
    let tick = try #require(delivered(machine.takeReady(at: 5)))
    #expect(tick.isLast)
    #expect(tick.isManual)
    #expect(machine.state == .finished)
    #expect(machine.deadline == nil)
    #expect(machine.pausedTimeLeft == nil)
    #expect(machine.generation == generation + 1)
  }

  @Test func aRestartInTheLastHandlerIsKept() throws {
    var machine = try running(.once)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    #expect(machine.start(at: 12) == .changed)
    machine.deliveryFinished { 15 }
    #expect(machine.state == .running)
    #expect(machine.deadline == 22)
    #expect(machine.remainingIterations == 1)
  }

  @Test func aPauseInTheLastHandlerIsRefusedAndTheTimerFinishes() throws {
    var machine = try running(.once)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    #expect(machine.pause(at: 12) == .refused(.finished))
    machine.deliveryFinished { 15 }
    #expect(machine.state == .finished)
  }

  /// After more iterations have been set, the last tick has others before it and counts missed ones, as in any run.
  @Test func theLastTickOfAnExtendedTimerCountsMissedOnes() throws {
    var machine = try running(.once)
    #expect(machine.setRemainingIterations(2) == .changed)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    machine.deliveryFinished { 10 }
    #expect(machine.maximumTolerance == 5)
    let tick = try #require(
      delivered(machine.handleArmedAlarm(generation: machine.generation, at: 45)))
    #expect(tick.missedCount == 2)
  }

  @Test func delayStartsThePeriodWhenTheHandlersReturn() throws {
    var machine = try running(.infinite, missedTicks: .delay)
    let tick = try #require(
      delivered(machine.handleArmedAlarm(generation: machine.generation, at: 47)))
    #expect(tick.missedCount == 0)
    #expect(tick.lateness == .nanoseconds(37))
    #expect(machine.deadline == nil)
    machine.deliveryFinished { 60 }
    #expect(machine.deadline == 70)
  }

  @Test func aControlInTheHandlerOverridesDelay() throws {
    var machine = try running(.infinite, missedTicks: .delay)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    _ = machine.setInterval(100, counting: .fromNow, at: 12)
    machine.deliveryFinished { 60 }
    #expect(machine.deadline == 112)
  }

  @Test func delayKeepsAWholePeriodWhenPausedInTheHandler() throws {
    var machine = try running(.infinite, missedTicks: .delay)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    #expect(machine.pause(at: 12) == .changed)
    #expect(machine.pausedTimeLeft == 10)
    machine.deliveryFinished { 60 }
    #expect(machine.state == .paused)
    #expect(machine.pausedTimeLeft == 10)
  }

  @Test func delayStartsTheNewIntervalAtTheReturn() throws {
    var machine = try running(.infinite, missedTicks: .delay)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    _ = machine.setInterval(3, counting: .fromNextFire, at: 12)
    machine.deliveryFinished { 60 }
    #expect(machine.deadline == 63)
  }

  @Test func aManualTickKeepsTheDeadlineOfDelay() throws {
    var machine = try running(.infinite, missedTicks: .delay)
    _ = machine.fire(pausing: false, at: 5)
    _ = machine.takeReady(at: 5)
    machine.deliveryFinished { 9 }
    #expect(machine.deadline == 10)
  }

  @Test func manualTicksStayCurrentAfterAnIntervalChangeAndAlarmTicksDoNot() throws {
    var machine = try running(.infinite)
    let clocked = try #require(
      delivered(machine.handleArmedAlarm(generation: machine.generation, at: 10)))
    machine.deliveryFinished { 10 }
    _ = machine.fire(pausing: false, at: 11)
    let manual = try #require(delivered(machine.takeReady(at: 11)))
    machine.deliveryFinished { 11 }
    _ = machine.setInterval(7, counting: .fromNow, at: 12)
    #expect(!machine.isCurrent(clocked))
    #expect(machine.isCurrent(manual))
    _ = machine.pause(at: 13)
    #expect(!machine.isCurrent(manual))
  }

  @Test func fireAndPauseCommitsAfterThePause() throws {
    var machine = try running()
    _ = machine.fire(pausing: false, at: 3)
    _ = machine.fire(pausing: true, at: 4)
    #expect(machine.state == .paused)
    #expect(machine.takeReady(at: 4) == .stale(generation: 1))
    let tick = try #require(delivered(machine.takeReady(at: 4)))
    #expect(tick.isManual)
    #expect(tick.deadline == TimerClock.suspending.instant(nanoseconds: 4))
    machine.deliveryFinished { 5 }
    #expect(machine.state == .paused)
    #expect(machine.pausedTimeLeft == 6)
    #expect(machine.staleCount == 1)
  }
}
