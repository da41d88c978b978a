extension TimerClock {
  /// Creates the clock of TimerKit that shows the same time as another clock; `nil` if there is none.
  init?(_ clock: some Clock<Duration>) {
    switch clock {
    case let clock as TimerClock: self = clock
    case let clock as VirtualClock: self = .virtual(clock)
    case is SuspendingClock: self = .suspending
    case is ContinuousClock: self = .continuous
    default: return nil
    }
  }
}

/// The clock that an asynchronous sequence follows: one of TimerKit, or any other.
struct SequenceClock: Sendable {
  /// A clock for the timer of one iterator, and a closure in which the controls of that timer are called.
  typealias Connection = (clock: TimerClock, perform: @Sendable (() -> Void) -> Void)

  let kind: TimerClock.Kind
  /// The executor on which the base sequence is read.
  let executor: (any TaskExecutor)?
  let connect: @Sendable () -> Connection
}

extension SequenceClock {
  init(_ clock: TimerClock) {
    self.init(kind: clock.kind, executor: clock.taskExecutor) { (clock, { $0() }) }
  }

  static func any(_ clock: some Clock<Duration>) -> SequenceClock {
    if let clock = TimerClock(clock) { return SequenceClock(clock) }
    return SequenceClock(kind: .suspending, executor: nil) {
      let follower = ClockFollower(clock)
      return (.virtual(follower.virtualClock), { follower.perform($0) })
    }
  }
}

/// An object that lets a virtual clock follow another clock, of which it knows only `now` and `sleep(until:)`.
///
/// The time of the virtual clock moves when a control is called, and when a task that sleeps on the other clock until
/// the next deadline wakes. As on a system clock, it moves in one step, so that timers may be late.
final class ClockFollower<Base: Clock<Duration>>: Sendable {
  private struct State {
    /// The time to which the virtual clock has moved, since the start.
    var now: Int64 = 0
    var sleep: Task<Void, Never>?
    /// The time at which the sleeping task wakes.
    var wakesAt = Int64.max
  }

  // Its timers are not the user's: their random delays differ.
  let virtualClock = VirtualClock(seed: .random(in: .min ... .max))
  private let base: Base
  private let start: Base.Instant
  private let state = Guarded(State())

  init(_ base: Base) {
    self.base = base
    start = base.now
  }

  deinit { state.withLock { $0.sleep }?.cancel() }

  /// Moves the virtual clock to the time of the other one, calls a control of a timer, and sleeps until the next
  /// deadline.
  func perform(_ control: () -> Void) {
    let elapsed = start.duration(to: base.now).clampedNanoseconds
    // Each of several threads adds its own part.
    let change = state.withLock { state in
      defer { state.now = max(state.now, elapsed) }
      return max(0, elapsed.subtractingSaturated(state.now))
    }
    virtualClock.driver.move(virtualClock.virtualTime, by: change, inOneStep: true)
    control()
    guard let next = virtualClock.driver.nextAlarm else { return }
    let replaced = state.withLock { state -> Task<Void, Never>? in
      guard next < state.wakesAt else { return nil }
      state.wakesAt = next
      defer { state.sleep = makeSleep(until: next) }
      return state.sleep
    }
    replaced?.cancel()
  }

  private func makeSleep(until time: Int64) -> Task<Void, Never> {
    let deadline = start.advanced(by: .nanoseconds(time))
    return Task { [weak self, base] in
      try? await base.sleep(until: deadline, tolerance: nil)
      if !Task.isCancelled { self?.wake(at: time) }
    }
  }

  private func wake(at time: Int64) {
    state.withLock { if $0.wakesAt == time { $0.wakesAt = .max } }
    perform {}
  }
}
