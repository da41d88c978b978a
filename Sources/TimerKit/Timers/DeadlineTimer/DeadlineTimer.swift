public import Dispatch

/// A timer with one deadline that can be moved: the smallest one, for timers of your own.
///
/// It follows the rules of all timers: handlers run on the queue, one at a time; after
/// ``schedule(at:)`` or ``cancel()`` no handler of the old deadline starts; deallocating it cancels it.
public final class DeadlineTimer: Sendable {
  /// A closure called when the timer fires, with the deadline that it fires for.
  public typealias Handler = @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void

  @usableFromInline let storage: TimerStorage<DeadlineTimer, DeadlineStateMachine>

  /// Creates a timer without a deadline.
  /// - Parameters:
  ///   - tolerance: the time by which it may fire late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called when it fires.
  /// - Throws: ``TimerConfigurationError/invalidTolerance(_:)``.
  public convenience init(
    tolerance: Duration, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    self.init(
      tolerance: try tolerance.checkedTolerance(), driver: clock.source.driver(for: queue),
      handler: handler)
  }

  /// Creates a timer without a deadline, and without tolerance.
  public convenience init(
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) {
    self.init(tolerance: 0, driver: clock.source.driver(for: queue), handler: handler)
  }

  /// Creates a timer without a deadline whose handler runs on the main actor.
  public convenience init(
    clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void
  ) {
    self.init(clock: clock, queue: .main) { timer, scheduled in
      MainActor.assumeIsolated { handler(timer, scheduled) }
    }
  }

  init(tolerance: Int64, driver: AlarmDriver, handler: @escaping Handler) {
    storage = TimerStorage(
      DeadlineStateMachine(), driver: driver, tolerance: tolerance,
      handler: HandlerBox(handler: handler))
  }

  /// Sets the deadline, in place of an earlier one. One that is past is due at once.
  @discardableResult
  public func schedule(at deadline: TimerClock.Instant) -> ControlResult {
    storage.control(self) { (machine, _) in machine.schedule(deadline.nanoseconds) }
  }

  /// Removes the deadline.
  @discardableResult
  public func unschedule() -> ControlResult {
    storage.control(self) { (machine, _) in machine.schedule(nil) }
  }

  /// Ends the timer for good, and releases its handler when it does not run.
  @discardableResult
  public func cancel() -> ControlResult { .changed(if: storage.end(self)) }

  /// The deadline; `nil` if there is none.
  public var deadline: TimerClock.Instant? {
    storage.read(\.deadline).map(storage.time.instant(nanoseconds:))
  }
}

extension DeadlineTimer: TimerStorageOwner {
  @usableFromInline typealias Machine = DeadlineStateMachine

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ timer: DeadlineTimer, _ scheduled: TimerClock.Instant) {
      handler(timer, scheduled)
    }
  }
}
