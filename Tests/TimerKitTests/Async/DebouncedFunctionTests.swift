import Testing
import TimerKit

private struct Failure: Error {}

@Suite struct DebouncedFunctionTests {
  private let clock = VirtualClock()
  private let log = Recorder<String>()

  private func makeFunction() throws -> DebouncedFunction<String, String> {
    try DebouncedFunction(delay: .milliseconds(3), clock: .virtual(clock)) { [clock, log] text in
      log.append("\(text) begins at \(milliseconds(clock))")
      do {
        try await clock.sleep(for: .milliseconds(5))
      } catch {
        log.append("\(text) is cancelled at \(milliseconds(clock))")
        throw error
      }
      if text == "#" { throw Failure() }
      return text.uppercased()
    }
  }

  /// Calls the function at the time of each text, and logs the results.
  private func results(_ calls: [(text: String, time: Int64)]) async throws -> [String] {
    let (function, results) = (try makeFunction(), Recorder<String>())
    await clock.run {
      await withTaskGroup(of: Void.self) { [clock] group in
        for (text, time) in calls {
          group.addTask {
            try? await clock.sleep(until: clock.instant(time * 1_000_000))
            do {
              let result = try await function(text)
              results.append("\(result) at \(milliseconds(clock))")
            } catch {
              results.append("\(text) \(type(of: error)) at \(milliseconds(clock))")
            }
          }
        }
        #expect(await clock.advanceToEnd(within: .seconds(1)))
      }
    }
    return results.all
  }

  /// The diagram of the documentation.
  @Test func theCallerOfTheLatestCallReceivesTheResult() async throws {
    #expect(
      try await results([("a", 0), ("b", 2), ("c", 12), ("d", 16)]) == [
        "a CancellationError at 2", "B at 10", "c CancellationError at 19", "D at 24",
      ])
    #expect(
      log.all == [
        "b begins at 5", "c begins at 15", "c is cancelled at 19", "d begins at 19",
      ])
  }

  @Test func errorsPassThrough() async throws {
    #expect(try await results([("#", 0), ("a", 20)]) == ["# Failure at 8", "A at 28"])
  }

  /// At 1, the call is pending; at 5, its operation runs.
  @Test(arguments: [1, 5], [false, true])
  func aCancellationEndsTheCallAndItsRun(at time: Int64, ofTheCaller: Bool) async throws {
    let function = try makeFunction()
    let caller = Task(executorPreference: clock.taskExecutor) { try await function("a") }
    await clock.advance(by: .milliseconds(time))
    if ofTheCaller { caller.cancel() } else { #expect(function.cancel() == .changed) }
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == (time == 5 ? ["a begins at 3", "a is cancelled at 5"] : []))
    guard !ofTheCaller else { return }
    #expect(function.cancel() == .unchanged)
    await #expect(throws: CancellationError.self) { try await function("b") }
  }

  @Test func aCallOfACancelledTaskSupersedesNone() async throws {
    let function = try makeFunction()
    let caller = Task(executorPreference: clock.taskExecutor) { try await function("a") }
    await clock.advance(by: .milliseconds(1))
    let cancelled = Task(executorPreference: clock.taskExecutor) {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await function("b")
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(try await caller.value == "A")
  }

  /// A run that has begun continues.
  @Test(arguments: [1, 5])
  func cancelPendingEndsThePendingCall(at time: Int64) async throws {
    let function = try makeFunction()
    let caller = Task(executorPreference: clock.taskExecutor) { try? await function("a") }
    await clock.advance(by: .milliseconds(time))
    #expect(function.cancelPending() == (time == 1 ? .changed : .unchanged))
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(await caller.value == (time == 1 ? nil : "A"))
  }

  @Test func flushMakesTheCallDue() async throws {
    let function = try makeFunction()
    let caller = Task(executorPreference: clock.taskExecutor) { try await function("a") }
    await clock.advance(by: .milliseconds(1))
    #expect(function.flush() == .changed && function.flush() == .unchanged)
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(try await caller.value == "A")
    #expect(log.all == ["a begins at 1"])
  }

  @Test @MainActor func theOperationRunsOnItsActor() async throws {
    var count = 0
    let function = try DebouncedFunction(delay: .zero) { @MainActor (step: Int) in
      MainActor.assertIsolated()
      return step + 1
    }
    count = try await function(count)
    #expect(count == 1)
  }
}
