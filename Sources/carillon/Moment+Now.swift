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
    #if os(Linux)
      let uptimeClock = CLOCK_MONOTONIC
      let bootClock = CLOCK_BOOTTIME
    #else
      let uptimeClock = CLOCK_UPTIME_RAW
      let bootClock = CLOCK_MONOTONIC_RAW
    #endif
    // One right after the other: what goes by between them is an error of each against the rest.
    let uptime = read(uptimeClock)
    let wall = read(CLOCK_REALTIME)
    let boot = read(bootClock)
    var seconds = time_t(wall.nanoseconds / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return Moment(uptime: uptime, boot: boot, wall: wall, secondsFromUTC: local.tm_gmtoff)
  }

  private static func read(_ clock: clockid_t) -> TimerClock.Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return TimerClock.Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
