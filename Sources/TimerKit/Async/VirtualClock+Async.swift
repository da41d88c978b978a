// MARK: - Tasks
extension VirtualClock {
  /// Runs asynchronous code under this clock's control, so that `advance(by:)` knows
  /// exactly when all of it waits.
  ///
  /// ```swift
  /// func countThreeSeconds(on clock: TimerClock) async throws -> Int {
  ///   for _ in 1...3 { try await clock.sleep(for: .seconds(1)) }
  ///   return 3
  /// }
  /// let clock = VirtualClock()
  /// let steps = try await clock.run {
  ///   async let steps = countThreeSeconds(on: .virtual(clock))
  ///   await clock.advance(by: .seconds(3))
  ///   return try await steps
  /// }
  /// ```
  ///
  /// `body`, its child tasks (`async let`, task groups) and the default actors they call run one at a
  /// time, in the order in which they become ready: the same code takes the same steps at every run.
  /// So do the operations of timers on this clock, and sequences that are debounced or throttled on
  /// it, wherever they were created.
  ///
  /// Outside of it are `Task { }` and `Task.detached { }`, and actors with an executor of their own.
  /// The clock does not wait for those: bring them to a known point with ``waitForSleeps(_:)``. In
  /// `body`, take a child task in place of `Task { }`, or
  /// `Task(executorPreference: clock.taskExecutor) { }`.
  ///
  /// The main actor is between the two. If the clock is advanced on the main actor, it waits for a
  /// task that has work there and then sleeps or waits again; not for one that passes the work on to
  /// other tasks of the main actor.
  /// - Parameter body: it must not wait, without advancing the clock, for something that takes time.
  public nonisolated(nonsending) func run<Success, Failure: Error>(
    _ body: () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    try await withTaskExecutorPreference(time.executor, operation: body)
  }

  /// The executor on which ``run(_:)`` runs tasks, for tasks that are not its child tasks.
  public var taskExecutor: any TaskExecutor { time.executor }

  /// Suspends until all tasks that ``run(_:)`` controls wait, the calling one apart. The time does not
  /// move.
  public nonisolated(nonsending) func settle() async { await time.executor.waitUntilIdle() }

  /// Suspends until at least that many tasks sleep on this clock, also tasks that ``run(_:)`` does not
  /// control.
  ///
  /// It counts sleeps, not timers. A task that sleeps already counts; one whose deadline has come does
  /// not, from that moment on. It waits without end if the tasks never sleep.
  public nonisolated(nonsending) func waitForSleeps(_ count: Int) async {
    await time.sleeps.wait(for: count)
  }
}

// MARK: - Time
extension VirtualClock {
  /// Creates a clock on which nobody waits: a sleep moves the time to its deadline, runs what comes
  /// due on the way, and returns. Other tasks have a turn first.
  ///
  /// Timers fire as sleeps and `advance(by:)` move the time. Where the order of several
  /// tasks matters, take a clock that you advance.
  public static func immediate(
    _ kind: TimerClock.Kind = .suspending, startingAt start: Duration = .zero,
    wall: WallInstant = WallInstant(nanosecondsSince1970: 0)
  ) -> VirtualClock {
    VirtualClock(kind, startingAt: start, wall: wall, isImmediate: true)
  }

  /// Moves the time forward, from deadline to deadline, and lets tasks run until they wait again
  /// before each step and after the last one.
  ///
  /// A task of three sleeps of one second gets through all of them in
  /// `await clock.advance(by: .seconds(3))`. ``run(_:)`` explains which tasks it waits for. Timers
  /// fire on the caller's actor, so that those of the main actor can be tested from there.
  /// - Parameter duration: how far; tasks run, but the time does not move, if it is negative.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    var left = max(0, duration.clampedNanoseconds)
    await settle()
    while let step = nextStep, step <= left {
      driver.move(by: step, time)
      left -= step
      await settle()
    }
    driver.move(by: left, time)
    await settle()
  }

  /// Moves the time forward until no sleep and no timer is pending, and lets tasks run before each
  /// step and after the last one. The time stops at the last deadline.
  /// - Parameter limit: how far at most: a timer that repeats has no end.
  /// - Returns: false if something is still pending, at later than `limit`.
  @discardableResult
  public nonisolated(nonsending) func advanceToEnd(within limit: Duration) async -> Bool {
    var left = max(0, limit.clampedNanoseconds)
    await settle()
    while pendingCount > 0, let step = nextStep {
      guard step <= left else { return false }
      driver.move(by: step, time)
      left -= step
      await settle()
    }
    return pendingCount == 0
  }

  /// The time to the next alarm; zero if it is due. The alarm may belong to a timer that finds nothing
  /// to do, and is armed anew then.
  private var nextStep: Int64? {
    driver.nextAlarm.map { max(0, $0.subtractingSaturated(now.nanoseconds)) }
  }

  /// The number of sleeps and timers that wait for their time: paused, idle and finished timers do not.
  /// - Complexity: O(n) in the number of timers on this clock.
  public var pendingCount: Int { driver.deadlines.count }

  /// The earliest deadline of the sleeps and timers on this clock; `nil` if none waits.
  /// - Complexity: O(n) in the number of timers on this clock.
  public var nextDeadline: TimerClock.Instant? {
    driver.deadlines.min().map { TimerClock.Instant(nanoseconds: $0, clock: time.identity) }
  }
}

/// The number of tasks that sleep on a virtual clock, for those who wait for it.
final class SleepCount: Sendable {
  private struct State {
    var count = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  func add(_ change: Int) {
    let reached = state.withLock { state in
      state.count += change
      let count = state.count
      let reached = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return reached.map(\.continuation)
    }
    for continuation in reached { continuation.resume() }
  }

  nonisolated(nonsending) func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count < count { state.waiters.append((count, continuation)) }
        return state.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}
