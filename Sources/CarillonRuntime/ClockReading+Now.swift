import Platform
import TimerBoard
import TimerKit

extension ClockReading {
  /// Reads every clock.
  static func now() -> ClockReading {
    // The readings follow each other directly, because any time between them is a measurement error.
    let suspending = TimerClock.suspending.now
    let wall = WallInstant.now
    let continuous = TimerClock.continuous.now
    var seconds = time_t(wall.nanosecondsSince1970 / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return ClockReading(
      suspending: suspending, continuous: continuous, wall: wall, secondsFromUTC: local.tm_gmtoff)
  }
}
