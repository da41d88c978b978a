import Dashboard
import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Moment {
  /// Every clock, read now.
  static func now() -> Moment {
    let wall = read(CLOCK_REALTIME)
    var seconds = time_t(wall.nanoseconds / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    #if os(Linux)
      let uptime = CLOCK_MONOTONIC
      let boot = CLOCK_BOOTTIME
    #else
      let uptime = CLOCK_UPTIME_RAW
      let boot = CLOCK_MONOTONIC_RAW
    #endif
    return Moment(
      uptime: read(uptime), boot: read(boot), wall: wall, secondsFromUTC: local.tm_gmtoff)
  }

  private static func read(_ clock: clockid_t) -> TimelineInstant {
    var time = timespec()
    clock_gettime(clock, &time)
    return TimelineInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
