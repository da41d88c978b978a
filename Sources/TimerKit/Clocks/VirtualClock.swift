/// A clock whose time moves only when you advance it: tests are exact and take no time.
///
/// ```swift
/// let clock = VirtualClock()
/// let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, tick in … }
/// clock.advance(by: .seconds(3))  // three ticks, now
/// ```
///
/// Handlers run on the thread that advances the time, in the order of their deadlines, and of their
/// timers' creation where deadlines are equal. The queue of a timer plays no part. A `fire()`, and the
/// events of a control, are delivered before the control returns; from inside a handler, or while
/// another thread advances, they are delivered by the thread that is already delivering.
///
/// Tasks that sleep on the clock are tested alike: see ``run(_:)``.
public final class VirtualClock: Clock, Sendable {
  let time: VirtualTime
  let driver: AlarmDriver

  /// Creates a clock that stands still.
  /// - Parameters:
  ///   - kind: the clock it stands for.
  ///   - start: the time since its origin. (A clock of the kind ``TimerClock/Kind/wall`` starts at
  ///     `wall` instead.)
  ///   - wall: the time of day it starts at.
  public convenience init(
    _ kind: TimerClock.Kind = .suspending, startingAt start: Duration = .zero,
    wall: WallInstant = WallInstant(nanosecondsSince1970: 0)
  ) {
    self.init(kind, startingAt: start, wall: wall, isImmediate: false)
  }

  init(
    _ kind: TimerClock.Kind, startingAt start: Duration, wall: WallInstant, isImmediate: Bool
  ) {
    let isWall = kind == .wall
    let begin = isWall ? wall.nanosecondsSince1970 : start.clampedNanoseconds
    time = VirtualTime(
      kind: kind, nanoseconds: begin,
      wallOffset: isWall ? 0 : wall.nanosecondsSince1970.subtractingSaturated(begin),
      isImmediate: isImmediate)
    driver = time.driver
  }

  /// The kind of clock it stands for.
  public var kind: TimerClock.Kind { time.identity.kind }

  /// The current time of the clock.
  public var now: TimerClock.Instant { TimerClock.virtual(self).now }

  /// The current time of day.
  public var wallNow: WallInstant { TimerClock.virtual(self).wallNow }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the time has been advanced to `deadline`.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: TimerClock.Instant, tolerance: Duration? = nil) async throws {
    try await TimerClock.virtual(self).sleep(until: deadline, tolerance: tolerance)
  }

  /// Moves the time forward and runs everything that comes due on the way, also what is armed by
  /// what runs.
  ///
  /// Called from inside a handler, or while another thread advances, it only moves the time; the
  /// thread that is already advancing runs what has come due.
  ///
  /// It waits for no task. In asynchronous code, `await clock.advance(by:)` does.
  /// - Parameter duration: how far; nothing happens to the time if it is negative.
  public func advance(by duration: Duration) {
    driver.move(by: max(0, duration.clampedNanoseconds), time)
  }

  /// Simulates a machine that sleeps, as when the lid of a laptop is shut: nothing fires, and the
  /// suspending clock stands still. The continuous clock and the time of day are later on waking, and
  /// what has come due on them fires then, in the order of its deadlines.
  ///
  /// Called from inside a handler, or while another thread advances, it only moves the time, as
  /// `advance(by:)` does; what was still to be advanced then comes on top of it.
  /// - Parameter duration: how long; nothing happens if it is negative.
  public func suspend(for duration: Duration) {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    switch kind {
    case .suspending: time.stepWall(by: nanoseconds)
    case .continuous, .wall: driver.move(by: nanoseconds, atOnce: true, time)
    }
  }

  /// Sets the time of day, forward or back: nothing else has gone by. Only a clock of the kind
  /// ``TimerClock/Kind/wall`` fires by it: a step forward past a deadline makes it due, now; a step back
  /// postpones it. On the others only ``wallNow`` changes.
  ///
  /// Called from inside a handler, or while another thread advances, it only sets the clock; the
  /// thread that is already advancing continues from there, for the time it had left.
  /// - Parameter change: by how much; it may be negative.
  public func stepWall(by change: Duration) {
    let nanoseconds = change.clampedNanoseconds
    switch kind {
    case .suspending, .continuous: time.stepWall(by: nanoseconds)
    case .wall: driver.move(by: nanoseconds, atOnce: true, time)
    }
  }
}
