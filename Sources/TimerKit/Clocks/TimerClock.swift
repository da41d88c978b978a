import Dispatch

/// A clock that timers follow.
///
/// ```
///                         machine asleep        clock set forward
/// .suspending   ─────────┤             ├────────────┼──────────
/// .continuous   ────────────────────────────────────┼──────────   counts through sleep
/// .wall         ────────────────────────────────────┼─►────────   follows the time of day
/// ```
///
/// The default of every type and function is ``suspending``, as it is for `DispatchSourceTimer`, or ``wall`` if a timer
/// follows a ``WallSchedule``. Use ``continuous`` for durations that include the time for which the machine
/// sleeps, and ``wall`` for deadlines at a time of day. In tests, use a ``VirtualClock``:
/// `clock: .virtual(clock)`.
///
/// `TimerClock` conforms to `Clock`, so that `Task.sleep(until:clock:)` works with it, also in virtual
/// time.
public struct TimerClock: Clock, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a clock.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The time since the machine started, excluding the time for which it slept.
    case suspending
    /// The time since the machine started, including the time for which it slept.
    case continuous
    /// The time of day.
    case wall
  }

  @usableFromInline let timeSource: TimeSource

  init(_ timeSource: TimeSource) {
    self.timeSource = timeSource
  }

  /// Creates the system clock of a kind.
  public init(_ kind: Kind) {
    #if DEBUG
      if let clock = Self.substitutes[kind] {
        self = .virtual(clock)
        return
      }
    #endif
    timeSource = .system(kind)
  }

  #if DEBUG
    /// The virtual clocks that stand for the system clocks in the current task. Tests of the documentation need them: its
    /// code names no clock, and is tested word for word.
    @TaskLocal static var substitutes: [Kind: VirtualClock] = [:]
  #endif

  /// The clock that stops while the machine sleeps, which is right for most timers.
  /// (`CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on Apple platforms.)
  public static var suspending: TimerClock { TimerClock(Kind.suspending) }

  /// The clock that continues while the machine sleeps. A timer that comes due during sleep fires when
  /// the machine wakes. (`CLOCK_BOOTTIME` on Linux, `CLOCK_MONOTONIC_RAW` on Apple platforms.)
  public static var continuous: TimerClock { TimerClock(Kind.continuous) }

  /// The clock that shows the time of day. When the time of day is set forward past a deadline, the timer
  /// is due at once; when it is set back, the deadline is postponed. (`CLOCK_REALTIME`.)
  public static var wall: TimerClock { TimerClock(Kind.wall) }

  /// Returns a clock that follows a virtual clock, whose time moves only when you advance it.
  public static func virtual(_ clock: VirtualClock) -> TimerClock {
    TimerClock(.virtual(clock.virtualTime))
  }

  /// Returns the driver for the timers of a queue: see ``TimeSource/driver(for:)``.
  func driver(for queue: DispatchQueue?) -> AlarmDriver { timeSource.driver(for: queue) }

  /// The kind of the clock; for a virtual clock, the kind that it simulates.
  public var kind: Kind { timeSource.kind }

  /// The current time of the clock.
  public var now: Instant { timeSource.instant(nanoseconds: timeSource.now) }

  /// The current date and time; for a virtual clock, its virtual date and time.
  public var wallNow: WallInstant { timeSource.wallNow }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Returns the instant of this clock at a number of nanoseconds after its origin.
  public func instant(nanoseconds: Int64) -> Instant {
    timeSource.instant(nanoseconds: nanoseconds)
  }

  /// Returns the instant of this clock at a date and time; `nil` unless the clock is of the kind
  /// ``Kind/wall``. ``Instant/wallInstant`` is its inverse.
  public func instant(at wall: WallInstant) -> Instant? {
    kind == .wall ? instant(nanoseconds: wall.nanosecondsSince1970) : nil
  }

  /// The executor for tasks that this clock is to control: that of a virtual clock, as ``VirtualClock/run(_:)`` uses
  /// it, and otherwise `nil`, which is the default executor.
  ///
  /// With it, a test that advances a virtual clock waits for the tasks of the code under test:
  /// `Task(executorPreference: clock.taskExecutor) { … }`.
  public var taskExecutor: (any TaskExecutor)? { timeSource.virtualExecutor }

  /// Suspends the task until `deadline`; returns at once if the deadline has passed.
  /// - Parameters:
  ///   - deadline: an instant of this clock.
  ///   - tolerance: the time by which the task may resume late, so that several timers share a wake-up. A
  ///     negative tolerance counts as zero.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    if case .virtual(let time) = timeSource, time.isImmediate {
      await Task.yield()
      time.driver.move(time, by: max(0, now.duration(to: deadline).clampedNanoseconds))
    } else {
      await wait(until: deadline, tolerance: tolerance ?? .zero)
    }
    try Task.checkCancellation()
  }

  /// Suspends the task until `deadline`, or until it is cancelled.
  private func wait(until deadline: Instant, tolerance: Duration) async {
    let (never, continuation) = AsyncStream.makeStream(of: Never.self)
    let timer = DeadlineTimer(
      tolerance: max(0, tolerance.clampedNanoseconds), driver: timeSource.driverForTasks
    ) { [timeSource] _, _ in
      timeSource.adjustSleepCount(by: -1)
      continuation.finish()
    }
    timer.schedule(at: deadline)
    timeSource.adjustSleepCount(by: 1)
    // The end of the stream resumes the task.
    for await _ in never {}
    if timer.unschedule() == .changed { timeSource.adjustSleepCount(by: -1) }
    timer.cancel()
  }

  /// The kind of the clock: `continuous`, or `virtual wall`.
  public var description: String {
    if case .virtual = timeSource { "virtual \(kind)" } else { "\(kind)" }
  }

  /// A point in time on one clock.
  ///
  /// Instants of different clocks are never equal. Comparing them with `<`, or computing the duration
  /// between them, is a programming error and traps. Arithmetic saturates instead of overflowing: a
  /// deadline at the latest representable instant never comes.
  public struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// The nanoseconds since the clock's origin.
    public let nanoseconds: Int64
    @usableFromInline let clock: ClockIdentity

    @inlinable
    init(nanoseconds: Int64, clock: ClockIdentity) {
      self.nanoseconds = nanoseconds
      self.clock = clock
    }

    /// The kind of the clock that the instant belongs to.
    public var clockKind: TimerClock.Kind { clock.kind }

    /// The instant as a date and time; `nil` unless the clock is of the kind ``TimerClock/Kind/wall``.
    public var wallInstant: WallInstant? {
      clock.kind == .wall ? WallInstant(nanosecondsSince1970: nanoseconds) : nil
    }

    /// Returns the instant that is `duration` later, or earlier if `duration` is negative. The result is
    /// clamped to the representable instants.
    public func advanced(by duration: Duration) -> Instant {
      Instant(
        nanoseconds: nanoseconds.addingSaturated(duration.clampedNanoseconds), clock: clock)
    }

    /// Returns the duration from this instant to another one of the same clock; negative if `other` is
    /// earlier.
    public func duration(to other: Instant) -> Duration {
      requireSameClock(self, other)
      return .nanoseconds(other.nanoseconds.subtractingSaturated(nanoseconds))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      requireSameClock(left, right)
      return left.nanoseconds < right.nanoseconds
    }

    /// The date and time in UTC on a wall clock, `2027-01-01T07:30:00.25Z`; otherwise the kind of the clock and the exact
    /// seconds since its origin, `suspending 12.5 seconds`.
    public var description: String {
      if let wallInstant { return wallInstant.description }
      let (seconds, fraction) = nanoseconds.magnitude.quotientAndRemainder(
        dividingBy: 1_000_000_000)
      let sign = nanoseconds < 0 ? "-" : ""
      return "\(clock.kind) \(sign)\(seconds)\(fraction.fractionOfSecond) seconds"
    }
  }
}

private func requireSameClock(_ left: TimerClock.Instant, _ right: TimerClock.Instant) {
  precondition(left.clock == right.clock, "instants of two clocks cannot be compared")
}

/// The clock that an instant belongs to: a system clock, or one virtual clock. Its size is four bytes.
@usableFromInline
struct ClockIdentity: Hashable, Sendable {
  @usableFromInline let bits: UInt32

  @inlinable
  static func == (left: ClockIdentity, right: ClockIdentity) -> Bool { left.bits == right.bits }

  /// Creates the identity of a clock.
  /// - Parameter serial: 0 for a system clock; a unique number for each virtual clock.
  init(_ kind: TimerClock.Kind, serial: UInt32 = 0) {
    let index: UInt32 =
      switch kind {
      case .suspending: 0
      case .continuous: 1
      case .wall: 2
      }
    bits = serial << 2 | index
  }

  /// True for the clock of the system, and not a virtual one.
  var isSystem: Bool { bits >> 2 == 0 }

  var kind: TimerClock.Kind {
    switch bits & 3 {
    case 0: .suspending
    case 1: .continuous
    default: .wall
    }
  }
}

/// Arithmetic saturates, as in ``advanced(by:)``.
extension TimerClock.Instant {
  /// Returns the instant that is a duration later.
  public static func + (instant: Self, duration: Duration) -> Self {
    instant.advanced(by: duration)
  }

  /// Returns the instant that is a duration earlier.
  public static func - (instant: Self, duration: Duration) -> Self {
    let nanoseconds = instant.nanoseconds.subtractingSaturated(duration.clampedNanoseconds)
    return Self(nanoseconds: nanoseconds, clock: instant.clock)
  }

  /// Returns the duration between two instants of the same clock; negative if `later` is the earlier one.
  public static func - (later: Self, earlier: Self) -> Duration { earlier.duration(to: later) }

  /// Moves the instant by a duration to a later time.
  public static func += (instant: inout Self, duration: Duration) { instant = instant + duration }

  /// Moves the instant by a duration to an earlier time.
  public static func -= (instant: inout Self, duration: Duration) { instant = instant - duration }
}
