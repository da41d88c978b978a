public import Dispatch

extension Repeater {
  /// Makes and starts a timer that delivers once. The parameters are those of
  /// ``init(every:mode:tolerance:missed:on:queue:handler:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerError) -> Repeater {
    let timer = try Repeater(
      every: interval, mode: .once, tolerance: tolerance, on: timeline, queue: queue,
      handler: handler)
    try timer.start()
    return timer
  }

  /// Makes and starts a timer that delivers `count` times, or without end if that is `nil`. The
  /// parameters are those of ``init(every:mode:tolerance:missed:on:queue:handler:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, tolerance: Duration = .zero,
    missed missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) -> Repeater {
    let timer = try Repeater(
      every: interval, mode: count.map(Mode.finite) ?? .infinite, tolerance: tolerance,
      missed: missedTicks, on: timeline, queue: queue, handler: handler)
    try timer.start()
    return timer
  }
}
