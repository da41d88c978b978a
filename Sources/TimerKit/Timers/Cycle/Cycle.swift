public import Dispatch

/// A timer that runs through named phases of different durations, in one or more rounds: for example a
/// pomodoro, a tabata workout or a watering plan.
///
/// ```swift
/// let pomodoro = try Cycle([.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 4) {
///   _, tick in
///   print("\(tick.ended.phase.name) is over:", tick.begun?.phase.name ?? "done for today")
/// }
/// pomodoro.start()
/// ```
///
/// A finite cycle omits the last phase of the last round, usually a rest, unless `includesFinalRest` is true
/// or there is only one phase.
///
/// ```
/// work 25, rest 5, rounds: 2     work ───25─── rest ─5─ work ───25───
/// ticks (T)                      ^start       T        T             T (last)
///   ended → begun                       work → rest    |             |
///                                          rest → work, round 2      work → nil, finished
///
/// queue busy from 20 to 58                    x──────────────────────────T      x: due, T: delivered
///   one tick for all of it: work → nil, missed: 2 (rest and the second work), lateness: 33
/// queue busy from 20 to 40                    x──────────T
///   one tick: work → work (round 2), missed: 1, and that work ends at 55 as planned: no drift
/// ```
///
/// The phase that has begun in one tick is the phase that has ended in the next one, even if phases were
/// missed, until a reset or a new start begins a new run.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler. The
/// handler and the observers run on the timer's queue, one at a time. Deallocating the timer cancels it.
public final class Cycle: Sendable {
  /// A closure called on the timer's queue when a phase has ended.
  public typealias Handler = @Sendable (Cycle, Tick) -> Void

  @usableFromInline let storage: TimerStorage<Cycle, CycleStateMachine>

  /// Creates a cycle that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - configuration: its phases and rounds.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called when a phase has ended.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration.
  public init(
    _ configuration: Configuration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      CycleStateMachine(try CyclePlan(configuration)), driver: clock.driver(for: queue),
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a cycle that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - phases: the phases of a round; at least one, each longer than zero.
  ///   - rounds: the number of rounds, at least 1; `nil` if the cycle is endless.
  ///   - includesFinalRest: true to include the last phase of the last round.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called when a phase has ended.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value.
  public convenience init(
    _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a cycle whose handler runs on the main actor. The errors are those of
  /// ``init(_:clock:queue:handler:)``.
  /// - Parameters:
  ///   - configuration: its phases and rounds.
  ///   - clock: the clock it follows.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - handler: called when a phase has ended.
  public convenience init(
    _ configuration: Configuration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (Cycle, Tick) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a cycle whose handler runs on the main actor. The parameters and errors are those of
  /// ``init(_:rounds:includesFinalRest:tolerance:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public convenience init(
    _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (Cycle, Tick) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance,
      clock: clock, queue: .main, handler: onMainActor(handler))
  }
}

extension Cycle: PausableTimer, PausableStorageOwner {
  public typealias State = TimerState
  public typealias Delivery = Tick
  @usableFromInline typealias Machine = CycleStateMachine

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler by one that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The cycle must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps.
  ///   - handler: called when a phase has ended.
  public func setHandler(
    isolation: MainActor, _ handler: @escaping @MainActor (Cycle, Tick) -> Void
  ) {
    setHandler(storage.onMainActor(self, handler))
  }

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ cycle: Cycle, _ tick: Tick) { handler(cycle, tick) }
  }

  // MARK: - Controls

  /// Requests the end of the current phase. The cycle enters the next phase when the tick is delivered, on the queue.
  /// If the cycle is running, the full duration of that phase counts from the time of this call. An idle or paused
  /// cycle stays idle or paused, unless the phase that ends is the last one.
  ///
  /// The request is for the phase that is current at the time of the call. While other skips are pending, it is for
  /// the phase after theirs. If the requested phase ends by itself first, no other phase is skipped.
  /// - Returns: ``ControlResult/unchanged`` if a skip of the last phase is already pending;
  ///   ``ControlResult/Refusal/tooManyPending`` if too many skips wait.
  @discardableResult
  public func skip() -> ControlResult {
    storage.control(self) { (machine, now) in machine.skip(at: now) }
  }

  /// Extends the current phase, or shortens it if `change` is negative; it never ends before now. The phases
  /// after it move with it.
  /// - Returns: a refusal if the cycle is idle or finished.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    storage.control(self) { (machine, now) in machine.adjustTimeLeft(by: change, at: now) }
  }

  /// One phase of one round.
  public struct Position: Sendable, Hashable {
    /// The phase, with its name and duration.
    public var phase: Phase
    /// The index of the phase in its round, from 0.
    public var index: Int
    /// The number of the round, from 1.
    public var round: Int

    /// Creates a position from its values, for a test or a preview.
    public init(phase: Phase, index: Int, round: Int) {
      self.phase = phase
      self.index = index
      self.round = round
    }
  }

  /// A delivery of a cycle: a phase has ended and, except at the end of the run, another one has begun.
  public struct Tick: Sendable, Hashable, CustomStringConvertible {
    /// The phase that has ended, which is the `begun` of the previous tick.
    public var ended: Position
    /// The phase that has begun; `nil` at the end of the run.
    public var begun: Position?
    /// The number of rounds that have not ended, including that of `begun`; `nil` for an endless cycle.
    public var remainingRounds: Int?
    /// The number of phases between `ended` and `begun`, which began and ended while the timer was late.
    public var missedCount: Int
    /// The generation for which it was delivered: see ``Cycle/isCurrent(_:)``.
    public var generation: UInt64
    /// The time at which `ended` was due to end, or at which ``Cycle/skip()`` was called.
    public var deadline: TimerClock.Instant
    /// The time from `deadline` to its delivery; zero for a skip.
    public var lateness: Duration
    /// True if it was requested by ``Cycle/skip()``.
    public var isManual: Bool

    /// Creates a tick from its values, for a test or a preview.
    public init(
      ended: Position, begun: Position?, remainingRounds: Int?, missedCount: Int = 0,
      generation: UInt64 = 0, deadline: TimerClock.Instant, lateness: Duration = .zero,
      isManual: Bool = false
    ) {
      self.ended = ended
      self.begun = begun
      self.remainingRounds = remainingRounds
      self.missedCount = missedCount
      self.generation = generation
      self.deadline = deadline
      self.lateness = lateness
      self.isManual = isManual
    }

    /// The current round: that of `begun`, or at the end of the run that of `ended`.
    public var round: Int { (begun ?? ended).round }

    /// True for the last tick of a run.
    public var isLast: Bool { begun == nil }

    /// A description for logs: `work → rest, round 2`.
    public var description: String {
      var parts = ["\(ended.phase.name) → \(begun?.phase.name ?? "end")", "round \(round)"]
      if missedCount > 0 { parts.append("\(missedCount) missed") }
      if lateness > .zero { parts.append("\(lateness) late") }
      return parts.joined(separator: ", ")
    }
  }
}
