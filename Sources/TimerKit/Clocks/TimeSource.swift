import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a timer reads the time: a system clock, or the hand of a ``VirtualClock``. It takes one
/// word.
@usableFromInline
enum TimeSource: Sendable {
  case uptime, boot, wall
  case virtual(VirtualTime)

  static func system(_ kind: TimerClock.Kind) -> TimeSource {
    switch kind {
    case .uptime: .uptime
    case .boot: .boot
    case .wall: .wall
    }
  }

  /// Nanoseconds on this clock.
  @usableFromInline var now: Int64 {
    if case .virtual(let clock) = self { return clock.nanoseconds.load(ordering: .acquiring) }
    return kind.now
  }

  var instant: TimerClock.Instant { TimerClock.Instant(nanoseconds: now) }

  var kind: TimerClock.Kind {
    switch self {
    case .uptime: .uptime
    case .boot: .boot
    case .wall: .wall
    case .virtual(let clock): clock.kind
    }
  }

  /// Nanoseconds since 1970 UTC, by the same hand.
  var wallNow: Int64 {
    if case .virtual(let clock) = self { return clock.wallNow }
    return TimerClock.Kind.wall.now
  }

  var wallInstant: TimerClock.Instant { TimerClock.Instant(nanoseconds: wallNow) }
}

/// The time on a virtual timeline. Only its driver moves it.
@usableFromInline
final class VirtualTime: Sendable {
  let kind: TimerClock.Kind
  let nanoseconds: Atomic<Int64>
  /// What the time of day was, since 1970 UTC, at nanosecond 0 of this clock. Always 0 for the clock
  /// that is the time of day.
  let wallOffset: Atomic<Int64>

  init(kind: TimerClock.Kind, nanoseconds: Int64, wallOffset: Int64) {
    self.kind = kind
    self.nanoseconds = Atomic(nanoseconds)
    self.wallOffset = Atomic(wallOffset)
  }

  var wallNow: Int64 {
    wallOffset.load(ordering: .acquiring)
      .addingSaturated(nanoseconds.load(ordering: .acquiring))
  }

  func stepWall(by change: Int64) { wallOffset.wrappingAdd(change, ordering: .releasing) }
}

extension TimerClock.Kind {
  /// Nanoseconds on the system's clock of this kind.
  var now: Int64 {
    var time = timespec()
    clock_gettime(identifier, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private var identifier: clockid_t {
    #if canImport(Darwin)
      switch self {
      case .uptime: CLOCK_UPTIME_RAW
      case .boot: CLOCK_MONOTONIC_RAW
      case .wall: CLOCK_REALTIME
      }
    #else
      switch self {
      case .uptime: CLOCK_MONOTONIC
      case .boot: CLOCK_BOOTTIME
      case .wall: CLOCK_REALTIME
      }
    #endif
  }
}
