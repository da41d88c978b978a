import Dispatch
import Testing

@testable import TimerKit

/// A tolerance lets timers share wake-ups but never misses a tick: at most half the interval is used.
/// Each of these timers has its own queue, where nothing else wakes it. With a tolerance of an hour it
/// would otherwise wait that long.
@Suite(.timeLimit(.minutes(20))) struct ToleranceTests {
  let queue = DispatchQueue(label: "tolerance")
  let done: AsyncStream<Void>
  let continuation: AsyncStream<Void>.Continuation

  init() {
    (done, continuation) = AsyncStream.makeStream(of: Void.self)
  }

  @Test func isLimitedForARepeater() async throws {
    let timer = try Repeater.every(
      .milliseconds(10), count: 3, tolerance: .hours(1), queue: queue
    ) { [continuation] _, tick in
      if tick.isLast { continuation.finish() }
    }
    for await _ in done {}
    // The tolerance keeps its value, in case the interval becomes longer.
    #expect(timer.snapshot.configuration.tolerance == .hours(1))
  }

  @Test func isLimitedAfterANewInterval() async throws {
    let timer = try Repeater(
      interval: .hours(9), mode: .finite(2), tolerance: .hours(1), queue: queue
    ) { [continuation] _, tick in
      if tick.isLast { continuation.finish() }
    }
    timer.start()
    timer.setInterval(.milliseconds(10))
    for await _ in done {}
  }

  @Test func isLimitedForACountdown() async throws {
    let countdown = try Countdown(
      from: 2, every: .milliseconds(10), tolerance: .hours(1), queue: queue
    ) { [continuation] _, left in
      if left == 0 { continuation.finish() }
    }
    countdown.start()
    for await _ in done {}
    withExtendedLifetime(countdown) {}
  }

  @Test func isLimitedForACycle() async throws {
    let cycle = try Cycle(
      [.init("run", .milliseconds(10)), .init("walk", .milliseconds(5))], tolerance: .hours(1),
      queue: queue
    ) { [continuation] _, _ in continuation.finish() }
    cycle.start()
    for await _ in done {}
    withExtendedLifetime(cycle) {}
  }

  @Test func isTheConfiguredOneOrTheLimit() throws {
    func used(_ tolerance: Duration) throws -> Int64 {
      let timer = try Repeater(interval: .seconds(10), tolerance: tolerance) { _, _ in }
      return timer.storage.readGuardedState { $0.registration(timer).tolerance }
    }
    #expect(try used(.zero) == 0)
    #expect(try used(.seconds(1)) == Duration.seconds(1).clampedNanoseconds)
    #expect(try used(.hours(1)) == Duration.seconds(5).clampedNanoseconds)
  }

  @Test func isAtMostHalfTheInterval() throws {
    func limit(_ mode: Repeater.Mode, _ interval: Duration) throws -> Int64 {
      try RepeaterStateMachine(.init(.interval(interval), mode: mode)).maximumTolerance
    }
    #expect(try limit(.infinite, .nanoseconds(7)) == 3)
    #expect(try limit(.finite(2), .nanoseconds(8)) == 4)
    #expect(try limit(.once, .nanoseconds(8)) == .max)
    var extended = try RepeaterStateMachine(.init(.interval(.nanoseconds(8)), mode: .once))
    #expect(extended.setRemainingIterations(2) == .changed)
    #expect(extended.maximumTolerance == 4)
    let daily = try RepeaterStateMachine(.init(.schedule(.daily(hour: 9))))
    #expect(daily.maximumTolerance == Duration.minutes(690).clampedNanoseconds)
    let cycle = CycleStateMachine(
      try CyclePlan(Cycle.Configuration([.init("a", .nanoseconds(10))])))
    #expect(cycle.maximumTolerance == 5)
    #expect(DeadlineStateMachine().maximumTolerance == .max)
  }
}
