public import Dispatch

/// Counts time up, with laps. It takes no alarm, no drain of a queue and no wake-up, unless it is
/// asked for one.
///
/// ```swift
/// let race = Stopwatch()
/// try race.start()
/// // …
/// if let lap = try race.lap() { print("lap \(lap.number): \(lap.time), \(lap.total) in all") }
/// print(race.elapsed)
/// ```
///
/// ```
/// start ───lap──────lap──── pause ········ start ──lap     time stands still in a pause
///    lap 1 time   lap 2              lap 3 goes on
/// ```
///
/// All controls can be called from any thread and from inside a handler. The handler and observers
/// are told of laps, and of the alarm set by ``setAlarm(at:)``, on the stopwatch's queue, one at a
/// time, in the order the laps were taken. Dropping the stopwatch cancels it.
public final class Stopwatch: Sendable {
  /// Called for every lap, and for the alarm.
  public typealias Handler = @Sendable (Stopwatch, Mark) -> Void

  @usableFromInline let storage: TimerStorage<Stopwatch, StopwatchStateMachine>

  /// Makes a stopwatch that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every lap and alarm.
  public init(
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) {
    storage = TimerStorage(
      StopwatchStateMachine(), on: timeline, queue: queue, handler: handler.map(Call.init))
  }

  /// Makes a stopwatch again as it was. It runs if it was running.
  /// - Parameters:
  ///   - checkpoint: as it was; not a cancelled one.
  ///   - resumption: what the time since then means to one that was running.
  ///   - timeline: the clock it follows; by ``Timeline/wallNow`` it tells how long ago that was.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every lap and alarm.
  /// - Throws: ``TimerError/cancelled``, or ``TimerError/invalidInterval(_:)`` if what had elapsed is
  ///   negative or the alarm not longer than zero.
  public convenience init(
    restoring checkpoint: Checkpoint, _ resumption: RestorePolicy = .catchUp,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) throws(TimerError) {
    var checkpoint = try checkpoint.checked()
    let elapsedPeriods = resumption == .catchUp ? checkpoint.catchUp(to: timeline.wallNow) : 0
    self.init(on: timeline, queue: queue, handler: handler)
    storage.control(self) { [checkpoint] (machine, now) in
      machine.restore(checkpoint, elapsedPeriods: elapsedPeriods, at: now)
    }
  }

  /// Replaces the handler, or gives it one.
  public func setHandler(_ handler: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(Call(handler: handler)))
  }
}

extension Stopwatch: PausableTimer, PausableOwner {
  @usableFromInline typealias Machine = StopwatchStateMachine

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ stopwatch: Stopwatch, _ mark: Mark) { handler(stopwatch, mark) }
  }
}

extension Stopwatch: Equatable, Identifiable {
  public static func == (left: Stopwatch, right: Stopwatch) -> Bool { left === right }
}

// MARK: - Controls
extension Stopwatch {
  /// Goes back to zero and forgets the laps. The alarm will ring again.
  /// - Parameter restart: whether it runs then, or is idle.
  /// - Throws: ``TimerError/cancelled``.
  public func reset(restart: Bool = false) throws(TimerError) {
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.reset(restart: restart, at: now)
    }
  }

  /// Ends it for good; what has elapsed can still be read.
  /// - Returns: false if it was cancelled before.
  @discardableResult
  public func cancel() -> Bool {
    storage.control(self) { (machine, now) in machine.cancel(at: now) }
  }

  /// Cancels, and waits for a handler that runs. Calling it on the stopwatch's own queue is a
  /// programming error.
  public func cancelAndWait() {
    cancel()
    storage.cancelAndWait(self)
  }

  /// Ends a lap and begins the next. The lap is also told to the handler and to observers.
  /// - Returns: the lap; `nil` if it is not running.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func lap() throws(TimerError) -> Lap? {
    try storage.control(self) { (machine, now) throws(TimerError) in try machine.lap(at: now) }
  }

  /// Asks for an alarm when that much has elapsed, once in a run and in place of an earlier one. If
  /// it has elapsed already, the alarm is due at once, or as soon as the stopwatch runs.
  /// - Parameter elapsed: longer than zero; `nil` takes the alarm away.
  /// - Throws: ``TimerError/invalidInterval(_:)`` or ``TimerError/cancelled``.
  public func setAlarm(at elapsed: Duration?) throws(TimerError) {
    let nanoseconds = try elapsed?.checkedInterval()
    try storage.control(self) { (machine, _) throws(TimerError) in
      try machine.setAlarm(at: nanoseconds)
    }
  }

  /// The time it has run, pauses not counted.
  public var elapsed: Duration {
    let now = storage.time.now
    return .nanoseconds(storage.read { $0.elapsed(at: now) })
  }

  /// The laps of this run.
  public var laps: [Lap] { storage.read(\.laps) }

  /// Everything there is to know about it at this moment: one consistent value.
  public var snapshot: Snapshot {
    let clock = storage.time.kind
    return storage.read { machine in
      Snapshot(
        phase: machine.phase, clock: clock,
        origin: machine.origin.map(TimerClock.Instant.init(nanoseconds:)),
        frozenElapsed: machine.frozenElapsed.map(Duration.nanoseconds(_:)), laps: machine.laps,
        alarmTime: machine.alarmTime.map(Duration.nanoseconds(_:)),
        alarmHasFired: machine.alarmHasFired, generation: machine.generation,
        deliveredCount: machine.deliveredCount, staleCount: machine.staleCount,
        elapsedWhileStoppedCount: machine.elapsedWhileStoppedCount)
    }
  }

  /// What is needed to make it again as it is now.
  public var checkpoint: Checkpoint {
    let time = storage.time
    return snapshot.checkpoint(
      at: time.instant, takenAt: time.wallInstant)
  }
}
