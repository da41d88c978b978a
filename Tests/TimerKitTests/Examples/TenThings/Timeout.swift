import Testing
import TimerKit

/// 5. A request times out after five seconds.
private func load(
  clock: TimerClock = .suspending, _ request: @escaping @Sendable () async throws -> String
) async throws -> String {
  do {
    return try await withTimeout(.seconds(5), clock: clock, operation: request)
  } catch is TimeoutError {
    return "the server does not answer"
  }
}

@Test func timeoutAroundAnOperation() async throws {
  let clock = VirtualClock.immediate()
  let fast = try await load(clock: .virtual(VirtualClock())) { "hello" }
  #expect(fast == "hello")
  let slow = try await load(clock: .virtual(clock)) {
    try await Task.sleep(for: .days(1))
    return "hello"
  }
  #expect(slow == "the server does not answer")
}
