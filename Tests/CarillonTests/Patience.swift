import Testing

/// Gives way to the main queue until it is so. Nothing here takes long; what never comes ends with
/// the test's time limit.
@MainActor
func until(_ isSo: @MainActor () -> Bool) async throws {
  while !isSo() { try await ContinuousClock().sleep(for: .milliseconds(1)) }
}
