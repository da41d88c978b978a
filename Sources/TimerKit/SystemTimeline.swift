public import Dispatch

/// A clock of the system. See ``ClockKind``.
public struct SystemTimeline: Timeline {
  public let kind: ClockKind

  /// Time since start that stands still while the machine sleeps: right for most timers.
  /// (`CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on macOS.)
  public static let uptime = SystemTimeline(kind: .uptime)

  /// Time since start that counts through sleep: right for what must not last a night longer because
  /// the lid was shut. What comes due meanwhile is delivered on waking.
  /// (`CLOCK_BOOTTIME` on Linux, `CLOCK_MONOTONIC_RAW` on macOS.)
  public static let boot = SystemTimeline(kind: .boot)

  /// The time of day, in nanoseconds since 1970 UTC: right for what is due at a time on the clock.
  /// It follows the clock when that is set: a step past a deadline makes it due, and a step back
  /// postpones it. But a call of a debouncer or a throttler that comes after a step back waits no longer
  /// than its delay or interval, and a value that was waiting before with it. (`CLOCK_REALTIME`.)
  public static let wall = SystemTimeline(kind: .wall)

  /// The system's clock of a kind.
  public init(kind: ClockKind) {
    self.kind = kind
  }

  /// What the clock shows.
  public var now: TimelineInstant { TimelineInstant(nanoseconds: kind.now) }

  public var wallNow: TimelineInstant { TimelineInstant(nanoseconds: ClockKind.wall.now) }

  public func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver {
    .system(kind, queue: queue)
  }
}
