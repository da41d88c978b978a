import Dispatch
import Testing
import TimerKit

/// Handlers on the main actor, of every kind that has such handlers.
@MainActor @Suite struct MainActorTests {
  /// A log without a lock: only the main actor protects it.
  @MainActor final class Journal {
    private(set) var entries: [String] = []
    var onEntry: (() -> Void)?

    func add(_ entry: String) {
      entries.append(entry)
      onEntry?()
    }
  }

  /// Creates a timer with one delivery, at most a millisecond later.
  struct Maker: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @MainActor @Sendable (TimerClock, Journal) throws -> any AnyObject & Sendable

    init(
      _ name: String,
      _ make:
        @escaping @MainActor @Sendable (TimerClock, Journal) throws -> any AnyObject
        & Sendable
    ) {
      (testDescription, self.make) = (name, make)
    }
  }

  nonisolated private static let delay = Duration.milliseconds(1)

  nonisolated static let makers: [Maker] = [
    Maker("Repeater.every") { clock, journal in
      try Repeater.every(delay, count: 1, clock: clock, isolation: MainActor.shared) { _, tick in
        journal.add("\(tick.iteration)")
      }
    },
    Maker("Repeater.once") { clock, journal in
      try Repeater.once(after: delay, clock: clock, isolation: MainActor.shared) { _, tick in
        journal.add("\(tick.iteration)")
      }
    },
    Maker("Repeater") { clock, journal in
      let configuration = Repeater.Configuration(.interval(delay), mode: .once)
      let timer = try Repeater(configuration, clock: clock, isolation: MainActor.shared) {
        _, tick in journal.add("\(tick.iteration)")
      }
      timer.start()
      return timer
    },
    Maker("Repeater(interval:)") { clock, journal in
      let timer = try Repeater(
        interval: delay, mode: .once, clock: clock, isolation: MainActor.shared
      ) { _, tick in journal.add("\(tick.iteration)") }
      timer.start()
      return timer
    },
    Maker("Repeater(restoring:)") { clock, journal in
      let original = try Repeater(interval: delay, mode: .once, clock: clock) { _, _ in }
      original.start()
      return try Repeater(
        restoring: original.checkpoint, policy: .keepTimeLeft, clock: clock,
        isolation: MainActor.shared
      ) { _, tick in journal.add("\(tick.iteration)") }
    },
    Maker("Countdown(restoring:)") { clock, journal in
      let original = try Countdown(from: 1, every: delay, clock: clock) { _, _ in }
      original.start()
      return try Countdown(
        restoring: original.checkpoint, policy: .keepTimeLeft, clock: clock,
        isolation: MainActor.shared
      ) { _, remainingSteps in journal.add("\(1 + remainingSteps)") }
    },
    Maker("Cycle(restoring:)") { clock, journal in
      let original = try Cycle([.init("1", delay)], rounds: 1, clock: clock) { _, _ in }
      original.start()
      return try Cycle(
        restoring: original.checkpoint, policy: .keepTimeLeft, clock: clock,
        isolation: MainActor.shared
      ) { _, tick in journal.add(tick.ended.phase.name) }
    },
    Maker("Cycle([Phase])") { clock, journal in
      let timer = try Cycle(
        [.init("1", delay)], rounds: 1, clock: clock, isolation: MainActor.shared
      ) { _, tick in journal.add(tick.ended.phase.name) }
      timer.start()
      return timer
    },
    Maker("Stopwatch(restoring:)") { clock, journal in
      let original = Stopwatch(clock: clock)
      original.setAlarm(at: delay)
      original.start()
      return try Stopwatch(
        restoring: original.checkpoint, policy: .keepTimeLeft, clock: clock,
        isolation: MainActor.shared
      ) { _, mark in if case .alarm = mark { journal.add("1") } }
    },
    Maker("observe") { clock, journal in
      let timer = try Repeater(interval: delay, mode: .once, clock: clock, queue: .main) { _, _ in }
      timer.start()
      timer.observe(isolation: MainActor.shared) { _, event in
        if case .delivery(let tick) = event { journal.add("\(tick.iteration)") }
      }
      return timer
    },
    Maker("setHandler of a Repeater") { clock, journal in
      let timer = try Repeater(interval: delay, mode: .once, clock: clock, queue: .main) { _, _ in }
      timer.setHandler(isolation: MainActor.shared) { _, tick in journal.add("\(tick.iteration)") }
      timer.start()
      return timer
    },
    Maker("setHandler of a Countdown") { clock, journal in
      let timer = try Countdown(from: 1, every: delay, clock: clock, queue: .main) { _, _ in }
      timer.setHandler(isolation: MainActor.shared) { _, remainingSteps in
        journal.add("\(1 + remainingSteps)")
      }
      timer.start()
      return timer
    },
    Maker("setHandler of a Cycle") { clock, journal in
      let timer = try Cycle([.init("1", delay)], rounds: 1, clock: clock, queue: .main) { _, _ in }
      timer.setHandler(isolation: MainActor.shared) { _, tick in
        journal.add(tick.ended.phase.name)
      }
      timer.start()
      return timer
    },
    Maker("setHandler of a Stopwatch") { clock, journal in
      let timer = Stopwatch(clock: clock, queue: .main)
      timer.setHandler(isolation: MainActor.shared) { _, mark in
        if case .alarm = mark { journal.add("1") }
      }
      timer.setAlarm(at: delay)
      timer.start()
      return timer
    },
    Maker("setHandler of a TimeLimited") { clock, journal in
      let timer = try TimeLimited("1", for: delay, clock: clock, queue: .main)
      timer.setHandler(isolation: MainActor.shared) { _, value in journal.add(value) }
      return timer
    },
    Maker("DeadlineTimer") { clock, journal in
      let timer = DeadlineTimer(clock: clock, isolation: MainActor.shared) { _, _ in
        journal.add("1")
      }
      timer.schedule(at: clock.now.advanced(by: delay))
      return timer
    },
    Maker("Countdown") { clock, journal in
      let timer = try Countdown(from: 1, every: delay, clock: clock, isolation: MainActor.shared) {
        _, remainingSteps in journal.add("\(1 + remainingSteps)")
      }
      timer.start()
      return timer
    },
    Maker("Cycle") { clock, journal in
      let configuration = Cycle.Configuration([.init("1", delay)], rounds: 1)
      let timer = try Cycle(configuration, clock: clock, isolation: MainActor.shared) { _, tick in
        journal.add(tick.ended.phase.name)
      }
      timer.start()
      return timer
    },
    Maker("Stopwatch") { clock, journal in
      let timer = Stopwatch(clock: clock, isolation: MainActor.shared) { _, mark in
        if case .alarm = mark { journal.add("1") }
      }
      timer.setAlarm(at: delay)
      timer.start()
      return timer
    },
    Maker("TimeLimited") { clock, journal in
      try TimeLimited("1", for: delay, clock: clock, isolation: MainActor.shared) { _, value in
        journal.add(value)
      }
    },
    Maker("Debouncer") { clock, journal in
      let timer = try Debouncer<String>(delay: delay, clock: clock, isolation: MainActor.shared) {
        _, value in journal.add(value)
      }
      timer.call("1")
      return timer
    },
    Maker("Throttler") { clock, journal in
      let timer = try Throttler<String>(
        interval: delay, mode: .deferred, clock: clock, isolation: MainActor.shared
      ) { _, value in journal.add(value) }
      timer.call("1")
      return timer
    },
    Maker("KeyedDebouncer") { clock, journal in
      let timer = try KeyedDebouncer<Int, String>(
        delay: delay, clock: clock, isolation: MainActor.shared
      ) { _, _, value in journal.add(value) }
      timer.call("1", for: 7)
      return timer
    },
    Maker("KeyedThrottler") { clock, journal in
      let timer = try KeyedThrottler<Int, String>(
        interval: delay, mode: .deferred, clock: clock, isolation: MainActor.shared
      ) { _, _, value in journal.add(value) }
      timer.call("1", for: 7)
      return timer
    },
    Maker("DeadlineTimer(tolerance:)") { clock, journal in
      let timer = try DeadlineTimer(tolerance: .zero, clock: clock, isolation: MainActor.shared) {
        _, _ in journal.add("1")
      }
      timer.schedule(at: clock.now.advanced(by: delay))
      return timer
    },
    Maker("BackgroundTimer") { clock, journal in
      let timer = BackgroundTimer(for: journal, clock: clock, isolation: MainActor.shared)
      timer.perform(after: delay, isolation: MainActor.shared) { $0.add("1") }
      return timer
    },
    Maker("BackgroundTimer(tolerance:)") { clock, journal in
      let timer = try BackgroundTimer(
        for: journal, tolerance: .zero, clock: clock, isolation: MainActor.shared)
      timer.perform(after: delay, isolation: MainActor.shared) { $0.add("1") }
      return timer
    },
    Maker("Debouncer(_:)") { clock, journal in
      let timer = try Debouncer<String>(
        DebounceConfiguration(delay: delay), clock: clock, isolation: MainActor.shared
      ) { _, value in journal.add(value) }
      timer.call("1")
      return timer
    },
    Maker("Throttler(_:)") { clock, journal in
      let timer = try Throttler<String>(
        ThrottleConfiguration(interval: delay, mode: .deferred), clock: clock,
        isolation: MainActor.shared
      ) { _, value in journal.add(value) }
      timer.call("1")
      return timer
    },
    Maker("KeyedDebouncer(_:)") { clock, journal in
      let timer = try KeyedDebouncer<Int, String>(
        DebounceConfiguration(delay: delay), clock: clock, isolation: MainActor.shared
      ) { _, _, value in journal.add(value) }
      timer.call("1", for: 7)
      return timer
    },
    Maker("KeyedThrottler(_:)") { clock, journal in
      let timer = try KeyedThrottler<Int, String>(
        ThrottleConfiguration(interval: delay, mode: .deferred), clock: clock,
        isolation: MainActor.shared
      ) { _, _, value in journal.add(value) }
      timer.call("1", for: 7)
      return timer
    },
  ]

  @Test(arguments: makers) func handlersRunOnTheMainQueue(_ maker: Maker) async throws {
    let journal = Journal()
    let (entries, continuation) = AsyncStream.makeStream(of: Void.self)
    journal.onEntry = { continuation.finish() }
    let timer = try maker.make(.suspending, journal)
    for await _ in entries {}
    #expect(journal.entries == ["1"])
    withExtendedLifetime(timer) {}
  }

  @Test(arguments: makers) func handlersRunOnAVirtualClockOfTheMainActor(_ maker: Maker) throws {
    let journal = Journal()
    let clock = VirtualClock()
    let timer = try maker.make(.virtual(clock), journal)
    #expect(journal.entries == [])
    clock.advance(by: Self.delay)
    #expect(journal.entries == ["1"])
    withExtendedLifetime(timer) {}
  }

  @Test func aScheduleRunsOnTheMainActor() throws {
    let journal = Journal()
    let clock = VirtualClock(.wall)
    let configuration = Repeater.Configuration(.schedule(try .daily(hour: 12)), mode: .once)
    let timer = try Repeater(
      configuration, clock: .virtual(clock), isolation: MainActor.shared
    ) { _, tick in journal.add("\(tick.isLast)") }
    timer.start()
    let following = try Repeater.following(
      .daily(hour: 12), count: 1, clock: .virtual(clock), isolation: MainActor.shared
    ) { _, tick in journal.add("\(tick.isLast)") }
    let idle = try Repeater(
      schedule: .daily(hour: 12), clock: .virtual(clock), isolation: MainActor.shared
    ) { _, _ in journal.add("not started") }
    clock.advance(by: .days(2))
    #expect(journal.entries == ["true", "true"])
    #expect(following.state == .finished)
    #expect(idle.state == .idle)
  }

  /// The closure would run on another queue.
  @Test func aTimerOnAnotherQueueAcceptsNoCallbackOnTheMainActor() async {
    await #expect(processExitsWith: .failure) {
      let timer = try Repeater(interval: .seconds(1)) { _, _ in }
      timer.observe(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let timer = try Repeater(interval: .seconds(1)) { _, _ in }
      timer.setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let countdown = try Countdown(from: 1, every: .seconds(1)) { _, _ in }
      countdown.setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let cycle = try Cycle([.init("a", .seconds(1))]) { _, _ in }
      cycle.setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      Stopwatch().setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      try TimeLimited(1, for: .seconds(1)).setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      try Debouncer<Int>(delay: .seconds(1)).setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      try Throttler<Int>(interval: .seconds(1)).setHandler(isolation: MainActor.shared) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let keyed = try KeyedDebouncer<Int, Int>(delay: .seconds(1))
      keyed.setHandler(isolation: MainActor.shared) { _, _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let keyed = try KeyedThrottler<Int, Int>(interval: .seconds(1))
      keyed.setHandler(isolation: MainActor.shared) { _, _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      BackgroundTimer<Journal>().perform(after: .zero, isolation: MainActor.shared) { _ in }
    }
  }

  @Test func invalidInputThrowsATypedError() {
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
      try Repeater.every(.zero, isolation: MainActor.shared) { _, _ in }
    }
    #expect(throws: TimerConfigurationError.noPhases) {
      try Cycle(Cycle.Configuration([]), isolation: MainActor.shared) { _, _ in }
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .delay)) {
      try Debouncer<Int>(delay: .seconds(-1), isolation: MainActor.shared) { _, _ in }
    }
  }
}
