package import TimerKit

/// A simultaneous reading of all clocks. A board never reads a clock: it receives a reading with each command
/// and event.
package struct ClockReading: Hashable, Sendable {
  /// The suspending clock, which stops while the machine sleeps.
  package var uptime: TimerClock.Instant
  /// The continuous clock, which counts through sleep.
  package var boot: TimerClock.Instant
  /// The time of day.
  package var wall: WallInstant
  /// The seconds by which local time is ahead of UTC.
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

  /// Returns the reading at another uptime, assuming that no clock is set in the meantime.
  package func moved(to uptime: TimerClock.Instant) -> ClockReading {
    let change = self.uptime.duration(to: uptime)
    return ClockReading(
      uptime: uptime, boot: boot.advanced(by: change), wall: wall.advanced(by: change),
      secondsFromUTC: secondsFromUTC, wallClock: wallClock)
  }

  /// The reading of a clock.
  package subscript(clock: TimerClock.Kind) -> TimerClock.Instant {
    switch clock {
    case .suspending: uptime
    case .continuous: boot
    case .wall: wallClock.instant(nanoseconds: wall.nanosecondsSince1970)
    }
  }
}
