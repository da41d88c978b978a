package import TimerKit

/// A simultaneous reading of all clocks. A board never reads a clock: it receives a reading with each command
/// and event.
package struct ClockReading: Hashable, Sendable {
  /// The suspending clock, which stops while the machine sleeps.
  package var suspending: TimerClock.Instant
  /// The continuous clock, which counts through sleep.
  package var continuous: TimerClock.Instant
  /// The time of day.
  package var wall: WallInstant
  /// The seconds by which local time is ahead of UTC.
  package var secondsFromUTC: Int
  /// The clock of the timers that follow the time of day.
  private let wallClock: TimerClock

  package init(
    suspending: TimerClock.Instant, continuous: TimerClock.Instant, wall: WallInstant,
    secondsFromUTC: Int,
    wallClock: TimerClock = .wall
  ) {
    self.suspending = suspending
    self.continuous = continuous
    self.wall = wall
    self.secondsFromUTC = secondsFromUTC
    self.wallClock = wallClock
  }

  /// Creates a reading in which all clocks agree, for times that are compared with no other reading.
  package init(wall: WallInstant) {
    let nanoseconds = wall.nanosecondsSince1970
    self.init(
      suspending: TimerClock.suspending.instant(nanoseconds: nanoseconds),
      continuous: TimerClock.continuous.instant(nanoseconds: nanoseconds), wall: wall,
      secondsFromUTC: 0)
  }

  /// Returns the reading at another instant of the suspending clock, assuming that no clock is set in the meantime.
  package func moved(to suspending: TimerClock.Instant) -> ClockReading {
    let change = self.suspending.duration(to: suspending)
    return ClockReading(
      suspending: suspending, continuous: continuous.advanced(by: change),
      wall: wall.advanced(by: change),
      secondsFromUTC: secondsFromUTC, wallClock: wallClock)
  }

  /// The reading of a clock.
  package subscript(clock: TimerClock.Kind) -> TimerClock.Instant {
    switch clock {
    case .suspending: suspending
    case .continuous: continuous
    case .wall: wallClock.instant(nanoseconds: wall.nanosecondsSince1970)
    }
  }
}
