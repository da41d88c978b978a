import Platform
import TimerBoard
import TimerKit

extension ClockReading {
  /// Every clock, read now.
  static func now() -> ClockReading {
    // One right after the other: what goes by between them is an error of each against the rest.
    let uptime = TimerClock.suspending.now
    let wall = WallInstant.now
    let boot = TimerClock.continuous.now
    var seconds = time_t(wall.nanosecondsSince1970 / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return ClockReading(uptime: uptime, boot: boot, wall: wall, secondsFromUTC: local.tm_gmtoff)
  }
}
