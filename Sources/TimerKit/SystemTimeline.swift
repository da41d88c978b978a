public import Dispatch

/// A clock of the system. See ``ClockKind``.
public struct SystemTimeline: Timeline {
  public let kind: ClockKind

  /// Time since start that stands still while the machine sleeps: right for most timers.
  /// (`CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on macOS.)
  public static let uptime = SystemTimeline(kind: .uptime)

  private init(kind: ClockKind) {
    self.kind = kind
  }

  public var now: TimelineInstant { TimelineInstant(nanoseconds: kind.now) }

  public var wallNow: TimelineInstant { TimelineInstant(nanoseconds: ClockKind.wall.now) }

  public func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver {
    .system(kind, queue: queue)
  }
}
