public import Dispatch

/// Counts a number of steps down to 0, and finishes by itself (S1).
///
/// ```swift
/// let launch = try Countdown(from: 10, every: .seconds(1)) { _, stepsLeft in
///   print(stepsLeft == 0 ? "lift-off" : "\(stepsLeft)")
/// }
/// try launch.start()  // 9, 8 … 1, lift-off
/// ```
///
/// ```
/// from 3:  start ──I── 2 ──I── 1 ──I── 0, finished
/// ```
///
/// Every number is delivered, once and in order, whatever the policy for missed steps says about
/// *when*: a countdown that was held up catches up with ``Repeater/MissedTicks/burst(limit:)`` and
/// ends later with the others.
///
/// It is a finite ``Repeater`` whose handler is told the steps left, and has its states, ticks,
/// snapshots and checkpoints. All controls can be called from any thread and from inside a handler.
/// The handler runs on the timer's queue, one call at a time. Dropping the timer cancels it.
public final class Countdown: Sendable {
  /// What it shows: see ``Repeater/State``.
  public typealias State = Repeater.State
  /// One step, as observers are told of it: see ``Repeater/Tick``.
  public typealias Tick = Repeater.Tick
  /// What observers are told.
  public typealias Delivery = Tick
  /// See ``Repeater/Snapshot``: the steps left are its remaining iterations.
  public typealias Snapshot = Repeater.Snapshot
  /// See ``Repeater/Checkpoint``; its mode is a finite one.
  public typealias Checkpoint = Repeater.Checkpoint
  /// Told the steps left: one less than the count at the first call, 0 at the last.
  public typealias Handler = @Sendable (Countdown, _ stepsLeft: Int) -> Void

  @usableFromInline let storage: TimerStorage<Countdown, RepeaterStateMachine>

  /// Makes a countdown that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - steps: how many there are; at least 1.
  ///   - interval: the time between two steps, and before the first one; longer than zero.
  ///   - tolerance: how much later than its time a step may be, so that several timers share a
  ///     wake-up. It never adds up.
  ///   - missedSteps: what becomes of steps whose time went by.
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called at every step.
  /// - Throws: ``TimerError/invalidCount(_:)``, ``TimerError/invalidInterval(_:)`` or
  ///   ``TimerError/invalidTolerance(_:)``.
  public init(
    from steps: Int, every interval: Duration, tolerance: Duration = .zero,
    missed missedSteps: Repeater.MissedTicks = .skip,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerError) {
    let machine = try RepeaterStateMachine(.finite(steps), every: interval, missedSteps)
    storage = TimerStorage(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: Call(handler: handler))
  }

  /// Makes a countdown again as it was. It runs if it was running.
  /// - Parameters:
  ///   - checkpoint: as it was; not a cancelled one.
  ///   - resumption: what the time since then means to one that was running.
  ///   - timeline: the clock it follows; by ``Timeline/wallNow`` it tells how long ago that was.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called at every step.
  /// - Throws: ``TimerError/cancelled``, or what is wrong with the checkpoint's values; an infinite
  ///   one is an invalid count of 0.
  public convenience init(
    restoring checkpoint: Checkpoint, _ resumption: RestorePolicy = .catchUp,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerError) {
    let (checkpoint, elapsedPeriods) = try checkpoint.resumed(resumption, at: timeline.wallNow)
    try self.init(
      from: checkpoint.mode.count ?? 0, every: checkpoint.interval,
      tolerance: checkpoint.tolerance, missed: checkpoint.missedTicks, on: timeline, queue: queue,
      handler: handler)
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.restore(checkpoint, elapsedPeriods: elapsedPeriods, at: now)
    }
  }

  /// Replaces the handler the countdown was made with, and keeps its place among the observers.
  public func setHandler(_ handler: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(Call(handler: handler)))
  }
}

extension Countdown: PausableTimer, PausableOwner {
  @usableFromInline typealias Machine = RepeaterStateMachine

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ countdown: Countdown, _ tick: Tick) {
      handler(countdown, tick.remainingIterations ?? 0)
    }
  }
}

extension Countdown: Equatable, Identifiable {
  public static func == (left: Countdown, right: Countdown) -> Bool { left === right }
}
