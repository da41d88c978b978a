import Dispatch
import Testing

@testable import TimerKit

/// The driver of a queue after its last timer.
@Suite struct LingeringDriversTests {
  /// In a process of its own, where no other drivers linger.
  @Test func theNextTimerOfAQueueUsesTheSameDriver() async {
    await #expect(processExitsWith: .success) {
      for kind in TimerClock.Kind.allCases {
        let queue = DispatchQueue(label: "next timer")
        let began = TimerClock.suspending.now
        weak var driver: AlarmDriver?
        do {
          let timer = try Repeater.once(after: .hours(1), clock: TimerClock(kind), queue: queue) {
            _, _ in
          }
          driver = timer.storage.originalDriver
        }
        let next = TimerClock(kind).timeSource.driver(for: queue)
        let isInTime = began.duration(to: TimerClock.suspending.now) < .milliseconds(450)
        #expect(driver === next || !isInTime)
      }
    }
  }

  /// A driver of a queue, which may be gone.
  private struct Reference {
    weak var driver: AlarmDriver?
  }

  /// Uses a queue for timers, one after the other.
  private static func use(_ queue: DispatchQueue, timers: Int = 1) throws -> Reference {
    var used = Reference()
    for _ in 0..<timers {
      let timer = try Repeater.once(after: .hours(1), queue: queue) { _, _ in }
      used.driver = timer.storage.originalDriver
    }
    return used
  }

  /// At most 64, of which each counts once. Drivers with other timers and those of virtual clocks do not count.
  @Test func fewDriversLinger() async {
    await #expect(processExitsWith: .success) {
      let began = TimerClock.suspending.now
      let used = try Self.use(DispatchQueue(label: "many timers"), timers: 70)
      var others: [Repeater] = []
      for number in 0..<70 {
        let queue = DispatchQueue(label: "two timers \(number)")
        others.append(try Repeater.once(after: .hours(1), queue: queue) { _, _ in })
        _ = try Self.use(queue)
        _ = try Repeater.once(after: .hours(1), clock: .virtual(VirtualClock())) { _, _ in }
      }
      let more = try (0..<100).map { try Self.use(DispatchQueue(label: "queue \($0)")) }
      let count = (more + [used]).count { $0.driver != nil }
      let isInTime = began.duration(to: TimerClock.suspending.now) < .milliseconds(450)
      #expect(count == 64 || !isInTime)
      withExtendedLifetime(others) {}
    }
  }

  /// It lingers from its last timer on.
  @Test func aDriverThatIsUsedAgainLingersOn() async {
    await #expect(processExitsWith: .success) {
      let clock = TimerClock.suspending
      let queue = DispatchQueue(label: "used again")
      let began = clock.now
      let reference = try Self.use(queue)
      try await clock.sleep(until: began.advanced(by: .milliseconds(300)))
      _ = try Self.use(queue)
      // Dispatch may end the first delay late by a tenth of it.
      let isInTime = began.duration(to: clock.now) < .milliseconds(450)
      try await clock.sleep(until: began.advanced(by: .milliseconds(700)))
      let isAlive = reference.driver != nil
      #expect(isAlive || !isInTime || began.duration(to: clock.now) >= .milliseconds(900))
    }
  }

  /// Although an idle source keeps its queue alive.
  @Test(.timeLimit(.minutes(20)), arguments: TimerClock.Kind.allCases)
  func aQueueIsReleasedAWhileAfterItsLastTimer(_ kind: TimerClock.Kind) async throws {
    let (released, continuation) = AsyncStream.makeStream(of: Void.self)
    weak var driver: AlarmDriver?
    do {
      let queue = DispatchQueue(label: "released")
      queue.setSpecific(key: Self.key, value: ReleaseObserver { continuation.finish() })
      for _ in 0..<3 {
        let timer = try Repeater.once(after: .hours(1), clock: TimerClock(kind), queue: queue) {
          _, _ in
        }
        driver = timer.storage.originalDriver
      }
    }
    for await _ in released {}
    #expect(driver == nil)
  }

  /// The address of a key identifies it, so that it must not be destroyed before the queue.
  private static let key = DispatchSpecificKey<ReleaseObserver>()

  /// A value of a queue, which is destroyed with it.
  private final class ReleaseObserver: Sendable {
    let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) {
      self.onRelease = onRelease
    }

    deinit { onRelease() }
  }
}
