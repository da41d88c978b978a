import Testing

@testable import TimerKit

/// A clock that TimerKit does not know, such as one of another package.
struct ForeignClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  let base: VirtualClock
  var now: Instant { Instant(offset: .nanoseconds(base.now.nanoseconds)) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.sleep(for: now.duration(to: deadline))
  }
}

/// Timeouts and sequences on any clock. Tasks on a foreign clock are not controlled: each step waits until one sleeps.
@Suite struct AnyClockTests {
  private let clock = VirtualClock(.continuous, startingAt: .seconds(7))

  private func step(_ duration: Duration) async {
    await clock.waitForSleepingTasks(1)
    await clock.advance(by: duration)
  }

  @Test func clocksOfTheStandardLibraryAreTimerKitsOwn() {
    #expect(TimerClock(ContinuousClock()) == .continuous)
    #expect(TimerClock(SuspendingClock()) == .suspending)
    #expect(TimerClock(TimerClock.wall) == .wall)
    #expect(TimerClock(clock) == .virtual(clock))
    #expect(TimerClock(ForeignClock(base: clock)) == nil)
  }

  @Test func sequencesAcceptTheClocksOfTheStandardLibrary() async throws {
    var last = 0
    for await tick in try Repeater.ticks(
      every: .milliseconds(1), count: 3, clock: ContinuousClock())
    {
      last = tick.iteration
    }
    #expect(last == 3)
    let texts = AsyncStream { input in
      for text in ["a", "b"] { input.yield(text) }
      input.finish()
    }
    for await text in try texts.debounced(for: .seconds(9), clock: SuspendingClock()) {
      #expect(text == "b")
    }
    #expect(try await withTimeout(.seconds(9), clock: ContinuousClock()) { 5 } == 5)
  }

  /// Code that is generic over `Clock`, under the control of a virtual clock.
  @Test func aVirtualClockStandsInForAnyClock() async throws {
    func seconds(on clock: some Clock<Duration>) async throws -> [Int] {
      try await clock.sleep(for: .seconds(1))
      var iterations: [Int] = []
      for await tick in try Repeater.ticks(every: .seconds(1), count: 3, clock: clock) {
        iterations.append(tick.iteration)
      }
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(.seconds(1), clock: clock) { try await clock.sleep(for: .seconds(2)) }
      }
      return iterations
    }
    let iterations = try await clock.run {
      async let iterations = seconds(on: clock)
      await clock.advance(by: .seconds(5))
      return try await iterations
    }
    #expect(iterations == [1, 2, 3] && clock.now == clock.instant(12_000_000_000))
    let task = Task { [clock] in
      try await clock.sleep(until: clock.now + .seconds(1), tolerance: nil)
    }
    await clock.waitForSleepingTasks(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func ticksOfAForeignClock() async throws {
    var ticks = try Repeater.ticks(
      every: .seconds(1), count: 4, startingAfter: .zero, clock: ForeignClock(base: clock)
    ).makeAsyncIterator()
    var result: [Repeater.Tick?] = [await ticks.next(isolation: nil)]
    // The clock moves past a tick in one step, as a system clock does.
    for duration in [1_000, 1_250, 1_000] {
      await clock.waitForSleepingTasks(1)
      clock.suspend(for: .milliseconds(duration))
      result.append(await ticks.next(isolation: nil))
    }
    #expect(result.map { $0?.iteration } == [1, 2, 3, 4])
    #expect(result.map { $0?.deadline.nanoseconds } == [0, 1, 2, 3].map { $0 * 1_000_000_000 })
    #expect(result.map { $0?.lateness } == [.zero, .zero, .milliseconds(250), .milliseconds(250)])
    #expect(await ticks.next(isolation: nil) == nil)
  }

  /// The base sequence is asked for its next element when the previous one has been passed to the limiter.
  @Test func elementsOnAForeignClock() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let (base, input) = AsyncStream.makeStream(of: String.self)
    let (results, result) = AsyncStream.makeStream(of: String.self)
    let texts = AsyncStream {
      ask.yield()
      for await text in base { return text }
      return nil
    }
    let debounced = try texts.debounced(for: .seconds(2), clock: ForeignClock(base: clock))
    Task {
      for await text in debounced { result.yield(text) }
      result.finish()
    }
    var (questions, output) = (asked.makeAsyncIterator(), results.makeAsyncIterator())
    await questions.next()
    for text in ["a", "b", "c"] {
      input.yield(text)
      await questions.next()
      await step(.seconds(1))
    }
    // The last element came at 2 and is due at 4.
    await step(.seconds(1))
    #expect(await output.next() == "c")
    #expect(clock.now == clock.instant(11_000_000_000))
    input.yield("d")
    await questions.next()
    input.finish()
    #expect(await output.next() == "d")
    #expect(await output.next() == nil)
  }

  /// A deadline that is earlier than the one for which a task sleeps.
  @Test func aFollowerWakesForTheEarliestDeadline() async {
    let follower = ClockFollower(ForeignClock(base: clock))
    let (fires, fired) = AsyncStream.makeStream(of: Int.self)
    let timers = [5, 2].map { seconds in
      let timer = DeadlineTimer(clock: .virtual(follower.virtualClock)) { _, _ in
        fired.yield(seconds)
      }
      follower.perform { timer.schedule(after: .seconds(seconds)) }
      return timer
    }
    var iterator = fires.makeAsyncIterator()
    await step(.seconds(2))
    #expect(await iterator.next() == 2)
    await step(.seconds(3))
    #expect(await iterator.next() == 5)
    #expect(follower.virtualClock.now.nanoseconds == 5_000_000_000)
    withExtendedLifetime(timers) {}
  }

  @Test(arguments: [
    (Duration.seconds(2), Int64(2_000_000_000)), (.seconds(-2), -2_000_000_000),
    (.seconds(Int64.max), .max - 7_000_000_000),
  ])
  func instantsHaveOperators(_ duration: Duration, _ nanoseconds: Int64) {
    let now = clock.now
    #expect((now + duration).nanoseconds == now.nanoseconds + nanoseconds)
    #expect(now + duration - now == .nanoseconds(nanoseconds))
    #expect(now - (now + duration) == .nanoseconds(-nanoseconds))
    var instant = now
    instant += duration
    #expect(instant == now + duration)
    instant -= .nanoseconds(nanoseconds)
    #expect(instant == now)
    #expect((clock.instant(0) - duration).nanoseconds == max(-duration.clampedNanoseconds, -.max))
    #expect((clock.instant(-2) - .seconds(Int64.max)).nanoseconds == .min)
  }
}
