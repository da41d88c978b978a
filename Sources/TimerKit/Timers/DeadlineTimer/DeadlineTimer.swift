public import Dispatch

/// A timer with one deadline that you can move, as a building block for other timers.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside the
/// handler. The handler runs on the queue, one call at a time. After ``schedule(at:)`` or ``cancel()`` has
/// returned, no handler for the old deadline starts. Deallocating the timer cancels it. Two timers are equal if
/// they are the same object.
public final class DeadlineTimer: Sendable {
  /// A closure called on the timer's queue when the timer fires, with the deadline for which it fires.
  public typealias Handler = @Sendable (DeadlineTimer, _ deadline: TimerClock.Instant) -> Void

  @usableFromInline let storage: TimerStorage<DeadlineTimer, DeadlineStateMachine>

  /// Creates a timer without a deadline.
  /// - Parameters:
  ///   - tolerance: the time by which it may fire late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called when it fires.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if the tolerance is negative.
  public convenience init(
    tolerance: Duration, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    self.init(
      tolerance: try tolerance.checkedTolerance(), driver: clock.timeSource.driver(for: queue),
      handler: handler)
  }

  /// Creates a timer without a deadline and without tolerance. The other parameters are those of
  /// ``init(tolerance:clock:queue:handler:)``.
  public convenience init(
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) {
    self.init(tolerance: 0, driver: clock.timeSource.driver(for: queue), handler: handler)
  }

  /// Creates a timer whose handler runs on the main actor. It has no deadline and no tolerance.
  /// - Parameters:
  ///   - clock: the clock it follows.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - handler: called when it fires.
  public convenience init(
    clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (DeadlineTimer, _ deadline: TimerClock.Instant) -> Void
  ) {
    self.init(clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a timer whose handler runs on the main actor, with a tolerance. The other parameters are those of
  /// ``init(tolerance:clock:queue:handler:)``.
  public convenience init(
    tolerance: Duration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (DeadlineTimer, _ deadline: TimerClock.Instant) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      tolerance: tolerance, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  init(tolerance: Int64, driver: AlarmDriver, handler: @escaping Handler) {
    storage = TimerStorage(
      DeadlineStateMachine(), driver: driver, tolerance: tolerance,
      handler: HandlerBox(handler: handler))
  }

  /// Sets the deadline and replaces the previous one. A deadline that has passed is due at once.
  /// - Parameter deadline: an instant of the clock that the timer follows. An instant of another clock is a
  ///   programming error and traps, as a comparison of instants of two clocks does.
  @discardableResult
  public func schedule(at deadline: TimerClock.Instant) -> ControlResult {
    precondition(
      deadline.clock == storage.timeSource.identity, "the deadline is an instant of another clock")
    return storage.control(self) { (machine, _) in machine.schedule(deadline.nanoseconds) }
  }

  /// Sets the deadline to a time from now, and replaces the previous one.
  /// - Parameter duration: the time until the timer fires. If it is zero or negative, the timer is due at once.
  @discardableResult
  public func schedule(after duration: Duration) -> ControlResult {
    schedule(at: clock.now + duration)
  }

  /// Removes the deadline.
  /// - Returns: ``ControlResult/unchanged`` if the timer has no deadline.
  @discardableResult
  public func unschedule() -> ControlResult {
    storage.control(self) { (machine, _) in machine.schedule(nil) }
  }

  /// Ends the timer permanently. After `cancel()` has returned, no handler starts. The timer releases its handler
  /// when a running call of it has returned. A cancelled timer refuses every other control.
  /// - Returns: ``ControlResult/unchanged`` if the timer was cancelled before.
  @discardableResult
  public func cancel() -> ControlResult { .changed(if: storage.end(self)) }

  /// Cancels the timer, and blocks until a running handler has returned. Calling it inside the timer's own
  /// handler is a programming error and traps, because it would wait for itself.
  public func cancelAndWait() {
    cancel()
    storage.waitForHandler()
  }

  /// Cancels the timer, and suspends the task until a running handler has returned. It does not block a
  /// thread.
  public nonisolated(nonsending) func cancelAndWait() async {
    cancel()
    await storage.waitForHandler()
  }

  @discardableResult
  public nonisolated(nonsending) func drain(until deadline: TimerClock.Instant?) async
    -> DrainResult
  {
    await storage.drain(self, until: deadline)
  }

  /// The clock that the timer follows, whose instants are its deadlines.
  public var clock: TimerClock { TimerClock(storage.timeSource) }

  /// Returns true for the deadline for which the timer has fired, until the next control. Use it in a handler, under
  /// the lock that guards your state: see <doc:GuardingYourOwnState>.
  /// - Parameter deadline: the deadline that the handler has received.
  /// - Returns: false if a control has set or removed the deadline, or cancelled the timer, since it fired.
  public func isCurrent(_ deadline: TimerClock.Instant) -> Bool {
    deadline.clock == storage.timeSource.identity
      && storage.readMachine { $0.firedDeadline == deadline.nanoseconds }
  }

  /// True if the caller runs on the timer's queue or in its handler: see ``ObservableTimer/isCallerIsolated``.
  public var isCallerIsolated: Bool { storage.isCallerIsolated(self) }

  /// The deadline, on the timer's clock; `nil` if there is none.
  public var deadline: TimerClock.Instant? {
    storage.readMachine({ $0.deadline }).map(storage.timeSource.instant(nanoseconds:))
  }
}

extension DeadlineTimer: Drainable, Hashable, Identifiable, CustomStringConvertible {
  public static func == (left: DeadlineTimer, right: DeadlineTimer) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The deadline or state, for logs: `DeadlineTimer (suspending 12.5 seconds)`.
  public var description: String {
    let (isCancelled, deadline) = storage.readMachine { ($0.isCancelled, $0.deadline) }
    let due = deadline.map { "\(storage.timeSource.instant(nanoseconds: $0))" }
    return "DeadlineTimer (\(isCancelled ? "cancelled" : due ?? "no deadline"))"
  }
}

extension DeadlineTimer: TimerStorageOwner {
  @usableFromInline typealias Machine = DeadlineStateMachine

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ timer: DeadlineTimer, _ deadline: TimerClock.Instant) {
      handler(timer, deadline)
    }
  }
}

/// The state machine of a ``DeadlineTimer``.
@usableFromInline
struct DeadlineStateMachine: TimerStateMachine {
  /// The deadline; after the fire and until the next control, the one for which the timer has fired.
  private var latestDeadline: Int64?
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var isCancelled = false
  private var hasFired = false

  /// A constant, because the timer has no states to observe.
  @usableFromInline var state: Bool { false }
  @usableFromInline var deadline: Int64? { hasFired ? nil : latestDeadline }
  var firedDeadline: Int64? { hasFired ? latestDeadline : nil }

  mutating func schedule(_ newDeadline: Int64?) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    // Also without a change: an operation for an earlier deadline may wait.
    generation += 1
    defer { (latestDeadline, hasFired) = (newDeadline, false) }
    return newDeadline != nil || deadline != nil ? .changed : .unchanged
  }

  @usableFromInline
  mutating func cancel() {
    isCancelled = true
    latestDeadline = nil
    generation += 1
  }

  @usableFromInline
  mutating func handleArmedAlarm(
    at now: Int64, on clock: ClockIdentity
  ) -> Effect<TimerClock.Instant> {
    guard let due = deadline, now >= due else { return .nothing }
    hasFired = true
    return .deliver(TimerClock.Instant(nanoseconds: due, clock: clock))
  }
}
