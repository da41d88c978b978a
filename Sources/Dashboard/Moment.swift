public import TimerKit

/// One reading of every clock, taken together. The dashboard never reads a clock: whoever drives it
/// hands a moment in with each message and each frame.
public struct Moment: Hashable, Sendable {
  public var uptime: TimelineInstant
  public var boot: TimelineInstant
  /// Since 1970 UTC.
  public var wall: TimelineInstant
  /// What local time is ahead of UTC at that moment, in seconds.
  public var secondsFromUTC: Int

  public init(
    uptime: TimelineInstant, boot: TimelineInstant, wall: TimelineInstant, secondsFromUTC: Int
  ) {
    self.uptime = uptime
    self.boot = boot
    self.wall = wall
    self.secondsFromUTC = secondsFromUTC
  }

  /// What a clock showed.
  public subscript(clock: ClockKind) -> TimelineInstant {
    switch clock {
    case .uptime: uptime
    case .boot: boot
    case .wall: wall
    }
  }
}
