import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// The contract of a deadline timer, on system clocks and on virtual clocks alike.
@Suite struct DeadlineTimerTests {
  @Test(arguments: ClockFixture.allCases)
  func firesOnceAndNotBeforeTheDeadline(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<(scheduled: TimerClock.Instant, now: TimerClock.Instant)>()
    let timer = subject.timer { fires.append(($1, subject.clock.now)) }
    let deadline = subject.later(5)
    subject.suspended {
      #expect(timer.schedule(at: deadline) == .changed)
      #expect(timer.deadline == deadline)
    }
    await subject.pass(until: deadline.advanced(by: .milliseconds(5)))
    #expect(fires.all.map(\.scheduled) == [deadline])
    #expect(fires.all.allSatisfy { $0.now >= deadline })
    #expect(timer.deadline == nil)
  }

  @Test(arguments: ClockFixture.allCases)
  func firesAtTheNewestDeadlineOnly(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let later = subject.timer { fires.append($1) }
    let earlier = subject.timer { fires.append($1) }
    let (first, second) = (subject.later(10), subject.later(20))
    subject.suspended {
      later.schedule(at: first)
      later.schedule(at: second.advanced(by: .nanoseconds(1)))
      earlier.schedule(at: second)
      earlier.schedule(at: first.advanced(by: .nanoseconds(1)))
    }
    await subject.pass(until: second.advanced(by: .milliseconds(2)))
    #expect(
      fires.all == [
        first.advanced(by: .nanoseconds(1)), second.advanced(by: .nanoseconds(1)),
      ])
  }

  @Test func timersAreEqualIfTheyAreTheSameObject() {
    let clock = VirtualClock()
    let timers = (0..<2).map { _ in DeadlineTimer(clock: .virtual(clock)) { _, _ in } }
    #expect(timers[0] != timers[1])
    #expect(Set(timers + timers) == Set(timers))
    #expect(timers[0].id == ObjectIdentifier(timers[0]))
  }

  @Test func cancelAndWaitBlocksUntilTheHandlerReturns() async {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let (release, returned) = (DispatchSemaphore(value: 0), Recorder<Void>())
    let timer = DeadlineTimer(queue: DispatchQueue(label: "deadline")) { _, _ in
      continuation.finish()
      release.wait()
      returned.append(())
    }
    timer.schedule(at: TimerClock.suspending.now)
    for await _ in begun {}
    DispatchQueue.global().async { release.signal() }
    Self.cancelAndBlock(timer)
    #expect(returned.count == 1)
    let idle = DeadlineTimer { _, _ in }
    await idle.cancelAndWait()
    for timer in [timer, idle] {
      #expect(timer.schedule(at: TimerClock.suspending.now) == .refused(.cancelled))
    }
  }

  private static func cancelAndBlock(_ timer: DeadlineTimer) { timer.cancelAndWait() }

  @Test(arguments: ClockFixture.allCases)
  func neverFiresWithoutADeadline(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let deadline = subject.later(5)
    let unscheduled = subject.timer { fires.append($1) }
    let cancelled = subject.timer { fires.append($1) }
    let never = subject.timer { fires.append($1) }
    subject.suspended {
      unscheduled.schedule(at: deadline)
      #expect(unscheduled.unschedule() == .changed)
      #expect(unscheduled.unschedule() == .unchanged)
      cancelled.schedule(at: deadline)
      #expect(cancelled.cancel() == .changed)
      #expect(cancelled.cancel() == .unchanged)
      #expect(cancelled.schedule(at: deadline) == .refused(.cancelled))
      #expect(cancelled.unschedule() == .refused(.cancelled))
      never.schedule(at: subject.clock.instant(nanoseconds: .max))
      _ = subject.timer { fires.append($1) }.schedule(at: deadline)
    }
    await subject.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(fires.all == [])
    withExtendedLifetime((unscheduled, cancelled, never)) {}
  }

  @Test(arguments: ClockFixture.allCases)
  func canBeRescheduledFromTheDistantFuture(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let timer = subject.timer { fires.append($1) }
    timer.schedule(at: subject.clock.instant(nanoseconds: .max))
    let deadline = subject.later(2)
    timer.schedule(at: deadline)
    await subject.pass(until: deadline)
    #expect(fires.all == [deadline])
  }

  @Test(arguments: ClockFixture.allCases)
  func aPastDeadlineIsDueImmediately(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let timer = subject.timer { fires.append($1) }
    for deadline in [
      subject.clock.instant(nanoseconds: .min), subject.clock.instant(nanoseconds: 0),
      subject.later(-1),
    ] {
      timer.schedule(at: deadline)
      await subject.pass(until: subject.clock.now)
      #expect(fires.all.last == deadline)
    }
    #expect(fires.count == 3)
  }

  @Test(arguments: ClockFixture.allCases)
  func firesInTheOrderOfDeadlinesAndThenOfCreation(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<Int>()
    let deadline = subject.later(5)
    var random = SplitMix(state: 7)
    let timers = (0..<40).map { number in subject.timer { _, _ in fires.append(number) } }
    subject.suspended {
      // Scheduled in any order, some more than once.
      for number in Array(timers.indices).shuffled(using: &random) + [3, 39, 17, 20, 0] {
        timers[number].schedule(at: deadline.advanced(by: .nanoseconds(number / 10)))
      }
      timers[5].schedule(at: deadline.advanced(by: .nanoseconds(99)))
    }
    await subject.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(fires.all == timers.indices.filter { $0 != 5 } + [5])
  }

  @Test(arguments: ClockFixture.allCases)
  func canBeRescheduledInItsOwnHandler(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let start = subject.later(2)
    let timer = subject.timer { timer, scheduled in
      fires.append(scheduled)
      if fires.count < 100 { timer.schedule(at: scheduled.advanced(by: .microseconds(20))) }
    }
    timer.schedule(at: start)
    await subject.pass(until: start.advanced(by: .microseconds(20 * 99)))
    #expect(fires.all == (0..<100).map { start.advanced(by: .microseconds(20 * $0)) })
  }

  @Test(arguments: ClockFixture.allCases)
  func aTimerScheduledInAHandlerFiresInOrder(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<String>()
    let start = subject.later(2)
    let armed = subject.timer { _, _ in fires.append("armed by first") }
    let first = subject.timer { _, scheduled in
      fires.append("first")
      armed.schedule(at: scheduled.advanced(by: .milliseconds(1)))
    }
    let second = subject.timer { _, _ in fires.append("second") }
    subject.suspended {
      second.schedule(at: start.advanced(by: .milliseconds(2)))
      first.schedule(at: start)
    }
    await subject.pass(until: start.advanced(by: .milliseconds(3)))
    #expect(fires.all == ["first", "armed by first", "second"])
    withExtendedLifetime((first, second, armed)) {}
  }

  @Test(arguments: ClockFixture.allCases)
  func aTimerRescheduledInAHandlerDoesNotFireForItsOldDeadline(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<String>()
    let deadline = subject.later(2)
    let later = deadline.advanced(by: .milliseconds(2))
    let mover = Guarded<[DeadlineTimer]>([])
    let first = subject.timer { _, _ in
      fires.append("first")
      mover.withLock { timers in
        timers[0].cancel()
        timers[1].schedule(at: later)
        timers[2].unschedule()
      }
    }
    let cancelled = subject.timer { _, _ in fires.append("cancelled") }
    let moved = subject.timer { fires.append($1 == later ? "moved" : "too early") }
    let unscheduled = subject.timer { _, _ in fires.append("unscheduled") }
    mover.withLock { $0 = [cancelled, moved, unscheduled] }
    subject.suspended {
      for timer in [first, cancelled, moved, unscheduled] { timer.schedule(at: deadline) }
    }
    await subject.pass(until: later)
    #expect(fires.all == ["first", "moved"])
  }

  @Test(arguments: ClockFixture.allCases)
  func canBeReleasedInItsOwnHandler(_ fixture: ClockFixture) async {
    let subject = fixture.make()
    let fires = Recorder<Int>()
    let reference = Guarded<DeadlineTimer?>(nil)
    let deadline = subject.later(1)
    subject.suspended {
      let timer = subject.timer { timer, scheduled in
        fires.append(1)
        timer.schedule(at: scheduled)
        // The test's reference; the driver's own reference is released when this returns.
        let last = reference.withLock { $0.take() }
        withExtendedLifetime(last) {}
      }
      timer.schedule(at: deadline)
      reference.withLock { $0 = timer }
    }
    await subject.pass(until: deadline.advanced(by: .milliseconds(2)))
    #expect(fires.count == 1)
  }

  @Test(arguments: ClockFixture.allCases)
  func toleranceDelaysFiresButKeepsTheirOrder(_ fixture: ClockFixture) async throws {
    let subject = fixture.make()
    let fires = Recorder<(number: Int, early: Bool)>()
    let start = subject.later(2)
    let timers = try (0..<20).map { number in
      try DeadlineTimer(
        tolerance: .milliseconds(number % 3 * 4), clock: subject.clock, queue: subject.queue
      ) {
        fires.append((number, subject.clock.now < $1))
      }
    }
    subject.suspended {
      for (number, timer) in timers.enumerated() {
        timer.schedule(at: start.advanced(by: .microseconds(300 * number)))
      }
    }
    await subject.pass(until: start.advanced(by: .milliseconds(30)))
    #expect(fires.all.map(\.number) == Array(0..<20))
    #expect(!fires.all.contains { $0.early })
    withExtendedLifetime(timers) {}
  }

  /// An instant of another clock would silently be a wrong deadline.
  @Test func aDeadlineOfAnotherClockTraps() async {
    await #expect(processExitsWith: .failure) {
      let timer = DeadlineTimer(clock: .suspending) { _, _ in }
      timer.schedule(at: TimerClock.continuous.now)
    }
    await #expect(processExitsWith: .success) {
      let timer = DeadlineTimer(clock: .suspending) { _, _ in }
      timer.schedule(at: TimerClock.suspending.now)
    }
  }
}
