import Testing

@testable import TimerKit

/// A timeline is a `Clock`.
@Suite struct TimelineClockTests {
  @Test(arguments: TimerClock.Kind.allCases) func sleepsOnVirtualTime(_ kind: TimerClock.Kind) async throws {
    let timeline = VirtualClock(kind: kind)
    let deadline = TimerClock.Instant(nanoseconds: 1_000_000_000)
    let sleeper = Task {
      try await Task.sleep(until: deadline, clock: timeline)
      return timeline.now
    }
    await until { timeline.isSleptOn }
    timeline.advance(by: .milliseconds(999))
    #expect(timeline.isSleptOn)
    timeline.advance(by: .milliseconds(1))
    #expect(try await sleeper.value == deadline)
    #expect(!timeline.isSleptOn)
  }

  @Test(arguments: TimerClock.Kind.allCases) func sleepsOnTheSystem(_ kind: TimerClock.Kind) async throws {
    let timeline: TimerClock = TimerClock(kind)
    let deadline = timeline.now.advanced(by: .milliseconds(3))
    try await timeline.sleep(until: deadline)
    #expect(timeline.now >= deadline)
    try await timeline.sleep(until: deadline, tolerance: .seconds(9))
    #expect(timeline.minimumResolution == .nanoseconds(1))
  }

  @Test func sleepsForADuration() async throws {
    let timeline = TimerClock.continuous
    let begin = timeline.now
    try await Task.sleep(for: .milliseconds(2), tolerance: .milliseconds(1), clock: timeline)
    #expect(begin.duration(to: timeline.now) >= .milliseconds(2))
    #expect(try await timeline.measure { try await timeline.sleep(for: .zero) } >= .zero)
  }

  /// At once, and nothing is left that would ring.
  @Test(arguments: TimerClock.Kind.allCases) func cancellingTheTaskEndsTheSleep(
    _ kind: TimerClock.Kind
  ) async throws {
    let timeline = VirtualClock(kind: kind)
    let sleepers = (0..<10).map { number in
      Task { try await timeline.sleep(until: TimerClock.Instant(nanoseconds: .max - 1 - number)) }
    }
    await until { timeline.usage.slots - timeline.usage.freeSlots == 10 }
    for sleeper in sleepers {
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(!timeline.isSleptOn)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await timeline.sleep(until: timeline.now)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test(arguments: TimerClock.Kind.allCases) func cancellingEndsASleepOnTheSystem(
    _ kind: TimerClock.Kind
  ) async {
    let sleeper = Task { try await Task.sleep(for: .days(9), clock: TimerClock(kind)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func aStepOfTheClockWakesOrPostponesASleeper() async throws {
    let timeline = VirtualClock(kind: .wall)
    let sleeper = Task { try await timeline.sleep(for: .seconds(10)) }
    await until { timeline.isSleptOn }
    timeline.stepWall(by: .seconds(-100))
    timeline.advance(by: .seconds(100))
    #expect(timeline.isSleptOn)
    timeline.stepWall(by: .seconds(1_000))
    try await sleeper.value
    #expect(timeline.now.nanoseconds == 1_000_000_000_000)
  }

  @Test func clocksOfTheSystemMoveOn() {
    for kind in TimerClock.Kind.allCases {
      let before = kind.now
      #expect(kind.now >= before)
      #expect(before > 0)
      let timeline = TimerClock(kind)
      #expect(timeline.kind == kind)
      #expect(timeline.wallNow.nanoseconds > 1_600_000_000_000_000_000)
    }
    #expect(TimerClock.wall.now.nanoseconds > 1_600_000_000_000_000_000)
    #expect(
      TimerClock.continuous.now.nanoseconds >= TimerClock.suspending.now.nanoseconds - 1_000_000)
  }
}

extension VirtualClock {
  fileprivate var usage: (slots: Int, freeSlots: Int, entries: Int) {
    alarmDriver(for: nil).usage
  }

  /// Whether anybody waits for it.
  fileprivate var isSleptOn: Bool { usage.slots > usage.freeSlots }
}

/// For what another task brings about, and surely does.
private func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
