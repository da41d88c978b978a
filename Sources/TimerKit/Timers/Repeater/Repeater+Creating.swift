public import Dispatch

extension Repeater {
  /// Creates and starts a timer that fires once. The parameters are those of
  /// ``init(every:mode:tolerance:missedTicks:clock:queue:handler:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      every: interval, mode: .once, tolerance: tolerance, clock: clock, queue: queue,
      handler: handler)
    timer.start()
    return timer
  }

  /// Creates and starts a timer that fires `count` times, or repeatedly if that is `nil`. The
  /// parameters are those of ``init(every:mode:tolerance:missedTicks:clock:queue:handler:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      every: interval, mode: count.map(Mode.finite) ?? .infinite, tolerance: tolerance,
      missedTicks: missedTicks, clock: clock, queue: queue, handler: handler)
    timer.start()
    return timer
  }
}

// MARK: - On the main actor
extension Repeater {
  /// A closure called for every tick, on the main actor.
  public typealias MainActorHandler = @MainActor (Repeater, Tick) -> Void

  /// Creates an idle timer whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: Configuration, clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main) { timer, tick in
      MainActor.assumeIsolated { handler(timer, tick) }
    }
  }

  /// Creates and starts a timer that fires once, on the main actor. The other parameters are those of
  /// ``init(every:mode:tolerance:missedTicks:clock:queue:handler:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero, clock: TimerClock = .suspending,
    isolation: MainActor, handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      Configuration(.interval(interval), mode: .once, tolerance: tolerance), clock: clock,
      isolation: isolation, handler: handler)
    timer.start()
    return timer
  }

  /// Creates and starts a timer that fires `count` times, or repeatedly if that is `nil`, on the main
  /// actor. The other parameters are those of
  /// ``init(every:mode:tolerance:missedTicks:clock:queue:handler:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      Configuration(
        .interval(interval), mode: count.map(Mode.finite) ?? .infinite, tolerance: tolerance,
        missedTicks: missedTicks), clock: clock, isolation: isolation, handler: handler)
    timer.start()
    return timer
  }
}
