import Testing
import TimerKit

/// 10. Every weekday at 9:55, by the wall clock.
private func remind(clock: TimerClock = .wall, _ say: @Sendable (String) async -> Void) async throws
{
  let schedule = try WallSchedule.weekdays(.mondayToFriday, hour: 9, minute: 55)
  for await _ in try Repeater.ticks(schedule: schedule, clock: clock) {
    await say("stand-up in five minutes")
  }
}

@Test func weekdaysAtFiveToTen() async throws {
  let clock = VirtualClock(
    .wall, wall: WallInstant(nanosecondsSince1970: 1_800_000_000_000_000_000))
  let spoken = Recorder<String>()
  try await clock.run {
    try await withThrowingTaskGroup { group in
      group.addTask { try await remind(clock: .virtual(clock)) { spoken.append($0) } }
      await clock.advance(by: .days(7))
      group.cancelAll()
      try await group.waitForAll()
    }
  }
  #expect(spoken.all == Array(repeating: "stand-up in five minutes", count: 5))
}
