import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a timer reads the time: a system clock, or the hand of a ``VirtualTimeline``. It takes one
/// word.
@usableFromInline
enum TimeSource: Sendable {
  case uptime, boot, wall
  case virtual(VirtualClock)

  static func system(_ kind: ClockKind) -> TimeSource {
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

  var instant: TimelineInstant { TimelineInstant(nanoseconds: now) }

  var kind: ClockKind {
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
    return ClockKind.wall.now
  }

  var wallInstant: TimelineInstant { TimelineInstant(nanoseconds: wallNow) }
}

/// The time on a virtual timeline. Only its driver moves it.
@usableFromInline
final class VirtualClock: Sendable {
  let kind: ClockKind
  let nanoseconds: Atomic<Int64>
  /// What the time of day was, since 1970 UTC, at nanosecond 0 of this clock. Always 0 for the clock
  /// that is the time of day.
  let wallOffset: Atomic<Int64>

  init(kind: ClockKind, nanoseconds: Int64, wallOffset: Int64) {
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

extension ClockKind {
  /// Nanoseconds on the system's clock of this kind.
  var now: Int64 {
    var time = timespec()
    clock_gettime(identifier, &time)
    return time.clampedNanoseconds
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

extension timespec {
  /// The nanoseconds, clamped to what an `Int64` holds: the times of day from 1677 to 2262.
  var clampedNanoseconds: Int64 {
    let (seconds, overflow) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return tv_sec < 0 ? .min : .max }
    return seconds.addingSaturated(Int64(tv_nsec))
  }
}
