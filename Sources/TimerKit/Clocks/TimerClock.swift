/// A clock that timers follow.
///
/// ```
///                         machine asleep        clock set forward
/// .suspending   ─────────┤             ├────────────┼──────────
/// .continuous   ────────────────────────────────────┼──────────   counts through sleep
/// .wall         ────────────────────────────────────┼─►────────   follows the time of day
/// ```
///
/// The default of every timer is ``suspending``, as it is for `DispatchSourceTimer`. Take
/// ``continuous`` for what must not take a night longer because the lid was shut, and ``wall`` for
/// what is due at a time of day. In tests, take a ``VirtualClock``: `clock: .virtual(clock)`.
///
/// It is a `Clock`, so that `Task.sleep(until:clock:)` works on it, virtual time included.
public struct TimerClock: Clock, Sendable, Hashable {
  /// The clocks that there are.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The time since start, without the time the machine slept.
    case suspending
    /// The time since start, with the time the machine slept.
    case continuous
    /// The time of day.
    case wall
  }

  @usableFromInline let source: TimeSource

  init(_ source: TimeSource) {
    self.source = source
  }

  /// The system's clock of a kind.
  public init(_ kind: Kind) {
    source = .system(kind)
  }

  /// The time since start, which stands still while the machine sleeps: right for most timers.
  /// (`CLOCK_MONOTONIC` on Linux, `CLOCK_UPTIME_RAW` on Apple platforms.)
  public static var suspending: TimerClock { TimerClock(Kind.suspending) }

  /// The time since start, which counts through sleep. What comes due while the machine sleeps fires
  /// on waking. (`CLOCK_BOOTTIME` on Linux, `CLOCK_MONOTONIC_RAW` on Apple platforms.)
  public static var continuous: TimerClock { TimerClock(Kind.continuous) }

  /// The time of day. It follows the clock when that is set: a step past a deadline makes it due, and
  /// a step back postpones it. (`CLOCK_REALTIME`.)
  public static var wall: TimerClock { TimerClock(Kind.wall) }

  /// A clock whose time moves only when it is advanced.
  public static func virtual(_ clock: VirtualClock) -> TimerClock {
    TimerClock(.virtual(clock.time))
  }

  /// The kind of the clock; for a virtual one, the kind it stands for.
  public var kind: Kind { source.kind }

  /// The current time of the clock.
  public var now: Instant { source.instant(nanoseconds: source.now) }

  /// The current time of day; of a virtual clock, the virtual one.
  public var wallNow: WallInstant { source.wallNow }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// An instant of this clock, so many nanoseconds after its origin.
  public func instant(nanoseconds: Int64) -> Instant { source.instant(nanoseconds: nanoseconds) }

  /// Waits until `deadline`.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    if case .virtual(let time) = source, time.isImmediate {
      await Task.yield()
      time.driver.move(by: max(0, now.duration(to: deadline).clampedNanoseconds), time)
    } else {
      await wait(until: deadline, tolerance: tolerance ?? .zero)
    }
    try Task.checkCancellation()
  }

  /// Waits until `deadline`, or the task is cancelled.
  private func wait(until deadline: Instant, tolerance: Duration) async {
    let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = DeadlineTimer(
      tolerance: max(0, tolerance.clampedNanoseconds), driver: source.sleepDriver
    ) { [source] _, _ in
      source.countSleep(-1)
      continuation.finish()
    }
    timer.schedule(at: deadline)
    source.countSleep(1)
    for await _ in wakes {}
    if timer.unschedule() == .changed { source.countSleep(-1) }
    timer.cancel()
  }
}
