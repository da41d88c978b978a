import TimerKit

/// The kinds of timers that can drain.
enum DrainedKind: String, CaseIterable, Sendable {
  case repeater = "Repeater"
  case countdown = "Countdown"
  case cycle = "Cycle"
  case deadlineTimer = "DeadlineTimer"
  case stopwatch = "Stopwatch"
  case timeLimited = "TimeLimited"
  case debouncer = "Debouncer"
  case throttler = "Throttler"
  case keyedDebouncer = "KeyedDebouncer"
  case keyedThrottler = "KeyedThrottler"
  case batcher = "Batcher"
  case backgroundTimer = "BackgroundTimer"
  case debouncedFunction = "DebouncedFunction"

  /// True if it delivers what waits for its time when it drains.
  var delivers: Bool {
    switch self {
    case .repeater, .countdown, .cycle, .deadlineTimer, .stopwatch, .timeLimited: false
    default: true
    }
  }
}

/// The work of a ``DrainedTimer``, for each value.
enum DrainedWork: Sendable {
  case handler(@Sendable (Int) -> Void)
  case operation(Repeater.Overlap, @Sendable (Int) async -> Void)
}

/// A timer of any kind, for tests of its end. What it delivers are numbers.
struct DrainedTimer: Sendable {
  let timer: any Drainable
  /// Submits a value; for a kind that submits none, starts the timer, or makes it due again.
  var submit: @Sendable (Int) -> Void
  /// Returns those of the submitted values that wait for their delivery; none for a kind that drops them.
  var pending: @Sendable (_ submitted: [Int]) -> [Int] = { _ in [] }
  /// Keeps what the timer references weakly.
  var owner: (any Sendable)?

  static let interval = Duration.milliseconds(5)
  static let keyCount = 3

  /// - Returns: `nil` if the kind has no operation, or runs it in its own way.
  init?(_ kind: DrainedKind, _ work: DrainedWork, clock: TimerClock) throws {
    let interval = Self.interval
    switch (kind, work) {
    case (.repeater, .handler(let handle)):
      let timer = try Repeater(interval: interval, clock: clock) { handle($1.iteration) }
      self.init(timer: timer) { _ in timer.start() }
    case (.repeater, .operation(let overlap, let run)):
      let timer = try Repeater(interval: interval, clock: clock, overlap: overlap) {
        await run($1.iteration)
      }
      self.init(timer: timer) { _ in timer.start() }
    case (.countdown, .handler(let handle)):
      let timer = try Countdown(from: 10, every: interval, clock: clock) { handle($1) }
      self.init(timer: timer) { _ in timer.start() }
    case (.countdown, .operation(let overlap, let run)):
      let timer = try Countdown(from: 10, every: interval, clock: clock, overlap: overlap) {
        await run($1)
      }
      self.init(timer: timer) { _ in timer.start() }
    case (.cycle, .handler(let handle)):
      let timer = try Cycle([.init("a", interval)], clock: clock) { handle($1.round) }
      self.init(timer: timer) { _ in timer.start() }
    case (.cycle, .operation(let overlap, let run)):
      let timer = try Cycle([.init("a", interval)], clock: clock, overlap: overlap) {
        await run($1.round)
      }
      self.init(timer: timer) { _ in timer.start() }
    case (.deadlineTimer, .handler(let handle)):
      let timer = DeadlineTimer(clock: clock) { handle(Int($1.nanoseconds)) }
      self.init(timer: timer) { _ in timer.schedule(after: interval) }
    case (.deadlineTimer, .operation(let overlap, let run)):
      let timer = DeadlineTimer(clock: clock, overlap: overlap) { await run(Int($1.nanoseconds)) }
      self.init(timer: timer) { _ in timer.schedule(after: interval) }
    case (.stopwatch, .handler(let handle)):
      let timer = Stopwatch(clock: clock) { _, mark in
        if case .lap(let lap) = mark { handle(lap.number) } else { handle(0) }
      }
      timer.setAlarm(at: .seconds(1))
      timer.start()
      self.init(timer: timer) { _ in timer.lap() }
    case (.stopwatch, .operation(let overlap, let run)):
      let timer = Stopwatch(clock: clock, overlap: overlap) { _, mark in
        if case .lap(let lap) = mark { await run(lap.number) } else { await run(0) }
      }
      timer.setAlarm(at: .seconds(1))
      timer.start()
      self.init(timer: timer) { _ in timer.lap() }
    case (.timeLimited, .handler(let handle)):
      let timer = try TimeLimited(0, for: interval, clock: clock) { handle($1) }
      self.init(timer: timer) { timer.replace(with: $0) }
    case (.timeLimited, .operation(let overlap, let run)):
      let timer = try TimeLimited(0, for: interval, clock: clock, overlap: overlap) {
        await run($1)
      }
      self.init(timer: timer) { timer.replace(with: $0) }
    case (.debouncer, .handler(let handle)):
      self.init(try Debouncer<Int>(delay: interval, clock: clock) { handle($1) })
    case (.debouncer, .operation(let overlap, let run)):
      self.init(
        try Debouncer<Int>(delay: interval, clock: clock, overlap: overlap) { await run($1) })
    case (.throttler, .handler(let handle)):
      self.init(try Throttler<Int>(interval: interval, clock: clock) { handle($1) })
    case (.throttler, .operation(let overlap, let run)):
      self.init(
        try Throttler<Int>(interval: interval, clock: clock, overlap: overlap) { await run($1) })
    case (.keyedDebouncer, .handler(let handle)):
      self.init(try KeyedDebouncer<Int, Int>(delay: interval, clock: clock) { handle($2) })
    case (.keyedDebouncer, .operation(let overlap, let run)):
      self.init(
        try KeyedDebouncer<Int, Int>(delay: interval, clock: clock, overlap: overlap) {
          await run($2)
        })
    case (.keyedThrottler, .handler(let handle)):
      self.init(try KeyedThrottler<Int, Int>(interval: interval, clock: clock) { handle($2) })
    case (.keyedThrottler, .operation(let overlap, let run)):
      self.init(
        try KeyedThrottler<Int, Int>(interval: interval, clock: clock, overlap: overlap) {
          await run($2)
        })
    case (.batcher, .handler(let handle)):
      self.init(
        try Batcher<Int>(count: 3, maxWait: interval, clock: clock) { $1.forEach(handle) })
    case (.batcher, .operation(_, let run)):
      self.init(
        try Batcher<Int>(count: 3, maxWait: interval, clock: clock, overlap: .queueOne) {
          for value in $1 { await run(value) }
        })
    case (.backgroundTimer, .handler(let handle)):
      final class Owner: Sendable {}
      let owner = Owner()
      let timer = BackgroundTimer(for: owner, clock: clock)
      self.init(
        timer: timer, submit: { value in timer.perform(after: interval) { _ in handle(value) } },
        pending: { $0.suffix(timer.snapshot.pendingCount) }, owner: owner)
    case (.debouncedFunction, .operation(_, let run)):
      let function = try DebouncedFunction(delay: interval, clock: clock) { await run($0) }
      self.init(timer: function) { value in
        Task(executorPreference: clock.taskExecutor) { try? await function(value) }
      }
    default: return nil
    }
  }

  private init(timer: some Drainable, submit: @escaping @Sendable (Int) -> Void) {
    self.timer = timer
    self.submit = submit
  }

  private init(
    timer: some Drainable, submit: @escaping @Sendable (Int) -> Void,
    pending: @escaping @Sendable ([Int]) -> [Int], owner: (any Sendable)? = nil
  ) {
    self.init(timer: timer, submit: submit)
    self.pending = pending
    self.owner = owner
  }

  private init(_ timer: some CallLimiter<Int>) {
    self.init(
      timer: timer, submit: { timer.call($0) }, pending: { timer.isPending ? $0.suffix(1) : [] })
  }

  private init(_ timer: some KeyedCallLimiter<Int, Int>) {
    self.init(
      timer: timer, submit: { timer.call($0, for: $0 % Self.keyCount) },
      pending: { submitted in
        (0..<Self.keyCount).filter { timer.isPending(for: $0) }.compactMap { key in
          submitted.last { $0 % Self.keyCount == key }
        }
      })
  }

  private init(_ timer: Batcher<Int>) {
    self.init(
      timer: timer, submit: { timer.add($0) },
      pending: { $0.suffix(timer.snapshot.pendingCount) })
  }
}

/// The record of the work of a ``DrainedTimer``, before, during and after the drain.
final class DrainLog: Sendable {
  enum Phase: Sendable { case before, draining, after }
  enum Entry: Hashable, Sendable {
    case begun(Int)
    case ended(Int)
    case cancelled(Int)
  }

  let phase = Recorder<Phase>()
  private let recorded = Recorder<(entry: Entry, phase: Phase)>()

  func record(_ entry: Entry) { recorded.append((entry, phase.all.last ?? .before)) }

  func entries(in phases: Phase...) -> [Entry] {
    recorded.all.filter { phases.contains($0.phase) }.map(\.entry)
  }
}
