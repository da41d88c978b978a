import Dispatch
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A timeline is a `Clock`.
@Suite struct TimelineClockTests {
  @Test(arguments: ClockKind.allCases) func sleepsOnVirtualTime(_ kind: ClockKind) async throws {
    let timeline = VirtualTimeline(kind: kind)
    let deadline = TimelineInstant(nanoseconds: 1_000_000_000)
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

  @Test(arguments: ClockKind.allCases) func sleepsOnTheSystem(_ kind: ClockKind) async throws {
    let timeline: any Timeline = SystemTimeline(kind: kind)
    let deadline = timeline.now.advanced(by: .milliseconds(3))
    try await timeline.sleep(until: deadline)
    #expect(timeline.now >= deadline)
    try await timeline.sleep(until: deadline, tolerance: .seconds(9))
    #expect(timeline.minimumResolution == .nanoseconds(1))
  }

  @Test func sleepsForADuration() async throws {
    let timeline = SystemTimeline.boot
    let begin = timeline.now
    try await Task.sleep(for: .milliseconds(2), tolerance: .milliseconds(1), clock: timeline)
    #expect(begin.duration(to: timeline.now) >= .milliseconds(2))
    #expect(try await timeline.measure { try await timeline.sleep(for: .zero) } >= .zero)
  }

  /// Handlers without a queue share one. What blocks it here would hold up the other tests, so this is
  /// done in a process of its own.
  @Test func aHandlerThatBlocksDelaysNoSleep() async {
    await #expect(processExitsWith: .success) {
      let (blocked, continuation) = AsyncStream.makeStream(of: Void.self)
      let slept = DispatchSemaphore(value: 0)
      let timer = try Repeater.once(after: .microseconds(1)) { _, _ in
        continuation.finish()
        if slept.wait(timeout: .now() + 20) == .timedOut { exit(EXIT_FAILURE) }
      }
      for await _ in blocked {}
      try await Task.sleep(for: .milliseconds(5), clock: SystemTimeline.uptime)
      slept.signal()
      withExtendedLifetime(timer) {}
    }
  }

  /// At once, and nothing is left that would ring.
  @Test(arguments: ClockKind.allCases) func cancellingTheTaskEndsTheSleep(
    _ kind: ClockKind
  ) async throws {
    let timeline = VirtualTimeline(kind: kind)
    let sleepers = (0..<10).map { number in
      Task { try await timeline.sleep(until: TimelineInstant(nanoseconds: .max - 1 - number)) }
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

  @Test(arguments: ClockKind.allCases) func cancellingEndsASleepOnTheSystem(
    _ kind: ClockKind
  ) async {
    let sleeper = Task { try await Task.sleep(for: .days(9), clock: SystemTimeline(kind: kind)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func aStepOfTheClockWakesOrPostponesASleeper() async throws {
    let timeline = VirtualTimeline(kind: .wall)
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
    for kind in ClockKind.allCases {
      let before = kind.now
      #expect(kind.now >= before)
      #expect(before > 0)
      let timeline = SystemTimeline(kind: kind)
      #expect(timeline.kind == kind)
      #expect(timeline.wallNow.nanoseconds > 1_600_000_000_000_000_000)
    }
    #expect(SystemTimeline.wall.now.nanoseconds > 1_600_000_000_000_000_000)
    #expect(
      SystemTimeline.boot.now.nanoseconds >= SystemTimeline.uptime.now.nanoseconds - 1_000_000)
  }
}

extension VirtualTimeline {
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
