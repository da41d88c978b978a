public import Dispatch

/// A timer that runs work for an object after a delay, once for many requests: flush a cache, shrink a
/// buffer, save changes.
///
/// ```swift
/// final class Cache: Sendable {
///   private let timer = BackgroundTimer<Cache>()
///
///   init() { timer.owner = self }
///
///   func store(_ value: Int) {
///     timer.performExclusively { /* changes the state that flush() uses */ }
///     timer.after(.seconds(1)) { $0.flush() }
///   }
///
///   private func flush() {}
/// }
/// ```
///
/// Requests before the work runs are merged into one run of the newest work. The behavior decides its
/// time. Here `a` requests work after 5 steps and `b` after 9 steps; `-` is one step.
///
/// ```
/// calls      a-b--------------
/// .coalesce  -----B-----------   the newest work, at the earliest of the deadlines
/// .delay     -----------B-----   the newest work, at the last of the deadlines
///
/// calls      a--a--a--a-------
/// .coalesce  -----A-----A-----   periodically, however often it is requested
/// .delay     --------------A--   when no more requests come
/// ```
///
/// The owner is referenced weakly and passed to the work, so that neither keeps the other alive; work for an
/// owner that no longer exists is dropped. The work runs on the timer's queue, one at a time.
/// ``performExclusively(_:)`` keeps it away from state that it shares with others.
///
/// You can use everything from any thread, in the work and inside ``performExclusively(_:)``.
/// Deallocating the timer cancels it. Observers receive every ``BackgroundRun``, after the work.
///
/// It implements the timer of Mike Ash's "Friday Q&A 2010-07-02: Background Timers".
public final class BackgroundTimer<Owner: AnyObject & Sendable>: Sendable {
  /// The work, which receives the owner.
  public typealias Work = @Sendable (Owner) -> Void

  @usableFromInline let storage: TimerStorage<BackgroundTimer<Owner>, BackgroundStateMachine<Work>>
  private let reference: Guarded<WeakReference>

  private struct WeakReference {
    weak var object: Owner?
    mutating func load() -> Owner? { object }
  }

  /// Creates a timer.
  /// - Parameters:
  ///   - owner: the object that the work is for, which is referenced weakly. An object that owns its timer sets
  ///     ``owner`` at the end of its own initializer instead.
  ///   - behavior: the time of the work, if it is requested several times.
  ///   - tolerance: the time by which the work may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the work runs; `nil` is a serial queue that all timers without one
  ///     share.
  /// - Throws: ``TimerConfigurationError/invalidTolerance(_:)``.
  public convenience init(
    for owner: Owner? = nil, _ behavior: BackgroundBehavior = .coalesce, tolerance: Duration,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil
  ) throws(TimerConfigurationError) {
    self.init(
      owner, behavior, tolerance: try tolerance.checkedTolerance(), clock: clock, queue: queue)
  }

  /// Creates a timer without tolerance.
  public convenience init(
    for owner: Owner? = nil, _ behavior: BackgroundBehavior = .coalesce,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil
  ) {
    self.init(owner, behavior, tolerance: 0, clock: clock, queue: queue)
  }

  private init(
    _ owner: Owner?, _ behavior: BackgroundBehavior, tolerance: Int64, clock: TimerClock,
    queue: DispatchQueue?
  ) {
    reference = Guarded(WeakReference(object: owner))
    storage = TimerStorage(
      BackgroundStateMachine(behavior), clock: clock, queue: queue, tolerance: tolerance,
      handler: HandlerBox())
  }

  private func work(for run: BackgroundRun) {
    guard let work = storage.update({ $0.takeCommitted() }), let owner else { return }
    HeldTimers.count += 1
    defer { HeldTimers.count -= 1 }
    work(owner)
  }
}

extension BackgroundTimer: ObservableTimer, ObservableOwner {
  public typealias State = CallState
  public typealias Delivery = BackgroundRun
  @usableFromInline typealias Machine = BackgroundStateMachine<Work>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    @usableFromInline
    func callAsFunction(_ timer: BackgroundTimer<Owner>, _ run: BackgroundRun) {
      timer.work(for: run)
    }
  }

  /// Removes all observers, and ends their streams. The work is not one of them: it still runs.
  public func removeAllObservers() {
    while storage.remove(where: { !$0.callback.isHandler }) {}
  }
}

// MARK: - Controls
extension BackgroundTimer {
  /// The object that the work is for; `nil` once it no longer exists. It is read when the work is due.
  public var owner: Owner? {
    get { reference.withLock { $0.load() } }
    set { reference.withLock { $0.object = newValue } }
  }

  /// Requests the work after a delay, in place of work that is pending; ``BackgroundBehavior`` decides
  /// its time. The work itself can call this to run again. A cancelled timer ignores it.
  /// - Parameters:
  ///   - delay: the time until the work runs; with zero or less, it runs as soon as the queue is free.
  ///   - work: the work, which receives the owner and should not capture it.
  public func after(_ delay: Duration, do work: @escaping Work) {
    let nanoseconds = max(0, delay.clampedNanoseconds)
    // Work that it displaces is released when the mutex is not held.
    var work: Work? = work
    storage.control(self) { (machine, now) in machine.after(nanoseconds, &work, at: now) }
  }

  /// Drops the pending work. The timer can be used again.
  ///
  /// When this has returned, no work starts that was requested before. Work that runs continues; called
  /// inside ``performExclusively(_:)``, none runs.
  /// - Returns: ``ControlResult/unchanged`` if none was pending.
  @discardableResult
  public func cancelPending() -> ControlResult {
    .changed(if: storage.control(self) { (machine, _) in machine.cancelPending() }.wasPending)
  }

  /// Ends the timer for good, drops the work that is pending, and releases its observers.
  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.cancelPending().dropped }.hasEnded)
  }

  /// Runs `body` while no work runs: neither begins before the other has ended.
  ///
  /// `body` runs on the timer's queue, as by `sync`, or inline if the caller is on it or on a queue that
  /// targets it. In the work and inside another `performExclusively` it runs inline as well, also when
  /// the timer has moved to another queue meanwhile. All controls can be called in it. Like `sync` it
  /// must not be called on a queue that the timer's queue targets, nor while holding a lock that the
  /// work takes, and it waits while the queue is suspended.
  ///
  /// Two timers must always be entered in the same order. If one thread enters `a` and then `b`, in the
  /// body or in the work of `a`, and another one `b` and then `a`, each can wait for the other forever.
  /// When that happens, the second one to wait traps.
  /// - Returns: the result of `body`.
  public func performExclusively<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.exclusively(self, body)
  }

  /// Moves the timer to another queue, and the work that is pending as well. Work that runs continues
  /// where it is; the next waits for it. (On a ``VirtualClock`` queues play no part.)
  /// - Parameter queue: `nil` is the serial queue that all timers without one share.
  public func setQueue(_ queue: DispatchQueue?) {
    storage.move(self, to: storage.time.driver(for: queue))
  }

  /// True while work waits for its time.
  public var isPending: Bool { deadline != nil }

  /// The time at which the pending work runs, on the timer's clock; `nil` if none is pending.
  public var deadline: TimerClock.Instant? {
    storage.read(\.deadline).map(storage.time.instant(nanoseconds:))
  }

  /// The time of the work, if it is requested several times.
  public var behavior: BackgroundBehavior { storage.read(\.behavior) }

  /// The calls by their outcome, in one consistent value.
  public var snapshot: CallSnapshot {
    let identity = storage.time.identity
    return storage.read { $0.snapshot(on: identity) }
  }
}
