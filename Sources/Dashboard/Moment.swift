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

  /// What the clocks show when uptime is another, as long as nobody sets one.
  func moved(to uptime: TimelineInstant) -> Moment {
    let change = self.uptime.duration(to: uptime)
    return Moment(
      uptime: uptime, boot: boot.advanced(by: change), wall: wall.advanced(by: change),
      secondsFromUTC: secondsFromUTC)
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
