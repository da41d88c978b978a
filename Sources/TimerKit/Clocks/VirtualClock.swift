/// A clock whose time moves only when you advance it, so that tests are exact and take no time.
///
/// ```swift
/// let clock = VirtualClock()
/// let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, tick in … }
/// clock.advance(by: .seconds(3))  // three ticks, now
/// ```
///
/// Handlers run on the thread that advances the clock, in the order of their deadlines; timers with the
/// same deadline fire in the order in which they were created. The queue of a timer has no effect. A
/// `fire()`, and the events of a control, are delivered before the control returns. If the control is
/// called inside a handler, or while another thread advances the clock, the thread that is already
/// delivering delivers them.
///
/// To test tasks that sleep on the clock, see ``run(_:)``.
public final class VirtualClock: Clock, Sendable {
  let virtualTime: VirtualTime
  let driver: AlarmDriver

  /// Creates a clock whose time does not move until you advance it.
  /// - Parameters:
  ///   - kind: the kind of clock to simulate.
  ///   - start: the initial time since the clock's origin. (A clock of the kind ``TimerClock/Kind/wall``
  ///     starts at `wall` instead.)
  ///   - wall: the initial date and time.
  ///   - seed: the number that determines the random delays of timers with jitter, which are the same in each run of a
  ///     test that creates its timers in the same order.
  public convenience init(
    _ kind: TimerClock.Kind = .suspending, startingAt start: Duration = .zero,
    wall: WallInstant = WallInstant(nanosecondsSince1970: 0), seed: UInt64 = 0
  ) {
    self.init(VirtualTime(kind, startingAt: start, wall: wall, isImmediate: false, seed: seed))
  }

  init(_ virtualTime: VirtualTime) {
    self.virtualTime = virtualTime
    driver = virtualTime.driver
  }

  /// The kind of clock that it simulates.
  public var kind: TimerClock.Kind { virtualTime.identity.kind }

  /// The current time of the clock.
  public var now: TimerClock.Instant { TimerClock.virtual(self).now }

  /// The current date and time.
  public var wallNow: WallInstant { TimerClock.virtual(self).wallNow }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the clock has been advanced to `deadline`.
  /// - Parameters:
  ///   - deadline: an instant of this clock.
  ///   - tolerance: without effect on a virtual clock, which has no wake-ups to share.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: TimerClock.Instant, tolerance: Duration? = nil) async throws {
    try await TimerClock.virtual(self).sleep(until: deadline, tolerance: tolerance)
  }

  /// Moves the time forward and calls the handlers of all timers that come due on the way, including timers that
  /// are started on the way.
  ///
  /// If it is called inside a handler, or while another thread advances the clock, it only moves the
  /// time; the thread that is already advancing calls the handlers.
  ///
  /// It does not wait for tasks. In asynchronous code, `await clock.advance(by:)` does.
  /// - Parameter duration: the time by which to advance; a negative duration does not move the time.
  public func advance(by duration: Duration) {
    driver.move(virtualTime, by: max(0, duration.clampedNanoseconds))
  }

  /// Moves the time forward as `advance(by:)` does, and holds the next handler of a timer at its entry while `body`
  /// runs: the handler has started, so that no control can stop it, and none of its code has run.
  ///
  /// This is the moment in which a handler waits for a lock of yours, or for its turn on a processor.
  /// <doc:TestingWithVirtualTime> has an example.
  ///
  /// `body` runs on the thread that advances the clock. It can call every control; the blocking `cancelAndWait()`
  /// traps, and ``BackgroundTimer/performExclusively(_:)`` runs at once, because the thread is inside the timer.
  /// Observers, too, are callbacks: the first one is held if the timer has no handler. Do not call it inside a handler,
  /// or while another thread advances the clock.
  /// - Parameters:
  ///   - duration: the time by which to advance.
  ///   - timer: a timer of any kind on this clock.
  ///   - body: the code to run between the start of the handler and its first statement.
  /// - Returns: false if no handler of the timer has started, and `body` has not run.
  public func advance(
    by duration: Duration, holding timer: some AnyObject, while body: @escaping @Sendable () -> Void
  ) -> Bool {
    virtualTime.hold.withLock { [id = ObjectIdentifier(timer)] in $0 = (id, body) }
    advance(by: duration)
    return virtualTime.hold.withLock { $0.take() } == nil
  }

  /// Simulates a machine that sleeps, as when the lid of a laptop is shut: nothing fires, and the
  /// suspending clock stops. The continuous clock and the time of day continue, and timers that have come
  /// due on them fire when the machine wakes, in the order of their deadlines.
  ///
  /// If it is called inside a handler, or while another thread advances the clock, it only moves the
  /// time, as `advance(by:)` does; the thread that is already advancing then advances by the rest of its
  /// duration.
  /// - Parameter duration: the time for which the machine sleeps; a negative duration has no effect.
  public func suspend(for duration: Duration) {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    switch kind {
    case .suspending: virtualTime.adjustWall(by: nanoseconds)
    case .continuous, .wall: driver.move(virtualTime, by: nanoseconds, inOneStep: true)
    }
  }

  /// Sets the time of day forward or back, as a user can in the settings of a machine.
  ///
  /// Only a clock of the kind ``TimerClock/Kind/wall`` follows it: a step forward past a deadline makes
  /// the timer due at once, and a step back postpones the deadline. On the other kinds, only ``wallNow``
  /// changes.
  ///
  /// If it is called inside a handler, or while another thread advances the clock, it only sets the
  /// clock; the thread that is already advancing continues from the new time, by the rest of its
  /// duration.
  /// - Parameter change: the time to add to the time of day; negative to set it back.
  public func adjustWall(by change: Duration) {
    let nanoseconds = change.clampedNanoseconds
    switch kind {
    case .suspending, .continuous: virtualTime.adjustWall(by: nanoseconds)
    case .wall: driver.move(virtualTime, by: nanoseconds, inOneStep: true)
    }
  }
}
