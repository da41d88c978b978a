public import Dispatch

/// A timer that measures elapsed time, with laps. It causes no wake-ups unless you set an alarm.
///
/// ```swift
/// let race = Stopwatch()
/// race.start()
/// // …
/// if let lap = race.lap() { print("lap \(lap.number): \(lap.time), \(lap.total) in all") }
/// print(race.elapsed)
/// ```
///
/// ```
/// start ───lap──────lap──── pause ········ start ──lap     no time elapses in a pause
///      lap 1      lap 2              lap 3 continues
/// ```
///
/// A reset sets the elapsed time to zero and removes the laps; the alarm can fire again.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler. The
/// handler and the observers receive laps, and the alarm set by ``setAlarm(at:)``, on the stopwatch's queue, one at a
/// time, in the order in which the laps were taken. Deallocating the stopwatch cancels it.
public final class Stopwatch: Sendable {
  /// A closure called for every lap and for the alarm, on the timer's queue.
  public typealias Handler = @Sendable (Stopwatch, Delivery) -> Void

  @usableFromInline let storage: TimerStorage<Stopwatch, StopwatchStateMachine>

  /// Creates a stopwatch that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called for every lap and alarm.
  public init(
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: Handler? = nil
  ) {
    storage = TimerStorage(
      StopwatchStateMachine(), driver: clock.driver(for: queue),
      handler: handler.map(HandlerBox.init))
  }

  /// Creates a stopwatch whose handler runs on the main actor.
  /// - Parameters:
  ///   - clock: the clock it follows.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - handler: called for every lap and alarm.
  public convenience init(
    clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (Stopwatch, Delivery) -> Void
  ) {
    self.init(clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a stopwatch from a checkpoint, and starts it if it was running. The parameters are those of
  /// ``Repeater/init(restoring:policy:clock:queue:handler:)``.
  /// - Throws: ``RestoreError`` if the checkpoint is invalid.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, passedAlarms) = try checkpoint.checked(policy, at: clock.wallNow)
    self.init(clock: clock, queue: queue, handler: handler)
    storage.restore(self, passedDeadlines: passedAlarms) { (machine, now) in
      machine.restore(checkpoint, at: now)
    }
  }

  /// Creates a stopwatch from a checkpoint, and starts it if it was running. Its handler runs on the main actor.
  /// The parameters and errors are those of ``init(restoring:policy:clock:queue:handler:)`` and
  /// ``init(clock:isolation:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping @MainActor (Stopwatch, Delivery) -> Void
  ) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: policy, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }
}

extension Stopwatch: PausableTimer, PausableStorageOwner {
  public typealias State = TimerState
  @usableFromInline typealias Machine = StopwatchStateMachine

  /// Replaces the handler, or adds one.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler by one that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The stopwatch must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps.
  ///   - handler: called for every lap and alarm.
  public func setHandler(
    isolation: MainActor, _ handler: @escaping @MainActor (Stopwatch, Delivery) -> Void
  ) {
    setHandler(storage.onMainActor(self, handler))
  }

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ stopwatch: Stopwatch, _ delivery: Delivery) {
      handler(stopwatch, delivery)
    }
  }

  // MARK: - Controls

  /// Ends the stopwatch permanently. The elapsed time can still be read.
  @discardableResult
  public func cancel() -> ControlResult {
    let now = storage.timeSource.now
    storage.update { _ = $0.advance(to: now) }
    return .changed(if: storage.end(self))
  }

  /// Ends a lap and begins the next one. The handler and the observers also receive the lap.
  /// - Returns: the lap; `nil` if the stopwatch is not running, or 1,024 laps wait for their delivery, for example because
  ///   the queue is suspended.
  @discardableResult
  public func lap() -> Lap? {
    storage.control(self) { (machine, now) in machine.lap(at: now) }
  }

  /// Sets an alarm that fires once in a run, at an elapsed time. It replaces an earlier alarm. If the time has
  /// already elapsed, the alarm is due at once, or as soon as the stopwatch runs.
  /// - Parameter elapsed: the elapsed time, greater than zero; `nil` removes the alarm.
  /// - Returns: ``ControlResult/unchanged`` if the alarm is set to this time already and has not fired;
  ///   ``ControlResult/Refusal/invalid(_:)`` if the time is not greater than zero.
  @discardableResult
  public func setAlarm(at elapsed: Duration?) -> ControlResult {
    storage.control(self) { (machine, _) in machine.setAlarm(at: elapsed) }
  }

  /// The elapsed time, excluding pauses.
  public var elapsed: Duration {
    let now = storage.timeSource.now
    return .nanoseconds(storage.readMachine { $0.elapsed(at: now) })
  }

  /// The laps of this run.
  public var laps: [Lap] { storage.readMachine { $0.laps } }

  /// The current state of the stopwatch, in one consistent value.
  public var snapshot: Snapshot { storage.snapshot { $0.snapshot($1) } }

  /// A checkpoint of the current state of the stopwatch.
  public var checkpoint: Checkpoint {
    let timeSource = storage.timeSource
    return snapshot.checkpoint(at: timeSource.currentInstant, wall: timeSource.wallNow)
  }
}
