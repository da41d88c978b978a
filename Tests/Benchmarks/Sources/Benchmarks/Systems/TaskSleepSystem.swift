import Synchronization

/// A sleeping task for each timer.
struct TaskSleepSystem: TimerSystem {
  static let creationCost: Int64 = 15_000

  /// Sleeps for an interval after each tick, the most common pattern, in place of sleeping until an
  /// instant.
  var sleepsForIntervals = false

  private let clock = SuspendingClock()
  private let origin = (instant: SuspendingClock.now, uptime: Clocks.uptime)

  init(sleepsForIntervals: Bool = false) {
    self.sleepsForIntervals = sleepsForIntervals
  }

  func once(after delay: Int64, _ number: Int, _ tally: Tally) -> Task<Void, Never> {
    Task { [clock] in
      try? await Task.sleep(for: .nanoseconds(delay), clock: clock)
      if !Task.isCancelled { tally.add(number) }
    }
  }

  func once(at instant: Int64, _ number: Int, _ tally: Tally) -> Task<Void, Never> {
    let instant = self.instant(instant)
    return Task { [clock] in
      try? await Task.sleep(until: instant, clock: clock)
      if !Task.isCancelled { tally.add(number) }
    }
  }

  func move(
    _ timer: inout Task<Void, Never>, after delay: Int64, _ number: Int, _ tally: Tally
  ) {
    timer.cancel()
    timer = once(after: delay, number, tally)
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

  func debouncer(quiet: Int64, _ inbox: Inbox) -> TaskDebouncer {
    TaskDebouncer(quiet: .nanoseconds(quiet), inbox)
  }

  private func instant(_ uptime: Int64) -> SuspendingClock.Instant {
    origin.instant.advanced(by: .nanoseconds(uptime - origin.uptime))
  }
}

/// Each call cancels a task and starts another.
final class TaskDebouncer: Debouncing {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let quiet: Duration
  private let inbox: Inbox

  init(quiet: Duration, _ inbox: Inbox) {
    self.quiet = quiet
    self.inbox = inbox
  }

  func submit(_ value: Int) {
    task.withLock { [quiet, inbox] task in
      task?.cancel()
      task = Task {
        try? await Task.sleep(for: quiet)
        if !Task.isCancelled { inbox.deliver(value) }
      }
    }
  }
}
