package import TimerKit

/// One reading of every clock, taken together. The dashboard never reads a clock: whoever drives it
/// hands a moment in with each message and each frame.
package struct ClockReading: Hashable, Sendable {
  package var uptime: TimerClock.Instant
  package var boot: TimerClock.Instant
  /// Since 1970 UTC.
  package var wall: WallInstant
  /// What local time is ahead of UTC at that moment, in seconds.
  package var secondsFromUTC: Int
  /// The clock of the timers that follow the time of day.
  private let wallClock: TimerClock

  package init(
    uptime: TimerClock.Instant, boot: TimerClock.Instant, wall: WallInstant, secondsFromUTC: Int,
    wallClock: TimerClock = .wall
  ) {
    self.uptime = uptime
    self.boot = boot
    self.wall = wall
    self.secondsFromUTC = secondsFromUTC
    self.wallClock = wallClock
  }

  /// What the clocks show when uptime is another, as long as nobody sets one.
  package func moved(to uptime: TimerClock.Instant) -> ClockReading {
    let change = self.uptime.duration(to: uptime)
    return ClockReading(
      uptime: uptime, boot: boot.advanced(by: change), wall: wall.advanced(by: change),
      secondsFromUTC: secondsFromUTC, wallClock: wallClock)
  }

  /// What a clock showed.
  package subscript(clock: TimerClock.Kind) -> TimerClock.Instant {
    switch clock {
    case .suspending: uptime
    case .continuous: boot
    case .wall: wallClock.instant(nanoseconds: wall.nanosecondsSince1970)
    }
  }
}
