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
    return ClockTime(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)).clampedNanoseconds
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
  let time = ClockTime(nanoseconds)
  return timespec(tv_sec: time.seconds, tv_nsec: time.nanoseconds)
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

/// A number of its own for each thread, 0 at first.
struct ThreadCounter: Sendable {
  private let key: pthread_key_t?

  /// Without a key, which systems have in great number, the value stays 0.
  init() {
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  var value: Int {
    get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
    nonmutating set {
      if let key { _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  }
}

/// The offset of local time from UTC at a moment, both in seconds.
func localOffset(atSecondsSince1970 moment: Int64) -> Int64 {
  var time = time_t(moment)
  var fields = tm()
  return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
}

/// Reads the process's time zone anew: `TZ`, or the system's, may have been changed.
func reloadTimeZone() { tzset() }
