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
  /// A clock for the timer of one iterator.
  struct Connection: Sendable {
    let clock: TimerClock
    /// A closure in which the controls of that timer are called.
    let perform: @Sendable (() -> Void) -> Void
    /// Sets the closure that is called if the clock fails: no deadline comes any more. Set it before the first control.
    let onFailure: @Sendable (@escaping @Sendable () -> Void) -> Void
  }

  let kind: TimerClock.Kind
  /// The executor on which the base sequence is read.
  let executor: (any TaskExecutor)?
  let connect: @Sendable () -> Connection
}

extension SequenceClock {
  init(_ clock: TimerClock) {
    self.init(kind: clock.kind, executor: clock.taskExecutor) {
      Connection(clock: clock, perform: { $0() }, onFailure: { _ in })
    }
  }

  static func any(_ clock: some Clock<Duration>) -> SequenceClock {
    if let clock = TimerClock(clock) { return SequenceClock(clock) }
    return SequenceClock(kind: .suspending, executor: nil) {
      let follower = ClockFollower(clock)
      return Connection(
        clock: .virtual(follower.virtualClock), perform: { follower.perform($0) },
        onFailure: { follower.onFailure($0) })
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
    /// True if a sleep has failed: there is no other one.
    var hasFailed = false
    var onFailure: (@Sendable () -> Void)?
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
      guard next < state.wakesAt, !state.hasFailed else { return nil }
      state.wakesAt = next
      defer { state.sleep = makeSleep(until: next) }
      return state.sleep
    }
    replaced?.cancel()
  }

  private func makeSleep(until time: Int64) -> Task<Void, Never> {
    let deadline = start.advanced(by: .nanoseconds(time))
    return Task { [weak self, base] in
      do {
        try await base.sleep(until: deadline, tolerance: nil)
      } catch {
        if !Task.isCancelled { self?.fail() }
        return
      }
      if !Task.isCancelled { self?.wake(at: time) }
    }
  }

  func onFailure(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onFailure = body }
  }

  /// Ends the wait for deadlines, because the other clock cannot sleep. Another attempt would fail, too, and never end.
  private func fail() {
    let onFailure = state.withLock { state in
      state.hasFailed = true
      return state.onFailure.take()
    }
    onFailure?()
  }

  private func wake(at time: Int64) {
    state.withLock { if $0.wakesAt == time { $0.wakesAt = .max } }
    perform {}
  }
}
