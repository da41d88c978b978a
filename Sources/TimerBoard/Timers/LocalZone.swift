package import TimerKit

/// The time zone in which times are shown.
///
/// Its offset from UTC changes with daylight saving time, so it belongs to an instant. No time of day can be made without
/// one: neither a ``ClockReading`` nor anything else has an offset of the present, with which other times could be shown.
package indirect enum LocalZone: Hashable, Sendable {
  /// The time zone of the process: that of `TZ`, or of the system.
  case current
  case utc
  /// A time zone that does not depend on the process.
  case rules(TimeZoneRules)

  /// Returns local time minus UTC in seconds, at an instant.
  package func secondsFromUTC(at instant: WallInstant) -> Int {
    switch self {
    case .current: TimeZoneRules.currentSecondsFromUTC(at: instant)
    case .utc: 0
    case .rules(let rules): rules.secondsFromUTC(at: instant)
    }
  }
}
