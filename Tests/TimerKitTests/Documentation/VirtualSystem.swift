import Testing

@testable import TimerKit

/// The clocks of a simulated machine. In a suite with the trait ``virtualTime``, they stand for the system clocks, so that
/// code of the documentation, which names no clock, runs word for word on virtual time.
final class VirtualSystem: Sendable {
  @TaskLocal static var current = VirtualSystem()

  /// The clock for durations, whether or not they include the sleep of the machine.
  let clock = VirtualClock(.suspending)
  let wall = VirtualClock(.wall)
  private let timers = Guarded<[any Sendable]>([])

  /// The seconds since the start.
  var now: Double { clock.now.nanoseconds.seconds }

  /// A system clock, in a test for which virtual time is not enough.
  static let realTime = TimerClock(TimeSource.system(.suspending))

  /// Moves both clocks, from deadline to deadline.
  func advance(by duration: Duration) {
    move(by: .zero)
    var left = duration
    while let step = [clock, wall].compactMap(\.timeToNextDeadline).min(),
      step > .zero, step <= left
    {
      move(by: step)
      left -= step
    }
    move(by: left)
  }

  /// Moves the clock for durations in one step, as if no thread had been free meanwhile.
  func stall(for duration: Duration) {
    clock.driver.move(clock.virtualTime, by: duration.clampedNanoseconds, inOneStep: true)
  }

  private func move(by duration: Duration) {
    clock.advance(by: duration)
    wall.advance(by: duration)
  }

  /// Advances the clock while an operation runs, and cancels it afterward.
  func advance(by duration: Duration, during operation: @escaping @Sendable () async throws -> Void)
    async throws
  {
    try await clock.run {
      try await withThrowingTaskGroup { group in
        group.addTask {
          do { try await operation() } catch is CancellationError {}
        }
        await clock.advance(by: duration)
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }

  /// Returns the elements of a sequence, each after the second at which it came: `1.5 b`.
  /// - Parameters:
  ///   - sequence: the sequence, which ends with the values.
  ///   - input: the input of the sequence from which it is made.
  ///   - values: the elements of the input, with the second of each.
  ///   - end: the second at which the input ends.
  func collect<Values: AsyncSequence & Sendable, Element: Sendable>(
    _ sequence: Values, feeding input: AsyncStream<Element>.Continuation,
    _ values: [(time: Double, value: Element)], endingAt end: Double
  ) async throws -> [String] where Values.Element: Sendable {
    let lines = Recorder<String>()
    try await advance(by: .seconds(end + 1)) { [clock] in
      async let reading: Void = {
        for try await element in sequence { lines.append("\(self.now) \(element)") }
      }()
      for (time, value) in values {
        try await clock.sleep(until: clock.instant(atSecond: time))
        input.yield(value)
      }
      try await clock.sleep(until: clock.instant(atSecond: end))
      input.finish()
      try await reading
    }
    return lines.all
  }

  /// Keeps a timer until the end of the test.
  func keep(_ timer: some Sendable) { timers.withLock { $0.append(timer) } }
}

extension VirtualClock {
  fileprivate var timeToNextDeadline: Duration? { nextDeadline.map { now.duration(to: $0) } }

  fileprivate func instant(atSecond second: Double) -> TimerClock.Instant {
    TimerClock.virtual(self).instant(nanoseconds: 0).advanced(by: .seconds(second))
  }
}

extension Int64 {
  fileprivate var seconds: Double { Duration.nanoseconds(self) / .seconds(1) }
}

/// A trait that gives each test of a suite a ``VirtualSystem`` of its own.
struct VirtualTimeTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let system = VirtualSystem()
    let clocks = [
      TimerClock.Kind.suspending: system.clock, .continuous: system.clock, .wall: system.wall,
    ]
    try await VirtualSystem.$current.withValue(system) {
      try await TimerClock.$substitutes.withValue(clocks) { try await function() }
    }
  }
}

extension Trait where Self == VirtualTimeTrait {
  static var virtualTime: Self { VirtualTimeTrait() }
}

/// The work of documented code, `work()`, which records the second of each call.
final class Work: Sendable {
  private let system = VirtualSystem.current
  private let calls = Guarded<[Double]>([])

  /// The seconds of the calls.
  var times: [Double] { calls.withLock { $0 } }

  func callAsFunction() { calls.withLock { [now = system.now] in $0.append(now) } }
}
