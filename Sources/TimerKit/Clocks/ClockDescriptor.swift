#if canImport(Darwin)
  import Darwin
#else
  import CTimerFD
  import Glibc
#endif

/// A file descriptor that becomes readable when a clock of the system reaches a time: also a clock
/// that goes on in sleep, and one that people set.
///
/// On Linux it is a timerfd, which rings by the clock as it is set at the moment: a step past its
/// time makes it ring, and one back postpones it. (A step makes it readable in any case, so that
/// what is due is looked up anew.) On macOS it is a kqueue with one timer of the continuous clock.
struct ClockDescriptor: Sendable {
  let number: Int32
  private let clock: TimerClock.Kind

  /// `nil` if the process has no descriptor left.
  init?(_ clock: TimerClock.Kind) {
    self.clock = clock
    #if canImport(Darwin)
      number = kqueue()
      guard number >= 0 else { return nil }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    #else
      number = ctimerfd_open(clock == .wall)
      guard number >= 0 else { return nil }
    #endif
  }

  func close() {
    #if canImport(Darwin)
      _ = Darwin.close(number)
    #else
      _ = Glibc.close(number)
    #endif
  }

  /// Makes it unreadable again. Where it rang in vain, for a step of the clock, reading fails
  /// (ECANCELED), which has the same effect.
  func drain() {
    #if canImport(Darwin)
      var event = Darwin.kevent()
      var atOnce = timespec()
      _ = kevent(number, nil, 0, &event, 1, &atOnce)
    #else
      var count: UInt64 = 0
      _ = read(number, &count, MemoryLayout.size(ofValue: count))
    #endif
  }

  /// - Parameter time: nanoseconds on the clock, not negative; the farthest is never.
  func ring(at time: Int64) {
    #if canImport(Darwin)
      // Counted from now on, and through sleep: an absolute time would be one of another clock.
      var change = Darwin.kevent(
        ident: 1, filter: Int16(EVFILT_TIMER),
        flags: UInt16(time == .max ? EV_DELETE : EV_ADD | EV_ONESHOT),
        fflags: UInt32(NOTE_NSECONDS) | UInt32(NOTE_MACH_CONTINUOUS_TIME),
        data: Int(max(0, time.subtractingSaturated(clock.now))), udata: nil)
      _ = kevent(number, &change, 1, nil, 0, nil)
    #else
      // A time of zero would disarm it; the first nanosecond is past just as well.
      ctimerfd_ring(number, clock == .wall, time == .max ? 0 : max(1, time))
    #endif
  }
}
