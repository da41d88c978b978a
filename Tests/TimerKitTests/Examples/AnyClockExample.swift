import Testing
import TimerKit

@Suite("Example: any clock")
struct AnyClockExample {
  /// Production code that knows only the standard library's `Clock`.
  private struct Monitor<C: Clock<Duration>> {
    let clock: C
    let load: @Sendable () async throws -> Double

    func watch(_ count: Int) async throws -> [Double] {
      var values: [Double] = []
      for await _ in try Repeater.ticks(
        every: .seconds(10), count: count, startingAfter: .zero, clock: clock)
      {
        let value = try? await withTimeout(.seconds(2), clock: clock, operation: load)
        values.append(value ?? .nan)
      }
      return values
    }
  }

  @Test func aVirtualClockInATest() async throws {
    let clock = VirtualClock()
    let monitor = Monitor(clock: clock) {
      let second = clock.now.nanoseconds / 1_000_000_000
      try await clock.sleep(for: .seconds(second))
      return Double(second)
    }
    let values = try await clock.run {
      async let values = monitor.watch(2)
      await clock.advance(by: .minutes(1))
      return try await values
    }
    #expect(values[0] == 0 && values[1].isNaN)
  }

  @Test func theClockOfTheStandardLibrary() async throws {
    let monitor = Monitor(clock: ContinuousClock()) { 1 }
    #expect(try await monitor.watch(1) == [1])
  }

  /// A task of the code under test, which a virtual clock controls: `advance(by:)` waits for it.
  @Test func aTaskOnTheExecutorOfAClock() async throws {
    let log = Log()
    func warn(on clock: TimerClock) -> Task<Void, any Error> {
      Task(executorPreference: clock.taskExecutor) {
        try await clock.sleep(until: clock.now + .seconds(5))
        log.add("five seconds")
      }
    }
    let clock = VirtualClock()
    let task = warn(on: .virtual(clock))
    await clock.advance(by: .seconds(5))
    #expect(log.lines == ["five seconds"])
    try await task.value
    #expect(TimerClock.suspending.taskExecutor == nil)
  }
}
