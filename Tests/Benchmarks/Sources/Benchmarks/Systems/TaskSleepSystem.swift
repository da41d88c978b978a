import Synchronization

/// A task for each timer, which sleeps.
struct TaskSleepSystem: TimerSystem {
  static let costOfMaking: Int64 = 15_000

  /// Sleep for an interval after each tick, as is most often seen, and not until the next instant.
  var sleepsForIntervals = false

  private let clock = SuspendingClock()
  private let origin = (instant: SuspendingClock.now, uptime: Clocks.uptime)

  init(sleepsForIntervals: Bool = false) {
    self.sleepsForIntervals = sleepsForIntervals
  }

  func once(after delay: Int64, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task {
      try? await Task.sleep(for: .nanoseconds(delay), clock: clock)
      if !Task.isCancelled { body() }
    }
  }

  func once(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task {
      try? await Task.sleep(until: self.instant(instant), clock: clock)
      if !Task.isCancelled { body() }
    }
  }

  func move(
    _ timer: inout Task<Void, Never>, after delay: Int64, _ body: () -> @Sendable () -> Void
  ) {
    timer.cancel()
    timer = once(after: delay, body())
  }

  func cancel(_ timer: Task<Void, Never>) { timer.cancel() }

  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) -> Task<Void, Never> {
    Task {
      let tolerance: Duration? = tolerance > 0 ? .nanoseconds(tolerance) : nil
      var next = instant(first)
      while !Task.isCancelled {
        try? await Task.sleep(until: next, tolerance: tolerance, clock: clock)
        body(0)
        next = (sleepsForIntervals ? clock.now : next).advanced(by: .nanoseconds(interval))
      }
    }
  }

  func debouncer(
    quiet: Int64, _ deliver: @escaping @Sendable (Int) -> Void
  ) -> TaskDebouncer {
    TaskDebouncer(quiet: .nanoseconds(quiet), deliver)
  }

  private func instant(_ uptime: Int64) -> SuspendingClock.Instant {
    origin.instant.advanced(by: .nanoseconds(uptime - origin.uptime))
  }
}

/// Each call cancels a task and starts another.
final class TaskDebouncer: Debouncing {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let quiet: Duration
  private let deliver: @Sendable (Int) -> Void

  init(quiet: Duration, _ deliver: @escaping @Sendable (Int) -> Void) {
    self.quiet = quiet
    self.deliver = deliver
  }

  func call(_ value: Int) {
    task.withLock { [quiet, deliver] task in
      task?.cancel()
      task = Task {
        try? await Task.sleep(for: quiet)
        if !Task.isCancelled { deliver(value) }
      }
    }
  }
}
