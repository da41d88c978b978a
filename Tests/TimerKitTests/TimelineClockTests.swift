import Testing

@testable import TimerKit

/// A timeline is a `Clock`.
@Suite struct TimelineClockTests {
  @Test func sleepsOnVirtualTime() async throws {
    let timeline = VirtualTimeline()
    let deadline = TimelineInstant(nanoseconds: 1_000_000_000)
    let sleeper = Task { try await Task.sleep(until: deadline, clock: timeline) }
    // The alarm may not be set yet when time is moved the first time; then it is past.
    while !sleeper.isCancelled, timeline.now <= deadline {
      await Task.yield()
      timeline.advance(by: .milliseconds(100))
    }
    try await sleeper.value
  }

  @Test func sleepsOnTheSystem() async throws {
    let timeline: any Timeline = SystemTimeline.uptime
    let deadline = timeline.now.advanced(by: .milliseconds(3))
    try await timeline.sleep(until: deadline)
    #expect(timeline.now >= deadline)
    try await timeline.sleep(until: deadline, tolerance: .seconds(9))
    #expect(timeline.minimumResolution == .nanoseconds(1))
  }

  @Test func cancellingTheTaskEndsTheSleep() async throws {
    let timeline = VirtualTimeline()
    let sleeper = Task { try await timeline.sleep(until: .distantFuture) }
    await Task.yield()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await timeline.sleep(until: timeline.now)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func clocksOfTheSystemMoveOn() {
    for kind in ClockKind.allCases {
      let before = kind.now
      #expect(kind.now >= before)
      #expect(before > 0)
    }
    #expect(SystemTimeline.uptime.wallNow.nanoseconds > 1_600_000_000_000_000_000)
    #expect(SystemTimeline.uptime.kind == .uptime)
  }
}
