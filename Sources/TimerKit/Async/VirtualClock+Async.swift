// MARK: - Tasks
extension VirtualClock {
  /// Runs asynchronous code under the control of this clock and returns its result.
  ///
  /// The clock detects when all tasks of that code wait, so that `advance(by:)` is exact.
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
  /// `body`, its child tasks (`async let`, task groups) and the default actors that they call run one at a
  /// time, in the order in which they become ready, so that the execution is deterministic. The same applies
  /// to the operations of timers on this clock, and to sequences that are debounced or throttled on it,
  /// regardless of where they were created.
  ///
  /// The clock does not control tasks created with `Task { }` and `Task.detached { }`, or actors with a custom
  /// executor, and does not wait for them. Use ``waitForSleepingTasks(_:)`` to wait until such tasks sleep. In
  /// `body`, use a child task or `Task(executorPreference: clock.taskExecutor) { }` instead of `Task { }`.
  ///
  /// The main actor is a special case. If you advance the clock on the main actor, the clock waits for a task
  /// that does work there and then sleeps or waits again. It does not wait for a task that passes the work on
  /// to other tasks of the main actor.
  /// - Parameter body: the code to run. It must advance the clock before it waits for something that takes
  ///   time.
  /// - Returns: the result of `body`.
  public nonisolated(nonsending) func run<Success, Failure: Error>(
    _ body: () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    try await withTaskExecutorPreference(virtualTime.executor, operation: body)
  }

  /// The executor on which ``run(_:)`` runs its tasks. Use it for tasks that are not child tasks.
  public var taskExecutor: any TaskExecutor { virtualTime.executor }

  /// Suspends the calling task until all other tasks that ``run(_:)`` controls wait. The time does not move. It also
  /// returns when the calling task is cancelled; if the tasks never wait, only then.
  public nonisolated(nonsending) func waitUntilIdle() async {
    await virtualTime.executor.waitUntilIdle()
  }

  /// Suspends the calling task until at least `count` tasks sleep on this clock, including tasks that
  /// ``run(_:)`` does not control.
  ///
  /// It counts sleeping tasks, not timers. A task that already sleeps counts; a task whose deadline has come
  /// no longer counts. It also returns when the calling task is cancelled; if the tasks never sleep, only then.
  public nonisolated(nonsending) func waitForSleepingTasks(_ count: Int) async {
    await virtualTime.sleeps.wait(for: count)
  }

  // MARK: - Time

  /// Returns a clock on which a sleep does not wait: it advances the time to its deadline, calls the handlers
  /// that come due on the way, and returns. Before that, it yields to other tasks.
  ///
  /// Timers fire when a sleep or `advance(by:)` moves the time. If the order of several tasks matters, use a
  /// clock that you advance.
  /// - Parameters:
  ///   - kind: the kind of clock to simulate.
  ///   - start: the initial time since the clock's origin. (A clock of the kind ``TimerClock/Kind/wall``
  ///     starts at `wall` instead.)
  ///   - wall: the initial date and time.
  ///   - seed: the number that determines the random delays of timers with jitter.
  public static func immediate(
    _ kind: TimerClock.Kind = .suspending, startingAt start: Duration = .zero,
    wall: WallInstant = WallInstant(nanosecondsSince1970: 0), seed: UInt64 = 0
  ) -> VirtualClock {
    VirtualClock(VirtualTime(kind, startingAt: start, wall: wall, isImmediate: true, seed: seed))
  }

  /// Moves the time forward, from deadline to deadline. Before each step and after the last one, tasks run
  /// until they wait again.
  ///
  /// A task that sleeps three times for one second completes all three sleeps during
  /// `await clock.advance(by: .seconds(3))`. ``run(_:)`` explains which tasks it waits for. Timers fire on the
  /// caller's actor, so that you can test timers of the main actor from there.
  ///
  /// When the calling task is cancelled, the time moves no further.
  /// - Parameter duration: the time by which to advance. If it is negative, tasks run, but the time does not
  ///   move.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    let left = await step(within: duration) { true }
    guard !Task.isCancelled else { return }
    driver.move(virtualTime, by: left)
    await waitUntilIdle()
  }

  /// Moves the time forward until no sleep and no timer is pending, and lets tasks run before each step and
  /// after the last one. The time stops at the last deadline, or when the calling task is cancelled.
  /// - Parameter limit: the maximum time by which to advance, because an infinite timer is always pending.
  /// - Returns: false if a sleep or a timer is still pending, because its deadline is later or the task was cancelled.
  @discardableResult
  public nonisolated(nonsending) func advanceToEnd(within limit: Duration) async -> Bool {
    _ = await step(within: limit) { pendingCount > 0 }
    return pendingCount == 0
  }

  /// Moves the time from alarm to alarm, until the next one is later than `limit`, the calling task is cancelled, or
  /// `continues` returns false.
  /// - Returns: the rest of `limit`, in nanoseconds.
  private nonisolated(nonsending) func step(
    within limit: Duration, while continues: () -> Bool
  ) async -> Int64 {
    var left = max(0, limit.clampedNanoseconds)
    await waitUntilIdle()
    while !Task.isCancelled, continues(), let step = nextStep, step <= left {
      driver.move(virtualTime, by: step)
      left -= step
      await waitUntilIdle()
    }
    return left
  }

  /// The time until the next alarm; zero if it is due. The alarm may be earlier than the deadline of its
  /// timer, and is then armed again.
  private var nextStep: Int64? {
    driver.nextAlarm.map { max(0, $0.subtractingSaturated(now.nanoseconds)) }
  }

  /// The number of sleeps and timers that have a deadline. Paused, idle and finished timers have none.
  /// - Complexity: O(n) in the number of timers on this clock.
  public var pendingCount: Int { driver.deadlines.count }

  /// The earliest deadline of the sleeps and timers on this clock; `nil` if there is none.
  /// - Complexity: O(n) in the number of timers on this clock.
  public var nextDeadline: TimerClock.Instant? {
    driver.deadlines.min().map { TimerClock.Instant(nanoseconds: $0, clock: virtualTime.identity) }
  }
}

/// The number of tasks that sleep on a virtual clock, and the tasks that wait for that number.
final class SleepCount: Sendable {
  private struct State {
    var count = 0
    /// The streams on which the tasks wait for their end.
    var waiters: [(count: Int, end: AsyncStream<Never>.Continuation)] = []
  }

  private let state = Guarded(State())

  func add(_ change: Int) {
    let reached = state.withLock { state in
      state.count += change
      let count = state.count
      let reached = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return reached.map(\.end)
    }
    for end in reached { end.finish() }
  }

  /// Waits for the number, or until the calling task is cancelled.
  nonisolated(nonsending) func wait(for count: Int) async {
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    let waits = state.withLock { state in
      if state.count < count { state.waiters.append((count, end)) }
      return state.count < count
    }
    if !waits { return }
    for await _ in never {}
  }
}
