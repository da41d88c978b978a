import Testing

@testable import TimerKit

@Suite struct RetryTests {
  private struct Failure: Error, Equatable { var attempt: Int }

  let clock = VirtualClock()

  private func retry(
    _ retries: Int, succeedingAt success: Int,
    onlyIf isWorthRetrying: (any Error) -> Bool = { _ in true }
  ) async throws -> Int {
    try await withRetry(
      Backoff(from: .seconds(1), jitter: .off, retries: retries),
      clock: .virtual(.immediate()), onlyIf: isWorthRetrying
    ) { attempt in
      guard attempt >= success else { throw Failure(attempt: attempt) }
      return attempt
    }
  }

  @Test func anOperationIsRepeatedUntilItSucceeds() async throws {
    #expect(try await retry(8, succeedingAt: 1) == 1)
    #expect(try await retry(8, succeedingAt: 5) == 5)
  }

  @Test func theLastErrorIsThrown() async throws {
    await #expect(throws: Failure(attempt: 4)) { try await retry(3, succeedingAt: 9) }
    await #expect(throws: Failure(attempt: 1)) { try await retry(0, succeedingAt: 9) }
    #expect(try await retry(0, succeedingAt: 1) == 1)
    await #expect(throws: Failure(attempt: 2)) {
      try await retry(8, succeedingAt: 9) { ($0 as? Failure)?.attempt != 2 }
    }
  }

  /// The operation runs on the actor of the caller, and need not be `Sendable`.
  @MainActor @Test func attemptsRunOnTheActorOfTheCaller() async throws {
    var attempts: [Int] = []
    let last = try await withRetry(
      Backoff(from: .seconds(1)), clock: .virtual(.immediate())
    ) { attempt in
      MainActor.assertIsolated()
      attempts.append(attempt)
      if attempt < 3 { throw Failure(attempt: attempt) }
      return attempt
    }
    #expect(last == 3 && attempts == [1, 2, 3])
  }

  @Test func cancellationEndsTheWait() async throws {
    let clock = clock
    let task = Task {
      try await withRetry(Backoff(from: .seconds(1)), clock: .virtual(clock)) { attempt in
        throw Failure(attempt: attempt)
      }
    }
    await clock.waitForSleepingTasks(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: - Within a time

  /// Retries within five seconds, with attempts that take some time each, and advances the clock to the end.
  /// - Returns: the result, the number of attempts that have begun, and the seconds it took.
  private func retry(
    within limit: Duration = .seconds(5), attemptsTaking time: Duration = .zero,
    succeedingAt success: Int = .max, ignoringCancellation: Bool = false,
    onlyIf isWorthRetrying: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) async -> (result: Result<Int, any Error>, attempts: Int, seconds: Double) {
    let clock = clock
    let begun = Recorder<Int>()
    let task = Task(executorPreference: TimerClock.virtual(clock).taskExecutor) {
      try await withRetry(
        Backoff(from: .seconds(1), jitter: .off), within: limit, clock: .virtual(clock),
        onlyIf: isWorthRetrying
      ) { attempt in
        begun.append(attempt)
        do {
          if time > .zero { try await clock.sleep(for: time) }
        } catch {
          if !ignoringCancellation { throw error }
          // A task that is not cancelled, and for which the clock waits.
          await Task(executorPreference: clock.taskExecutor) {
            try? await clock.sleep(for: .seconds(2))
          }.value
        }
        guard attempt >= success else { throw Failure(attempt: attempt) }
        return attempt
      }
    }
    await clock.advanceToEnd(within: .minutes(1))
    let result = await task.result
    return (result, begun.count, Double(clock.now.nanoseconds) / 1e9)
  }

  private func error<Failure: Error & Equatable>(_ result: Result<Int, any Error>) -> Failure? {
    if case .failure(let error) = result { error as? Failure } else { nil }
  }

  @Test func aResultInTimeIsReturned() async throws {
    let outcome = await retry(attemptsTaking: .milliseconds(500), succeedingAt: 3)
    #expect(try outcome.result.get() == 3)
  }

  /// Delays of 1 and 2 s fit into 5 s, and the next one, of 4 s, does not: nobody waits for it.
  @Test func aDelayThatIsTooLongIsNotWaitedFor() async {
    let outcome = await retry()
    #expect(error(outcome.result) == Failure(attempt: 3))
    #expect(outcome.attempts == 3 && outcome.seconds == 3)
  }

  @Test(arguments: [(Duration.seconds(9), 1), (.seconds(4), 1), (.milliseconds(1_500), 2)])
  func theAttemptThatRunsAtTheEndIsCancelled(_ time: Duration, attempts: Int) async {
    let limit = time == .seconds(4) ? Duration.seconds(1) : .seconds(3)
    let outcome = await retry(within: limit, attemptsTaking: time)
    #expect(error(outcome.result) == TimeoutError(timeout: limit))
    #expect(outcome.attempts == attempts)
    #expect(outcome.seconds == Double(limit.clampedNanoseconds) / 1e9)
  }

  /// As with `withTimeout`: the function waits for it, and drops its result.
  @Test func anAttemptThatIgnoresItsCancellationHasNoResult() async {
    let outcome = await retry(
      within: .seconds(1), attemptsTaking: .seconds(9), succeedingAt: 1, ignoringCancellation: true)
    #expect(error(outcome.result) == TimeoutError(timeout: .seconds(1)))
    #expect(outcome.seconds == 3)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aTimeThatIsOverBeginsNoAttempt(_ limit: Duration) async {
    let outcome = await retry(within: limit, succeedingAt: 1)
    #expect(error(outcome.result) == TimeoutError(timeout: limit))
    #expect(outcome.attempts == 0)
  }

  @Test func anErrorThatIsNotWorthItIsThrownAtOnce() async {
    let outcome = await retry { _ in false }
    #expect(error(outcome.result) == Failure(attempt: 1) && outcome.seconds == 0)
  }

  @Test func cancellationEndsTheAttempt() async throws {
    let clock = clock
    let task = Task {
      try await withRetry(
        Backoff(from: .seconds(1)), within: .seconds(9), clock: .virtual(clock)
      ) { _ in try await clock.sleep(for: .seconds(5)) }
    }
    await clock.waitForSleepingTasks(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
