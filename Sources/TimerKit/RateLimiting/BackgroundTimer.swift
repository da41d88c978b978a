public import Dispatch

/// A timer that runs work for an object after a delay, once for many requests: for example to flush a cache,
/// shrink a buffer or save changes.
///
/// ```swift
/// final class Cache: Sendable {
///   private let timer = BackgroundTimer<Cache>()
///
///   init() { timer.owner = self }
///
///   func store(_ value: Int) {
///     timer.performExclusively { /* changes the state that flush() uses */ }
///     timer.perform(after: .seconds(1)) { $0.flush() }
///   }
///
///   private func flush() {}
/// }
/// ```
///
/// Requests that come before the work runs are merged into one run of the newest work. The
/// ``BackgroundBehavior`` determines its time. Here `a` requests work after 5 units of time and `b` after
/// 9 units; `-` is one unit.
///
/// ```
/// calls      a-b--------------
/// .coalesce  -----B-----------   the newest work, at the earliest of the deadlines
/// .delay     -----------B-----   the newest work, at the deadline requested with it
///
/// calls      a--a--a--a-------
/// .coalesce  -----A-----A-----   periodically, however often it is requested
/// .delay     --------------A--   when no more requests come
/// ```
///
/// The owner is referenced weakly and passed to the work, so that neither the timer nor pending work keeps it
/// alive. Work for an owner that no longer exists does not run. The work runs on the timer's queue, one run at a
/// time. Use ``performExclusively(_:)`` to read or change several parts of the owner as one, while no work runs.
///
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, inside the work and inside
/// ``performExclusively(_:)``. A cancelled timer refuses every control except ``ObservableTimer/cancel()``.
/// Deallocating the timer cancels it. Observers receive every ``BackgroundRun``, after the work.
///
/// It implements the timer of Mike Ash's "Friday Q&A 2010-07-02: Background Timers".
public final class BackgroundTimer<Owner: AnyObject & Sendable>: Sendable {
  /// A closure with the work, which receives the owner. It is called on the timer's queue.
  public typealias Work = @Sendable (Owner) -> Void

  @usableFromInline let storage: TimerStorage<BackgroundTimer<Owner>, BackgroundStateMachine<Work>>
  private let reference: Guarded<WeakReference<Owner>>

  /// Creates a timer.
  /// - Parameters:
  ///   - owner: the object that the work is for, which is referenced weakly. An object that owns its timer sets
  ///     ``owner`` at the end of its own initializer instead.
  ///   - behavior: the rule for the time of the work if it is requested several times.
  ///   - tolerance: the time by which the work may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the work runs; `nil` is a serial queue that all timers without one
  ///     share.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if the tolerance is negative.
  public convenience init(
    for owner: Owner? = nil, behavior: BackgroundBehavior = .coalesce, tolerance: Duration,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil
  ) throws(TimerConfigurationError) {
    self.init(
      owner, behavior, tolerance: try tolerance.checkedTolerance(), clock: clock, queue: queue)
  }

  /// Creates a timer without tolerance. The other parameters are those of
  /// ``init(for:behavior:tolerance:clock:queue:)``.
  public convenience init(
    for owner: Owner? = nil, behavior: BackgroundBehavior = .coalesce,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil
  ) {
    self.init(owner, behavior, tolerance: 0, clock: clock, queue: queue)
  }

  /// Creates a timer without tolerance whose work runs on the main queue, so that you can request work on the main
  /// actor: see ``perform(after:isolation:_:)``. The other parameters are those of
  /// ``init(for:behavior:tolerance:clock:queue:)``.
  public convenience init(
    for owner: Owner? = nil, behavior: BackgroundBehavior = .coalesce,
    clock: TimerClock = .suspending, isolation: MainActor
  ) {
    self.init(for: owner, behavior: behavior, clock: clock, queue: .main)
  }

  /// Creates a timer with a tolerance whose work runs on the main queue: see ``init(for:behavior:clock:isolation:)``.
  public convenience init(
    for owner: Owner? = nil, behavior: BackgroundBehavior = .coalesce, tolerance: Duration,
    clock: TimerClock = .suspending, isolation: MainActor
  ) throws(TimerConfigurationError) {
    try self.init(
      for: owner, behavior: behavior, tolerance: tolerance, clock: clock, queue: .main)
  }

  private init(
    _ owner: Owner?, _ behavior: BackgroundBehavior, tolerance: Int64, clock: TimerClock,
    queue: DispatchQueue?
  ) {
    reference = Guarded(WeakReference(object: owner))
    storage = TimerStorage(
      BackgroundStateMachine(behavior), driver: clock.driver(for: queue), tolerance: tolerance,
      handler: HandlerBox())
  }
}

extension BackgroundTimer: ObservableTimer, PendingStorageOwner {
  public typealias State = CallState
  public typealias Delivery = BackgroundRun
  @usableFromInline typealias Machine = BackgroundStateMachine<Work>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    @usableFromInline
    func callAsFunction(_ timer: BackgroundTimer<Owner>, _ run: BackgroundRun) {
      let work = timer.storage.update { $0.takeDueWork() }
      guard let work, let owner = timer.owner else { return }
      // For the check against deadlocks: the work can wait for other timers.
      ThreadLocalCounter.acquiredTimers.value += 1
      defer { ThreadLocalCounter.acquiredTimers.value -= 1 }
      work(owner)
    }
  }

  /// Removes all observers, and ends their streams. The work is not one of them: it still runs.
  public func removeAllObservers() {
    while storage.remove(where: { !$0.callback.isHandler }) {}
  }

  // MARK: - Controls

  /// The object that the work is for; `nil` if none is set or it no longer exists. The timer reads it when the
  /// work is due.
  public var owner: Owner? {
    get { reference.withLock { $0.load() } }
    set { reference.withLock { $0.object = newValue } }
  }

  /// Requests work after a delay. It replaces pending work, and ``BackgroundBehavior`` determines its time.
  /// The work itself can request its next run.
  /// - Parameters:
  ///   - delay: the time until the work runs. If it is zero or negative, the work runs as soon as the queue is
  ///     free.
  ///   - work: the work, which receives the owner and should not capture it.
  /// - Returns: ``ControlResult/changed``, or ``ControlResult/refused(_:)`` if the timer is cancelled.
  @discardableResult
  public func perform(after delay: Duration, _ work: @escaping Work) -> ControlResult {
    let nanoseconds = max(0, delay.clampedNanoseconds)
    // The work that is replaced is destroyed after the mutex has been unlocked.
    var work: Work? = work
    let submitted: Void? = controlUnlessClosed { (machine, now) in
      machine.submit(&work, after: nanoseconds, at: now)
    }
    return submitted == nil ? .refused(.cancelled) : .changed
  }

  /// Requests work on the main actor after a delay: see ``perform(after:_:)``.
  /// - Parameters:
  ///   - delay: the time until the work runs.
  ///   - isolation: `MainActor.shared`. The timer must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps. Do not move it to another queue while the work is pending.
  ///   - work: the work, which receives the owner and should not capture it.
  @discardableResult
  public func perform(
    after delay: Duration, isolation: MainActor, _ work: @escaping @MainActor (Owner) -> Void
  ) -> ControlResult {
    perform(after: delay, storage.onMainActor(self, work))
  }

  /// Drops the pending work. The timer can be used again.
  ///
  /// After it has returned, no work starts that was requested before. Running work continues. If you call it
  /// inside ``performExclusively(_:)``, no work is running.
  /// - Returns: ``ControlResult/unchanged`` if no work was pending.
  @discardableResult
  public func cancelPending() -> ControlResult { dropPending() }

  @discardableResult
  public func cancel() -> ControlResult { endDroppingPending() }

  /// Runs `body` and returns its result, while no work of the timer runs.
  ///
  /// `body` runs on the calling thread, after the running work and the bodies of other threads, and at once inside the work
  /// and inside another `performExclusively`. It excludes nothing else on the timer's queue, and waits for no other
  /// timer. `body` can call every control except the blocking `cancelAndWait()`. Do not call
  /// `performExclusively` while you hold a lock that the work locks.
  ///
  /// If you nest the calls for two timers, always nest them in the same order. If one thread calls it for `b`
  /// inside the body or the work of `a`, and another thread calls it for `a` inside the body or the work of
  /// `b`, each can wait for the other forever. When that happens, the second thread traps.
  /// - Parameter body: the closure to run.
  /// - Returns: the result of `body`.
  public func performExclusively<Success, Failure: Error>(
    _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try storage.exclusively(self, body)
  }

  /// Moves the timer and its pending work to another queue. Running work continues on the old queue; the next
  /// run waits for it. On a ``VirtualClock``, queues have no effect.
  /// - Parameter queue: the queue; `nil` is the serial queue that all timers without one share.
  public func setQueue(_ queue: DispatchQueue?) {
    storage.move(self, to: storage.timeSource.driver(for: queue))
  }

  /// True while work is pending.
  public var isPending: Bool { storage.readMachine { $0.isPending } }

  /// The time at which the pending work runs, on the timer's clock; `nil` if none is pending.
  public var deadline: TimerClock.Instant? {
    storage.readMachine({ $0.deadline }).map(storage.timeSource.instant(nanoseconds:))
  }

  /// The rule for the time of the work if it is requested several times.
  public var behavior: BackgroundBehavior { storage.readMachine { $0.behavior } }

  /// The number of calls by their outcome, in one consistent value.
  public var snapshot: CallSnapshot { callSnapshot }
}

/// The rule by which a ``BackgroundTimer`` chooses the time of its work if it is requested several times.
public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
  /// The earliest of the requested times: for periodic maintenance.
  case coalesce
  /// The time requested last: for work that waits until no more requests come.
  case delay
}

/// A run of a ``BackgroundTimer``, as observers receive it: work was due, and it ran if the timer's
/// ``BackgroundTimer/owner`` still existed.
public struct BackgroundRun: Sendable, Hashable, CustomStringConvertible {
  /// The number of calls of ``BackgroundTimer/perform(after:_:)`` that were merged into this run, at least 1.
  public var callCount: Int
  /// The generation for which it ran: the number of requests that had changed the deadline, and of calls of
  /// ``BackgroundTimer/cancelPending()``.
  public var generation: UInt64
  /// The time at which it was due, on the timer's clock.
  public var deadline: TimerClock.Instant
  /// The time from `deadline` to the run.
  public var lateness: Duration

  /// Creates a run from its values, for a test or a preview.
  public init(
    callCount: Int, generation: UInt64, deadline: TimerClock.Instant, lateness: Duration
  ) {
    self.callCount = callCount
    self.generation = generation
    self.deadline = deadline
    self.lateness = lateness
  }

  /// A description for logs: `run for 3 calls, 0.0002 seconds late`.
  public var description: String {
    let run = callCount == 1 ? "run for 1 call" : "run for \(callCount) calls"
    return lateness > .zero ? "\(run), \(lateness) late" : run
  }
}
