#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clocks of all measurements, in nanoseconds.
enum Clocks {
  /// The clock of `DispatchTime` and of all deadlines in this package.
  static var uptime: Int64 {
    #if canImport(Darwin)
      read(CLOCK_UPTIME_RAW)
    #else
      read(CLOCK_MONOTONIC)
    #endif
  }

  /// The CPU time of all threads of this process.
  static var processCPU: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The CPU time of the calling thread.
  static var threadCPU: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The current cost of one reading of ``uptime``, the reference of every sample.
  static func costOfReading() -> Double {
    let count = 200_000
    var sum: Int64 = 0
    let began = threadCPU
    for _ in 0..<count { sum &+= uptime }
    let ended = threadCPU
    // The sum is used, so that the loop is not optimized away.
    return sum == 0 ? 0 : Double(ended - began) / Double(count)
  }
}

func sleep(nanoseconds: Int64) {
  guard nanoseconds > 0 else { return }
  var rest = timespec(
    tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  var left = timespec()
  while nanosleep(&rest, &left) != 0 { rest = left }
}
