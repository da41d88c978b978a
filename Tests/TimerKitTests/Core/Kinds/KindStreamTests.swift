import Testing

@testable import TimerKit

/// `events()` of every kind of timer.
@Suite struct KindStreamTests {
  /// A kind of timer, with a closure that makes it deliver a given number of times.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (_ check: any StreamCheck) async throws -> Void

    init<Timer: ObservableTimer>(
      _ name: String,
      _ make:
        @escaping @Sendable (VirtualClock, Recorder<Int>) throws -> (
          Timer, drive: @Sendable (_ times: Int) throws -> Void
        )
    ) {
      testDescription = name
      check = { check in
        let calls = Recorder<Int>()
        let (timer, drive) = try make(VirtualClock(), calls)
        try await check.run(timer, drive, calls)
      }
    }
  }

  protocol StreamCheck: Sendable {
    func run(
      _ timer: some ObservableTimer, _ drive: @Sendable (Int) throws -> Void, _ calls: Recorder<Int>
    ) async throws
  }

  /// Returns a timer that delivers whenever it is used, and a closure that uses it.
  private static func used<Timer: ObservableTimer>(
    _ timer: Timer, _ clock: VirtualClock, _ use: @escaping @Sendable (Timer, Int) -> Void
  ) -> (Timer, drive: @Sendable (Int) throws -> Void) {
    (
      timer,
      { times in
        for time in 0..<times {
          use(timer, time)
          clock.advance(by: .seconds(2))
        }
      }
    )
  }

  /// Returns a running timer that delivers every second.
  private static func running<Timer: PausableTimer>(
    _ timer: Timer, _ clock: VirtualClock
  ) -> (Timer, drive: @Sendable (Int) throws -> Void) {
    timer.start()
    return (timer, { clock.advance(by: .seconds($0)) })
  }

  static let kinds: [Kind] = [
    Kind("Repeater") { clock, calls in
      running(
        try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in calls.append(1) },
        clock)
    },
    Kind("Countdown") { clock, calls in
      running(
        try Countdown(from: 1_000, every: .seconds(1), clock: .virtual(clock)) { _, _ in
          calls.append(1)
        }, clock)
    },
    Kind("Cycle") { clock, calls in
      let phases: [Cycle.Phase] = [.init("a", .seconds(1)), .init("b", .seconds(1))]
      return running(try Cycle(phases, clock: .virtual(clock)) { _, _ in calls.append(1) }, clock)
    },
    Kind("Stopwatch") { clock, calls in
      let timer = Stopwatch(clock: .virtual(clock)) { _, _ in calls.append(1) }
      timer.start()
      return used(timer, clock) { timer, _ in timer.lap() }
    },
    Kind("Debouncer") { clock, calls in
      used(
        try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock)) { _, _ in calls.append(1) },
        clock
      ) { $0.call($1) }
    },
    Kind("Throttler") { clock, calls in
      used(
        try Throttler<Int>(interval: .seconds(1), clock: .virtual(clock)) { _, _ in
          calls.append(1)
        }, clock
      ) { $0.call($1) }
    },
    Kind("KeyedDebouncer") { clock, calls in
      used(
        try KeyedDebouncer<Int, Int>(delay: .seconds(1), clock: .virtual(clock)) { _, _, _ in
          calls.append(1)
        }, clock
      ) { $0.call($1, for: $1) }
    },
    Kind("KeyedThrottler") { clock, calls in
      used(
        try KeyedThrottler<Int, Int>(interval: .seconds(1), clock: .virtual(clock)) { _, _, _ in
          calls.append(1)
        }, clock
      ) { $0.call($1, for: $1) }
    },
    Kind("BackgroundTimer") { clock, calls in
      used(BackgroundTimer(for: calls, clock: .virtual(clock)), clock) { timer, _ in
        timer.perform(after: .seconds(1)) { $0.append(1) }
      }
    },
    Kind("TimeLimited") { clock, calls in
      used(
        try TimeLimited(7, for: .seconds(1), clock: .virtual(clock)) { _, _ in calls.append(1) },
        clock
      ) { timer, _ in timer.replace(with: 7) }
    },
  ]

  @Test(arguments: kinds) func deliveriesCanBeAwaited(_ kind: Kind) async throws {
    struct Check: StreamCheck {
      func run(
        _ timer: some ObservableTimer, _ drive: @Sendable (Int) throws -> Void,
        _ calls: Recorder<Int>
      ) async throws {
        let events = timer.events()
        try drive(3)
        var ticks = 0
        for await case .delivery in events {
          ticks += 1
          if ticks == 3 { break }
        }
        #expect(ticks == 3)
        #expect(calls.count == 3)
      }
    }
    try await kind.check(Check())
  }

  @Test(arguments: kinds) func aSlowConsumerDoesNotDelayTheTimer(_ kind: Kind) async throws {
    struct Check: StreamCheck {
      func run(
        _ timer: some ObservableTimer, _ drive: @Sendable (Int) throws -> Void,
        _ calls: Recorder<Int>
      ) async throws {
        let (all, slow) = (timer.events(bufferingNewest: .max), timer.events(bufferingNewest: 2))
        try drive(100)
        #expect(calls.count == 100)
        timer.removeAllObservers()
        var (total, kept) = (0, 0)
        for await _ in all { total += 1 }
        for await _ in slow { kept += 1 }
        #expect(kept == 2)
        #expect(timer.droppedEventCount == total - 2)
        #expect(total >= 100)
      }
    }
    try await kind.check(Check())
  }

  @Test(arguments: kinds) func cancellingTheConsumerEndsTheStream(_ kind: Kind) async throws {
    struct Check: StreamCheck {
      func run(
        _ timer: some ObservableTimer, _ drive: @Sendable (Int) throws -> Void,
        _ calls: Recorder<Int>
      ) async throws {
        let consumer = Task { [events = timer.events(bufferingNewest: 0)] in
          for await _ in events {}
        }
        consumer.cancel()
        await consumer.value
        // The observer is removed: a buffer without capacity drops nothing.
        try drive(5)
        #expect(calls.count == 5)
        #expect(timer.droppedEventCount == 0)
      }
    }
    try await kind.check(Check())
  }

  @Test(arguments: kinds) func theStreamEndsWhenItsObserverIsRemoved(_ kind: Kind) async throws {
    struct Check: StreamCheck {
      func run(
        _ timer: some ObservableTimer, _ drive: @Sendable (Int) throws -> Void,
        _ calls: Recorder<Int>
      ) async throws {
        let events = timer.events()
        timer.removeAllObservers()
        for await _ in events { Issue.record("an event without an observer") }
      }
    }
    try await kind.check(Check())
  }
}
