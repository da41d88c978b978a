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
  /// The time zone in which times are shown.
  package var zone: LocalZone
  /// The clock of the timers that follow the time of day.
  private let wallClock: TimerClock

  package init(
    suspending: TimerClock.Instant, continuous: TimerClock.Instant, wall: WallInstant,
    zone: LocalZone, wallClock: TimerClock = .wall
  ) {
    self.suspending = suspending
    self.continuous = continuous
    self.wall = wall
    self.zone = zone
    self.wallClock = wallClock
  }

  /// Creates a reading in which all clocks agree, for times that are compared with no other reading.
  package init(wall: WallInstant, zone: LocalZone = .utc) {
    let nanoseconds = wall.nanosecondsSince1970
    self.init(
      suspending: TimerClock.suspending.instant(nanoseconds: nanoseconds),
      continuous: TimerClock.continuous.instant(nanoseconds: nanoseconds), wall: wall,
      zone: zone)
  }

  /// Returns the reading at another instant of the suspending clock, assuming that no clock is set in the meantime.
  package func moved(to suspending: TimerClock.Instant) -> ClockReading {
    let change = self.suspending.duration(to: suspending)
    return ClockReading(
      suspending: suspending, continuous: continuous.advanced(by: change),
      wall: wall.advanced(by: change), zone: zone, wallClock: wallClock)
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
