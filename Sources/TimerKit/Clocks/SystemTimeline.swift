public import Dispatch

/// A clock of the system. See ``TimerClock.Kind``.
public struct TimerClock: Timeline {
  public let kind: TimerClock.Kind

  /// Time since start that stands still while the machine sleeps: right for most timers.
  /// (`CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on macOS.)
  public static let uptime = TimerClock(.uptime)

  /// Time since start that counts through sleep: right for what must not last a night longer because
  /// the lid was shut. What comes due meanwhile is delivered on waking.
  /// (`CLOCK_BOOTTIME` on Linux, `CLOCK_MONOTONIC_RAW` on macOS.)
  public static let boot = TimerClock(.boot)

  /// The time of day, in nanoseconds since 1970 UTC: right for what is due at a time on the clock.
  /// It follows the clock when that is set: a step past a deadline makes it due, and a step back
  /// postpones it. (`CLOCK_REALTIME`.)
  public static let wall = TimerClock(.wall)

  /// The system's clock of a kind.
  public init(kind: TimerClock.Kind) {
    self.kind = kind
  }

  /// What the clock shows.
  public var now: TimerClock.Instant { TimerClock.Instant(nanoseconds: kind.now) }

  public var wallNow: TimerClock.Instant { TimerClock.Instant(nanoseconds: TimerClock.Kind.wall.now) }

  public func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver {
    .system(kind, queue: queue)
  }
}
