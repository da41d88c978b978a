public import Dispatch

extension Repeater {
  /// Creates and starts a timer that fires once. Store it: a timer without references is deallocated, which cancels it,
  /// and `_ = try Repeater.once(…)` stores none. The parameters are those of
  /// ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) -> Repeater {
    try every(
      interval, count: 1, tolerance: tolerance, clock: clock, queue: queue, handler: handler)
  }

  /// Creates and starts a timer that fires `count` times, or repeatedly if that is `nil`. Store it, as with
  /// ``once(after:tolerance:clock:queue:handler:)``.
  ///
  /// ```swift
  /// let poll = try Repeater.every(.seconds(30), startingAfter: .zero, jitter: .seconds(2)) { _, tick in
  ///   print("poll \(tick.iteration)")
  /// }
  /// ```
  ///
  /// The parameters are those of ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      interval: interval, mode: Mode(count: count), startingAfter: startDelay,
      tolerance: tolerance, missedTicks: missedTicks, jitter: jitter, clock: clock, queue: queue,
      handler: handler)
    timer.start()
    return timer
  }

  // MARK: On a schedule

  /// Creates and starts a timer that follows the time of day, for `count` ticks, or until it is cancelled if that
  /// is `nil`. If all occurrences of the schedule have passed, the timer stays idle. The other parameters are
  /// those of ``init(schedule:mode:tolerance:missedTicks:jitter:clock:queue:handler:)``.
  ///
  /// ```swift
  /// let standUp = try Repeater.following(.weekdays(.mondayToFriday, hour: 9, minute: 55)) { _, _ in
  ///   print("stand-up")
  /// }
  /// ```
  public static func following(
    _ schedule: WallSchedule, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      schedule: schedule, mode: Mode(count: count), tolerance: tolerance,
      missedTicks: missedTicks, jitter: jitter, clock: clock, queue: queue, handler: handler)
    timer.start()
    return timer
  }

  /// Creates and starts a timer that follows the time of day, on the main actor. The parameters are those of
  /// ``following(_:count:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public static func following(
    _ schedule: WallSchedule, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) -> Repeater {
    try following(
      schedule, count: count, tolerance: tolerance, missedTicks: missedTicks, jitter: jitter,
      clock: clock, queue: .main, handler: onMainActor(handler))
  }

  // MARK: - On the main actor

  /// A closure called for every tick, on the main actor.
  public typealias MainActorHandler = @MainActor (Repeater, Tick) -> Void

  /// Creates an idle timer whose handler runs on the main actor. The errors are those of
  /// ``init(_:clock:queue:handler:)``.
  /// - Parameters:
  ///   - configuration: the times at which it fires, and the number of ticks.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
  ///     ``TimerClock/suspending``.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - handler: called for every tick.
  public convenience init(
    _ configuration: Configuration, clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates an idle timer with an interval, whose handler runs on the main actor. The parameters are those of
  /// ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public convenience init(
    interval: Duration, mode: Mode = .infinite, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      interval: interval, mode: mode, startingAfter: startDelay, tolerance: tolerance,
      missedTicks: missedTicks, jitter: jitter, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }

  /// Creates an idle timer with a schedule, whose handler runs on the main actor. The parameters are those of
  /// ``init(schedule:mode:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public convenience init(
    schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      schedule: schedule, mode: mode, tolerance: tolerance, missedTicks: missedTicks,
      jitter: jitter, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a timer from a checkpoint, and starts it if it was running. Its handler runs on the main actor. The
  /// parameters and errors are those of ``init(restoring:policy:clock:queue:handler:)`` and
  /// ``init(_:clock:isolation:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: policy, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }

  /// Creates and starts a timer that fires once, on the main actor. The parameters are those of
  /// ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero, clock: TimerClock = .suspending,
    isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) -> Repeater {
    try once(
      after: interval, tolerance: tolerance, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }

  /// Creates and starts a timer that fires `count` times, or repeatedly if that is `nil`, on the main
  /// actor. The other parameters are those of
  /// ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:isolation:handler:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) -> Repeater {
    try every(
      interval, count: count, startingAfter: startDelay, tolerance: tolerance,
      missedTicks: missedTicks, jitter: jitter, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }
}
