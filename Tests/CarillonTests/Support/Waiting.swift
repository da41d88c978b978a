import Testing

/// Yields to the main queue until the condition is true. If it never is, the test's time limit ends the
/// wait.
@MainActor
func until(_ condition: @MainActor () -> Bool) async throws {
  while !condition() { try await ContinuousClock().sleep(for: .milliseconds(1)) }
}
