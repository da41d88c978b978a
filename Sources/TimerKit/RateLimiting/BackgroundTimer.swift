public import Dispatch

/// Does work for an object some time later, once for many calls: flush a cache, shrink a buffer,
/// write what has changed (S2, MABGTimer).
///
/// ```swift
/// final class Cache: Sendable {
///   private let timer = BackgroundTimer<Cache>()
///
///   init() { timer.owner = self }
///
///   func store(_ value: Int) {
///     timer.withLock { /* what flush() touches as well */ }
///     timer.after(.seconds(1)) { $0.flush() }
///   }
/// }
/// ```
///
/// Calls before the work runs come to one run of the newest work. *When* is a matter of the
/// behaviour: here `a` asks for 5 steps later, `b` for 9 steps later, `-` being one step.
///
/// ```
/// calls      a-b--------------
/// .coalesce  -----B-----------   the newest work, at the earliest of the deadlines
/// .delay     -----------B-----   the newest work, at the last of the deadlines
///
/// calls      a--a--a--a-------
/// .coalesce  -----A-----A-----   periodic, however often it is called
/// .delay     --------------A--   when all is quiet
/// ```
///
/// The owner is held weakly and handed to the work, so that neither keeps the other alive; work for
/// an owner that is gone is dropped. The work runs on the timer's queue, one at a time.
/// ``withLock(_:)`` keeps it away from what it shares with others.
///
/// Everything can be called from any thread, in the work and inside ``withLock(_:)``. A timer that
/// is dropped forgets what is pending. Observers are told of every ``BackgroundRun``, after the work.
public final class BackgroundTimer<Owner: AnyObject & Sendable>: Sendable {
  /// What is to be done, given the owner.
  public typealias Work = @Sendable (Owner) -> Void

  @usableFromInline let storage: TimerStorage<BackgroundTimer<Owner>, BackgroundStateMachine<Work>>
  private let timeline: TimerClock
  private let reference: Guarded<WeakReference>

  private struct WeakReference {
    weak var object: Owner?
    mutating func load() -> Owner? { object }
  }

  /// - Parameters:
  ///   - owner: what the work is done for; held weakly. An object that owns its timer sets
  ///     ``owner`` at the end of its own initializer instead.
  ///   - behavior: what several calls come to.
  ///   - tolerance: how much later than its time the work may run, so that several timers share a
  ///     wake-up; a negative one is zero.
  ///   - timeline: the clock it follows.
  ///   - queue: where the work runs; `nil` is a serial queue that all timers without one share.
  public init(
    for owner: Owner? = nil, _ behavior: BackgroundBehavior = .coalesce,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil
  ) {
    self.timeline = timeline
    reference = Guarded(WeakReference(object: owner))
    storage = TimerStorage(
      BackgroundStateMachine(behavior), on: timeline, queue: queue,
      tolerance: tolerance.clampedNanoseconds, handler: Call())
  }

  private func work(for run: BackgroundRun) {
    guard let work = storage.update({ $0.takeCommitted() }), let owner else { return }
    work(owner)
  }
}

extension BackgroundTimer: ObservableTimer, ObservableOwner {
  /// What it shows.
  public typealias State = CallState
  /// What observers are told.
  public typealias Delivery = BackgroundRun
  @usableFromInline typealias Machine = BackgroundStateMachine<Work>

  @usableFromInline
  struct Call: TimerCall {
    @usableFromInline
    func callAsFunction(_ timer: BackgroundTimer<Owner>, _ run: BackgroundRun) {
      timer.work(for: run)
    }
  }

  /// Removes all observers, and ends their streams. The work is none of them: it still runs.
  public func removeAllObservers() {
    while storage.remove(where: { !$0.callback.isHandler }) {}
  }
}

// MARK: - Controls
extension BackgroundTimer {
  /// What the work is done for; `nil` once that is gone. It is asked for when the work is to run.
  public var owner: Owner? {
    get { reference.withLock { $0.load() } }
    set { reference.withLock { $0.object = newValue } }
  }

  /// Has the work done after that time, in place of work that is pending; see
  /// ``BackgroundBehavior`` for when. In the work it arms the timer anew.
  /// - Parameters:
  ///   - delay: zero or less is as soon as the queue is free. The longest ones are clamped to 292
  ///     years, which is never.
  ///   - work: given the owner; it should not capture it.
  public func after(_ delay: Duration, do work: @escaping Work) {
    let nanoseconds = max(0, delay.clampedNanoseconds)
    // What it displaces is dropped when the mutex is not held.
    var work: Work? = work
    storage.control(self) { (machine, now) in machine.after(nanoseconds, &work, at: now) }
  }

  /// Forgets the work that is pending. The timer can be used again.
  ///
  /// When this has returned, no work starts that was asked for before. Work that runs goes on; called
  /// inside ``withLock(_:)``, none runs.
  /// - Returns: whether any was pending.
  @discardableResult
  public func cancel() -> Bool {
    storage.control(self) { (machine, _) in machine.cancelPending() }.wasPending
  }

  /// Keeps the work away while `body` runs: neither begins before the other has ended.
  ///
  /// `body` runs on the timer's queue, as by `sync`, or inline if the caller is on it; in the work and
  /// inside another `withLock` it runs inline as well. All controls can be called in it. Like `sync`
  /// it must not be called on a queue that the timer's queue targets, nor while holding a lock that
  /// the work takes, and it waits while the queue is suspended.
  /// - Returns: what `body` returns.
  public func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.exclusively(self, body)
  }

  /// Moves the timer to another queue, what is pending as well. Work that runs goes on where it is;
  /// the next waits for it. (On a ``VirtualClock`` queues play no part.)
  /// - Parameter queue: `nil` is the serial queue that all timers without one share.
  public func setQueue(_ queue: DispatchQueue?) {
    storage.move(self, to: timeline.alarmDriver(for: queue))
  }

  /// Whether work waits for its time.
  public var isPending: Bool { deadline != nil }

  /// When the pending work runs, on the timer's timeline; `nil` if none is pending.
  public var deadline: TimerClock.Instant? {
    storage.read(\.deadline).map(TimerClock.Instant.init(nanoseconds:))
  }

  /// What several calls come to.
  public var behavior: BackgroundBehavior { storage.read(\.behavior) }

  /// What has become of the calls: one consistent value.
  public var snapshot: CallSnapshot { storage.read(\.snapshot) }
}
