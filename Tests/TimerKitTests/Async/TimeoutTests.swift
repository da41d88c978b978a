import Testing
import TimerKit

private struct Failure: Error, Equatable {}

@Suite struct TimeoutTests {
  @Test func anOperationInTimeReturns() async throws {
    let clock = VirtualClock()
    let value = try await clock.run {
      async let value = withTimeout(.seconds(2), clock: .virtual(clock)) {
        try await clock.sleep(for: .seconds(1))
        return 7
      }
      await clock.advance(by: .seconds(1))
      return try await value
    }
    #expect(value == 7)
    // The wait for the timeout has ended as well.
    #expect(clock.pendingCount == 0)
  }

  @Test func anOperationThatTimesOutIsCancelled() async throws {
    let clock = VirtualClock()
    await clock.run {
      async let end = {
        await #expect(throws: TimeoutError(timeout: .seconds(2))) {
          try await withTimeout(.seconds(2), clock: .virtual(clock)) {
            try await clock.sleep(for: .seconds(3))
          }
        }
        return milliseconds(clock)
      }()
      await clock.advance(by: .seconds(10))
      #expect(await end == 2_000)
    }
    #expect(clock.pendingCount == 0)
  }

  /// It would otherwise race with a sleep that is over before it begins.
  @Test(arguments: [.zero, .seconds(-1), .nanoseconds(Int64.min), .seconds(1e-10)] as [Duration])
  func anOperationWithoutTimeNeverBegins(_ timeout: Duration) async {
    let clock = VirtualClock()
    for clock in [TimerClock.suspending, .virtual(clock)] {
      for _ in 0..<100 {
        let error = await #expect(throws: TimeoutError.self) {
          try await withTimeout(timeout, clock: clock) { Issue.record("the operation began") }
        }
        #expect(error == TimeoutError(timeout: timeout))
      }
    }
    #expect(clock.pendingCount == 0)
  }

  /// The operation never outlives the call.
  @Test func anOperationThatIgnoresCancellationIsAwaited() async throws {
    let clock = VirtualClock()
    await clock.run {
      async let end = {
        do throws(TimeoutError) {
          _ = try await withTimeout(.seconds(2), clock: .virtual(clock)) {
            await Task { try? await clock.sleep(for: .seconds(5)) }.value
            return 1
          }
          Issue.record("no timeout")
        } catch {
          #expect(error.timeout == .seconds(2))
        }
        return milliseconds(clock)
      }()
      await clock.waitForSleepingTasks(2)
      await clock.advance(by: .seconds(2))
      await clock.advance(by: .seconds(3))
      #expect(await end == 5_000)
    }
  }

  @Test func errorsPassThrough() async throws {
    let clock = VirtualClock()
    await #expect(throws: Failure()) {
      try await withTimeout(.seconds(2), clock: .virtual(clock)) { throw Failure() }
    }
    #expect(clock.pendingCount == 0)
  }

  @Test func cancellingTheCallerCancelsTheOperation() async throws {
    let clock = VirtualClock()
    let task = Task(executorPreference: clock.taskExecutor) {
      try await withTimeout(.seconds(2), clock: .virtual(clock)) {
        try await clock.sleep(for: .seconds(1))
      }
    }
    await clock.waitUntilIdle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)

    let deaf = Task(executorPreference: clock.taskExecutor) { () throws(TimeoutError) -> Bool in
      try await withTimeout(.seconds(2), clock: .virtual(clock)) {
        while !Task.isCancelled { await Task.yield() }
        return true
      }
    }
    deaf.cancel()
    #expect(try await deaf.value)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func aTimeoutOfZeroOrLessExpiresImmediately(_ timeout: Duration) async throws {
    let clock = VirtualClock()
    await #expect(throws: TimeoutError(timeout: timeout)) {
      try await withTimeout(timeout, clock: .virtual(clock)) {
        try await clock.sleep(for: .seconds(1))
      }
    }
  }

  @MainActor @Test func anOperationRunsOnItsActor() async throws {
    let clock = VirtualClock()
    let model = Model()
    let value = try await withTimeout(.seconds(1), clock: .virtual(clock)) { @MainActor in
      model.value += 1
      return model.value
    }
    #expect(value == 1)
  }

  @Test func runsOnTheSystemClock() async throws {
    #expect(try await withTimeout(.seconds(100)) { 5 } == 5)
    await #expect(throws: TimeoutError.self) {
      try await withTimeout(.milliseconds(1)) { try await Task.sleep(for: .seconds(100)) }
    }
    #expect("\(TimeoutError(timeout: .seconds(5)))" == "timed out after 5.0 seconds")
  }
}

@MainActor private final class Model {
  var value = 0
}
