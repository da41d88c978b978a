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

  static let kinds: [Kind] = [
    Kind("Repeater") { clock, calls in
      let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in
        calls.append(1)
      }
      timer.start()
      return (timer, { clock.advance(by: .seconds($0)) })
    },
    Kind("Countdown") { clock, calls in
      let timer = try Countdown(from: 1_000, every: .seconds(1), clock: .virtual(clock)) { _, _ in
        calls.append(1)
      }
      timer.start()
      return (timer, { clock.advance(by: .seconds($0)) })
    },
    Kind("Cycle") { clock, calls in
      let timer = try Cycle(
        [.init("a", .seconds(1)), .init("b", .seconds(1))], clock: .virtual(clock)
      ) {
        _, _ in calls.append(1)
      }
      timer.start()
      return (timer, { clock.advance(by: .seconds($0)) })
    },
    Kind("Stopwatch") { clock, calls in
      let timer = Stopwatch(clock: .virtual(clock)) { _, _ in calls.append(1) }
      timer.start()
      return (
        timer,
        { times in
          for _ in 0..<times { timer.lap() }
        }
      )
    },
    Kind("Debouncer") { clock, calls in
      let timer = try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock)) { _, _ in
        calls.append(1)
      }
      return (
        timer,
        { times in
          for time in 0..<times {
            timer.call(time)
            clock.advance(by: .seconds(2))
          }
        }
      )
    },
    Kind("Throttler") { clock, calls in
      let timer = try Throttler<Int>(interval: .seconds(1), clock: .virtual(clock)) { _, _ in
        calls.append(1)
      }
      return (
        timer,
        { times in
          for time in 0..<times {
            timer.call(time)
            clock.advance(by: .seconds(2))
          }
        }
      )
    },
    Kind("KeyedDebouncer") { clock, calls in
      let timer = try KeyedDebouncer<Int, Int>(delay: .seconds(1), clock: .virtual(clock)) {
        _, _, _ in
        calls.append(1)
      }
      return (
        timer,
        { times in
          for time in 0..<times {
            timer.call(time, for: time)
            clock.advance(by: .seconds(2))
          }
        }
      )
    },
    Kind("KeyedThrottler") { clock, calls in
      let timer = try KeyedThrottler<Int, Int>(interval: .seconds(1), clock: .virtual(clock)) {
        _, _, _ in
        calls.append(1)
      }
      return (
        timer,
        { times in
          for time in 0..<times {
            timer.call(time, for: time)
            clock.advance(by: .seconds(2))
          }
        }
      )
    },
    Kind("BackgroundTimer") { clock, calls in
      let timer = BackgroundTimer(for: calls, clock: .virtual(clock))
      return (
        timer,
        { times in
          for _ in 0..<times {
            timer.perform(after: .seconds(1)) { $0.append(1) }
            clock.advance(by: .seconds(2))
          }
        }
      )
    },
    Kind("TimeLimited") { clock, calls in
      let timer = try TimeLimited(7, for: .seconds(1), clock: .virtual(clock)) { _, _ in
        calls.append(1)
      }
      return (
        timer,
        { times in
          for _ in 0..<times {
            timer.replace(with: 7)
            clock.advance(by: .seconds(2))
          }
        }
      )
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
