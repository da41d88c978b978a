public import Dispatch

/// Goes through named phases, each with a length of its own, round after round: pomodoro, tabata,
/// a watering plan.
///
/// ```swift
/// let pomodoro = try Cycle([.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 4) {
///   _, tick in
///   print("\(tick.ended.phase.name) is over:", tick.begun?.phase.name ?? "done for today")
/// }
/// try pomodoro.start()
/// ```
///
/// A finite cycle ends with its last effort: the last phase of the last round is dropped, unless
/// `includesFinalRest` is true or there is only one phase.
///
/// ```
/// work 25, rest 5, rounds: 2     work ───25─── rest ─5─ work ───25───
/// ticks                          ^start       T        T             T (last)
///   ended → begun                       work → rest    |             |
///                                          rest → work, round 2      work → nil, finished
///
/// held up from 20 to 58                       x──────────────────────────T
///   one tick for all of it: work → nil, missed: 2 (rest and the second work), lateness: 33
/// held up from 20 to 40                       x──────────T
///   one tick: work → work (round 2), missed: 1, and that work ends at 55 as ever: nothing drifts
/// ```
///
/// Ticks are a chain: what one says has begun is what the next one says has ended, whatever was
/// missed, until ``reset(restart:)`` or a new start begins a new one.
///
/// All controls can be called from any thread and from inside a handler. Handlers run on the timer's
/// queue, one at a time. Dropping the timer cancels it.
public final class Cycle: Sendable {
  /// Called when a stage has ended.
  public typealias Handler = @Sendable (Cycle, Tick) -> Void

  @usableFromInline let storage: TimerStorage<Cycle, CycleStateMachine>

  /// Makes a cycle that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - phases: what it goes through in a round; at least one, each longer than zero.
  ///   - rounds: how often it does; at least 1; `nil` is without end.
  ///   - includesFinalRest: whether the last phase of the last round takes place.
  ///   - tolerance: how much later than its time a tick may be, so that several timers share a
  ///     wake-up. It never adds up.
  ///   - timeline: the clock it follows.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called when a stage has ended.
  /// - Throws: ``TimerError/invalidCount(_:)``, ``TimerError/invalidInterval(_:)`` or
  ///   ``TimerError/invalidTolerance(_:)``.
  public init(
    _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let plan = try CyclePlan(phases, rounds: rounds, includesFinalRest: includesFinalRest)
    storage = TimerStorage(
      CycleStateMachine(plan), on: timeline, queue: queue,
      tolerance: try tolerance.checkedTolerance(), handler: Call(handler: handler))
  }

  /// Replaces the handler the cycle was made with, and keeps its place among the observers.
  public func setHandler(_ handler: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(Call(handler: handler)))
  }
}

extension Cycle: PausableTimer, PausableOwner {
  @usableFromInline typealias Machine = CycleStateMachine

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ cycle: Cycle, _ tick: Tick) { handler(cycle, tick) }
  }
}

extension Cycle: Equatable, Identifiable {
  public static func == (left: Cycle, right: Cycle) -> Bool { left === right }
}

// MARK: - Controls
extension Cycle {
  /// Goes back to the first phase of the first round.
  /// - Parameter restart: whether it runs then, or is idle.
  /// - Throws: ``TimerError/cancelled``.
  public func reset(restart: Bool = true) throws(TimerError) {
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.reset(restart: restart, at: now)
    }
  }

  /// Ends the phase now and goes on with the next, which counts in full from this moment; a paused
  /// one stays paused. The tick that says so is delivered on the queue, and only then has it
  /// happened.
  ///
  /// It is for the phase that runs when it is called, or for the one after that if that one is to be
  /// skipped already. If the clock ends that phase first, nothing more is skipped.
  /// - Returns: false if there is nothing left to skip.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func skip() throws(TimerError) -> Bool {
    try storage.control(self) { (machine, now) throws(TimerError) in try machine.skip(at: now) }
  }

  /// Makes the phase end later, or sooner with a negative `change`; never before now. The phases
  /// after it move with it.
  /// - Returns: false if none runs: it is idle or finished.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) throws(TimerError) -> Bool {
    let nanoseconds = change.clampedNanoseconds
    return try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// The time until the phase ends, frozen while it is paused; `nil` where none runs.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// Whether a tick still counts: no control has taken it back, or the schedule it came from. See
  /// ``Repeater/isCurrent(_:)`` (S0).
  public func isCurrent(_ tick: Tick) -> Bool { storage.read { $0.isCurrent(tick) } }

  /// Everything there is to know about it at this moment: one consistent value.
  public var snapshot: Snapshot {
    let clock = storage.time.kind
    return storage.readState { state in
      let machine = state.machine
      let plan = machine.plan
      return Snapshot(
        runPhase: machine.phase, isExecuting: machine.isExecuting, phases: plan.phases,
        rounds: plan.rounds, includesFinalRest: plan.includesFinalRest,
        tolerance: .nanoseconds(state.tolerance), clock: clock, stage: machine.current,
        stageNumber: machine.stage, remainingRounds: plan.remainingRounds(from: machine.stage),
        deadline: machine.deadline.map(TimerClock.Instant.init(nanoseconds:)),
        frozenTimeLeft: machine.frozenTimeLeft.map(Duration.nanoseconds(_:)),
        generation: machine.generation, deliveredCount: machine.deliveredCount,
        missedCount: machine.missedCount, staleCount: machine.staleCount,
        elapsedWhileStoppedCount: machine.elapsedWhileStoppedCount, lastTick: machine.lastTick)
    }
  }
}
