// The one place where the C library is imported: what differs between Darwin, Glibc and Musl is here.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TimerClock.Kind {
  /// The nanoseconds that the system's clock of this kind shows; clamped to what an `Int64` holds.
  var systemNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(identifier, &time)
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return time.tv_sec < 0 ? .min : .max }
    return seconds.addingSaturated(Int64(time.tv_nsec))
  }

  private var identifier: clockid_t {
    #if canImport(Darwin)
      switch self {
      case .suspending: CLOCK_UPTIME_RAW
      case .continuous: CLOCK_MONOTONIC_RAW
      case .wall: CLOCK_REALTIME
      }
    #else
      switch self {
      case .suspending: CLOCK_MONOTONIC
      case .continuous: CLOCK_BOOTTIME
      case .wall: CLOCK_REALTIME
      }
    #endif
  }
}

/// The time of day as C has it.
func wallTime(nanosecondsSince1970 nanoseconds: Int64) -> timespec {
  timespec(
    tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
}

/// Identifies the calling thread among those that run; never 0.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #elseif canImport(Musl)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// The offset of local time from UTC at a moment, both in seconds.
func localOffset(atSecondsSince1970 moment: Int64) -> Int64 {
  var time = time_t(moment)
  var fields = tm()
  return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
}

/// Reads the process's time zone anew: `TZ`, or the system's, may have been changed.
func reloadTimeZone() { tzset() }
