import Dispatch
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `TimerClock` as a `Clock`.
@Suite struct ClockSleepTests {
  @Test(arguments: TimerClock.Kind.allCases) func sleepsOnVirtualTime(_ kind: TimerClock.Kind)
    async throws
  {
    let clock = VirtualClock(kind)
    let deadline = TimerClock.virtual(clock).instant(nanoseconds: 1_000_000_000)
    let sleeper = Task {
      try await Task.sleep(until: deadline, clock: clock)
      return clock.now
    }
    await until { clock.hasSleepers }
    await clock.advance(by: .milliseconds(999))
    #expect(clock.hasSleepers)
    await clock.advance(by: .milliseconds(1))
    #expect(try await sleeper.value == deadline)
    #expect(!clock.hasSleepers)
  }

  @Test(arguments: TimerClock.Kind.allCases) func sleepsOnTheSystemClock(_ kind: TimerClock.Kind)
    async throws
  {
    let clock = TimerClock(kind)
    let deadline = clock.now.advanced(by: .milliseconds(3))
    try await clock.sleep(until: deadline)
    #expect(clock.now >= deadline)
    try await clock.sleep(until: deadline, tolerance: .seconds(9))
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test func sleepsForADuration() async throws {
    let clock = TimerClock.continuous
    let begin = clock.now
    try await Task.sleep(for: .milliseconds(2), tolerance: .milliseconds(1), clock: clock)
    #expect(begin.duration(to: clock.now) >= .milliseconds(2))
    #expect(try await clock.measure { try await clock.sleep(for: .zero) } >= .zero)
  }

  /// Handlers without a queue share one: a handler that blocks there does not delay a sleep. The
  /// test has its own process, since other tests use that queue as well.
  @Test(.timeLimit(.minutes(20))) func aBlockingHandlerDelaysNoSleep() async throws {
    await #expect(processExitsWith: .success) {
      let (blocked, continuation) = AsyncStream.makeStream(of: Void.self)
      let slept = DispatchSemaphore(value: 0)
      let timer = try Repeater.once(after: .microseconds(1)) { _, _ in
        continuation.finish()
        if slept.wait(timeout: .now() + 20) == .timedOut { exit(EXIT_FAILURE) }
      }
      for await _ in blocked {}
      try await Task.sleep(for: .milliseconds(5), clock: TimerClock.suspending)
      slept.signal()
      withExtendedLifetime(timer) {}
    }
  }

  /// The sleep ends immediately, and no alarm remains.
  @Test(arguments: TimerClock.Kind.allCases) func cancellingTheTaskEndsTheSleep(
    _ kind: TimerClock.Kind
  ) async throws {
    let clock = VirtualClock(kind)
    let sleepers = (0..<10).map { number in
      let deadline = TimerClock.virtual(clock).instant(nanoseconds: .max - 1 - Int64(number))
      return Task { try await clock.sleep(until: deadline) }
    }
    await until { clock.driver.usage.slots - clock.driver.usage.freeSlots == 10 }
    for sleeper in sleepers {
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(!clock.hasSleepers)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: clock.now)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test(arguments: TimerClock.Kind.allCases) func cancellingEndsASleepOnTheSystemClock(
    _ kind: TimerClock.Kind
  ) async {
    let sleeper = Task { try await Task.sleep(for: .days(9), clock: TimerClock(kind)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func aClockStepWakesOrPostponesASleep() async throws {
    let clock = VirtualClock(.wall)
    let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
    await until { clock.hasSleepers }
    clock.adjustWall(by: .seconds(-100))
    await clock.advance(by: .seconds(100))
    #expect(clock.hasSleepers)
    clock.adjustWall(by: .seconds(1_000))
    try await sleeper.value
    #expect(clock.now.nanoseconds == 1_000_000_000_000)
  }

  @Test func systemClocksAdvance() {
    for kind in TimerClock.Kind.allCases {
      let before = kind.systemNanoseconds
      #expect(kind.systemNanoseconds >= before)
      #expect(before > 0)
      let clock = TimerClock(kind)
      #expect(clock.kind == kind)
      #expect(clock.wallNow.nanosecondsSince1970 > 1_600_000_000_000_000_000)
    }
    #expect(TimerClock.wall.now.nanoseconds > 1_600_000_000_000_000_000)
    #expect(
      TimerClock.continuous.now.nanoseconds >= TimerClock.suspending.now.nanoseconds - 1_000_000)
  }
}

extension VirtualClock {
  /// A Boolean value that indicates whether a task sleeps on the clock.
  fileprivate var hasSleepers: Bool { driver.usage.slots > driver.usage.freeSlots }
}

/// Waits for a condition that another task is certain to bring about.
private func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
