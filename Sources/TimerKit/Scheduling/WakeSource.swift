import Dispatch

#if canImport(Darwin)
  import CContinuousTimer
#endif

/// The dispatch source of a driver. The driver's mutex guards it.
///
/// It is activated at once and never suspended, because releasing a suspended or inactive source ends the
/// process. It is scheduled before, because each change of an active source wakes a thread of its queue.
struct WakeSource {
  private let source: any DispatchSourceTimer
  private let clock: TimerClock.Kind

  init(
    clock: TimerClock.Kind, queue: DispatchQueue, _ schedule: WakePlan.Schedule,
    handler: @escaping @Sendable () -> Void
  ) {
    self.clock = clock
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    apply(schedule)
    source.activate()
  }

  /// Returns a Boolean value that indicates whether sources of the clock repeat by themselves.
  static func repeats(_ clock: TimerClock.Kind) -> Bool { clock != .wall }

  func cancel() { source.cancel() }

  func apply(_ schedule: WakePlan.Schedule) {
    guard schedule.at < .max else { return source.schedule(deadline: .distantFuture) }
    switch clock {
    case .suspending:
      source.schedule(
        deadline: DispatchTime(uptimeNanoseconds: UInt64(schedule.at)),
        repeating: schedule.interval == 0 ? .never : .nanoseconds(Int(schedule.interval)),
        leeway: .nanoseconds(0))
    case .continuous:
      // Dispatch has this clock besides those of `DispatchTime` and `DispatchWallTime`, but no Swift interface
      // to it. On Linux, the top bit of a `DispatchTime` selects it, and Dispatch then arms a timer of
      // `CLOCK_BOOTTIME` (`ContinuousSourceTests` fails if that changes). On Darwin, where `DispatchTime`
      // converts its argument, the value is created in C.
      #if canImport(Darwin)
        guard let source = source as? DispatchSource else { return }
        ccontinuous_schedule(
          source, max(0, schedule.at.subtractingSaturated(clock.systemNanoseconds)),
          schedule.interval)
      #else
        // The value 0 means "now", and so does the top bit alone.
        source.schedule(
          deadline: DispatchTime(uptimeNanoseconds: UInt64(max(1, schedule.at)) | 1 << 63),
          repeating: schedule.interval == 0 ? .never : .nanoseconds(Int(schedule.interval)),
          leeway: .nanoseconds(0))
      #endif
    case .wall:
      // Dispatch interprets the first nanoseconds of 1970 as "never".
      let time = wallTime(nanosecondsSince1970: max(1_000, schedule.at))
      source.schedule(
        wallDeadline: DispatchWallTime(timespec: time),
        leeway: .nanoseconds(0))
    }
  }
}
