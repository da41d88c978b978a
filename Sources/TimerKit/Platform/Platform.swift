// The only file that imports the C library. It contains all differences between the C libraries: Darwin's, Glibc and
// Musl.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets other threads run.
func yieldThread() { sched_yield() }

extension TimerClock.Kind {
  /// The current time of the system clock of this kind, in nanoseconds, clamped to the range of `Int64`.
  var systemNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(identifier, &time)
    return clampedNanoseconds(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
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

/// Returns a date and time as a `timespec`.
func wallTime(nanosecondsSince1970 nanoseconds: Int64) -> timespec {
  let (seconds, rest) = nanoseconds.flooredDivision(by: 1_000_000_000)
  return timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
}

/// Returns a time in nanoseconds, clamped to the range of `Int64`: the years 1677 to 2262.
func clampedNanoseconds(seconds: Int, nanoseconds: Int) -> Int64 {
  let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
  if overflow { return seconds < 0 ? .min : .max }
  return product.addingSaturated(Int64(nanoseconds))
}

/// Returns a number that identifies the calling thread among the running threads; never 0.
func currentThread() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

/// A thread-local number, initially 0.
struct ThreadLocalCounter: Sendable {
  private let key: pthread_key_t?

  /// Creates a thread-local number. If the system has no key left, it stays 0 on every thread.
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

/// Returns the offset of local time from UTC at an instant, in seconds.
func localOffset(atSecondsSince1970 instant: Int64) -> Int64 {
  var time = time_t(instant)
  var fields = tm()
  return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
}

/// Reloads the process's time zone: `TZ`, or the time zone of the system, may have changed.
func reloadTimeZone() { tzset() }

/// Returns the value of an environment variable; `nil` if it is not set.
func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Returns the first `limit` bytes of a file; `nil` if it cannot be read or is empty.
func contents(ofFile path: String, limit: Int) -> [UInt8]? {
  // Without waiting, because a pipe can stand in its place.
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: limit)
  let size = read(file, &bytes, limit)
  return size > 0 ? Array(bytes.prefix(size)) : nil
}
