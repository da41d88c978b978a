import Testing

@testable import TimerKit

/// The examples of "Timers and temporary resources" and "Corrections of the clock". (`Guarded` is in the place of
/// `Mutex`, which the thread sanitizer does not support.)
@Suite struct ResourceExamples {
  private final class Appointment: Sendable {
    enum State: Sendable {
      case pending(Repeater)
      case elapsed
      case cancelled
    }

    private let state = Guarded(State.cancelled)
    var hasElapsed: Bool { state.withLock { if case .elapsed = $0 { true } else { false } } }

    init(_ schedule: WallSchedule, clock: TimerClock) throws {
      let timer = try Repeater(schedule: schedule, mode: .once, clock: clock) {
        [weak self] timer, tick in
        self?.state.withLock { state in
          guard timer.isCurrent(tick) else { return }
          state = .elapsed
        }
      }
      state.withLock { state in
        let isPast = timer.start() == .refused(.noOccurrence)
        state = isPast ? .elapsed : .pending(timer)
      }
    }

    func cancel() {
      state.withLock { state in
        if case .pending(let timer) = state { timer.cancel() }
        state = .cancelled
      }
    }
  }

  @Test func anAppointmentElapsesOnceUnlessItIsCancelled() throws {
    let clock = VirtualClock(.wall)
    let noon = try WallSchedule.daily(hour: 12).inTimeZone(TimeZoneRules("UTC"))
    let kept = try Appointment(noon, clock: .virtual(clock))
    let cancelled = try Appointment(noon, clock: .virtual(clock))
    clock.advance(by: .hours(11))
    #expect(!kept.hasElapsed)
    cancelled.cancel()
    clock.advance(by: .hours(2))
    #expect(kept.hasElapsed && !cancelled.hasElapsed)
    let past = try Appointment(.at(year: 1969, month: 1, day: 1, hour: 0), clock: .virtual(clock))
    #expect(past.hasElapsed)
  }

  @Test func anIdleConnectionIsClosedAndNotRevived() throws {
    let clock = VirtualClock()
    let closed = Log()
    let connection = try TimeLimited("connection", for: .seconds(30), clock: .virtual(clock)) {
      closed.add($1)
    }
    for _ in 1...3 {
      clock.advance(by: .seconds(29))
      try connection.renew()
    }
    #expect(closed.lines == [])
    clock.advance(by: .seconds(30))
    #expect(closed.lines == ["connection"])
    #expect(throws: TimeLimitedError.self) { try connection.renew() }
  }

  @Test func aLeapSecondPostponesAnAlarmAndAStepMakesItDue() throws {
    let clock = VirtualClock(.wall)
    let log = Log()
    let alarm = try Repeater.once(after: .seconds(60), clock: .virtual(clock)) { _, tick in
      log.add("due, \(tick.lateness) late")
    }
    clock.adjustWall(by: .seconds(-1))
    clock.advance(by: .seconds(60))
    #expect(alarm.timeLeft == .seconds(1))
    clock.adjustWall(by: .minutes(5))
    #expect(log.lines == ["due, 299.0 seconds late"])
  }
}
