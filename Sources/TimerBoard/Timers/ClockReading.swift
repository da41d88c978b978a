package import TimerKit

/// A simultaneous reading of all clocks. A board never reads a clock: it receives a reading with each command, and each
/// time that it advances.
package struct ClockReading: Hashable, Sendable {
  /// The suspending clock, which stops while the machine sleeps.
  package var suspending: TimerClock.Instant
  /// The continuous clock, which counts through sleep.
  package var continuous: TimerClock.Instant
  /// The time of day.
  package var wall: WallInstant
  /// The time zone in which times are shown.
  package var zone: LocalZone

  package init(
    suspending: TimerClock.Instant, continuous: TimerClock.Instant, wall: WallInstant,
    zone: LocalZone
  ) {
    self.suspending = suspending
    self.continuous = continuous
    self.wall = wall
    self.zone = zone
  }

  /// Creates a reading in which all clocks agree, for times that are compared with no other reading.
  package init(wall: WallInstant, zone: LocalZone = .utc) {
    let nanoseconds = wall.nanosecondsSince1970
    self.init(
      suspending: TimerClock.suspending.instant(nanoseconds: nanoseconds),
      continuous: TimerClock.continuous.instant(nanoseconds: nanoseconds), wall: wall,
      zone: zone)
  }

  /// The latest reading, which is never reached.
  package static let distantFuture = ClockReading(wall: WallInstant(nanosecondsSince1970: .max))

  /// Returns the reading a time later, or earlier if it is negative, assuming that no clock is set in the meantime.
  package func moved(by time: Duration) -> ClockReading {
    ClockReading(
      suspending: suspending.advanced(by: time), continuous: continuous.advanced(by: time),
      wall: wall.advanced(by: time), zone: zone)
  }

  /// Returns the reading at another instant of the suspending clock, assuming that no clock is set in the meantime.
  package func moved(to suspending: TimerClock.Instant) -> ClockReading {
    moved(by: self.suspending.duration(to: suspending))
  }

  /// The reading of a clock.
  package subscript(clock: TimerClock.Kind) -> TimerClock.Instant {
    switch clock {
    case .suspending: suspending
    case .continuous: continuous
    case .wall: TimerClock.wall.instant(nanoseconds: wall.nanosecondsSince1970)
    }
  }

  /// Returns the time from the reading to an instant of any clock.
  package func duration(to instant: TimerClock.Instant) -> Duration {
    self[instant.clockKind].duration(to: instant)
  }

  /// Returns an instant of any clock on the suspending clock, assuming that no clock is set in the meantime.
  package func onSuspendingClock(_ instant: TimerClock.Instant) -> TimerClock.Instant {
    instant.clockKind == .suspending ? instant : suspending.advanced(by: duration(to: instant))
  }

  /// Returns an instant of any clock as a date and time, assuming that no clock is set in the meantime.
  package func wallInstant(of instant: TimerClock.Instant) -> WallInstant {
    instant.wallInstant ?? wall.advanced(by: duration(to: instant))
  }
}
