import Testing
import TimerKit

/// 8. The code under test: steps that take time.
private func brew(clock: some Clock<Duration>, _ say: @Sendable (String) async -> Void) async throws
{
  for step in ["grind", "heat", "pour"] {
    await say(step)
    try await clock.sleep(for: .seconds(30))
  }
  await say("enjoy")
}

/// The test takes no real time and is exact.
@Test func virtualTimeForAsyncCode() async throws {
  let clock = VirtualClock()
  let spoken = Recorder<String>()
  try await clock.run {
    async let coffee: Void = brew(clock: clock) { spoken.append($0) }
    await clock.advance(by: .seconds(29))
    #expect(spoken.all == ["grind"])
    await clock.advance(by: .seconds(61))
    #expect(spoken.all == ["grind", "heat", "pour", "enjoy"])
    try await coffee
  }
}
