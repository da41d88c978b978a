public import Dispatch

/// A timer with one deadline that you can move, as a building block for other timers.
///
/// You can call every control from any thread and from inside the handler. The handler runs on the queue, one
/// call at a time. After ``schedule(at:)`` or ``cancel()`` has returned, no handler for the old deadline
/// starts. Deallocating the timer cancels it.
public final class DeadlineTimer: Sendable {
  /// A closure called on the timer's queue when the timer fires, with the deadline for which it fires.
  public typealias Handler = @Sendable (DeadlineTimer, _ scheduled: TimerClock.Instant) -> Void

  @usableFromInline let storage: TimerStorage<DeadlineTimer, DeadlineStateMachine>

  /// Creates a timer without a deadline.
  /// - Parameters:
  ///   - tolerance: the time by which it may fire late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called when it fires.
  /// - Throws: ``TimerConfigurationError/invalidTolerance(_:)`` if the tolerance is negative.
  public convenience init(
    tolerance: Duration, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    self.init(
      tolerance: try tolerance.checkedTolerance(), driver: clock.source.driver(for: queue),
      handler: handler)
  }

  /// Creates a timer without a deadline and without tolerance. The other parameters are those of
  /// ``init(tolerance:clock:queue:handler:)``.
  public convenience init(
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) {
    self.init(tolerance: 0, driver: clock.source.driver(for: queue), handler: handler)
  }

  /// Creates a timer whose handler runs on the main actor. It has no deadline and no tolerance.
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

  /// Sets the deadline and replaces the previous one. A deadline that has passed is due at once.
  /// - Parameter deadline: an instant of the clock that the timer follows. An instant of another clock is a
  ///   programming error and traps, as its comparison does.
  @discardableResult
  public func schedule(at deadline: TimerClock.Instant) -> ControlResult {
    precondition(
      deadline.clock == storage.time.identity, "the deadline is an instant of another clock")
    return storage.control(self) { (machine, _) in machine.schedule(deadline.nanoseconds) }
  }

  /// Removes the deadline.
  /// - Returns: ``ControlResult/unchanged`` if the timer has no deadline.
  @discardableResult
  public func unschedule() -> ControlResult {
    storage.control(self) { (machine, _) in machine.schedule(nil) }
  }

  /// Ends the timer permanently. Its handler is released when a running call has returned.
  @discardableResult
  public func cancel() -> ControlResult { .changed(if: storage.end(self)) }

  /// The deadline, on the timer's clock; `nil` if there is none.
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
