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
