public import Dispatch

/// Where time comes from: it tells the time and wakes timers.
///
/// The timelines are ``TimerClock`` and, for tests and demonstrations, ``VirtualClock``. A
/// timeline of your own forwards to one of these.
///
/// A timeline is a `Clock`, so that `Task.sleep(until:clock:)` works on it, virtual time included.
public protocol Timeline: Clock where Instant == TimerClock.Instant {
  /// Which clock it follows.
  var kind: TimerClock.Kind { get }

  /// The time of day, in nanoseconds since 1970 UTC.
  var wallNow: TimerClock.Instant { get }

  /// What wakes the timers of one queue on this timeline.
  /// - Parameter queue: where handlers run; `nil` is the queue that all timers without one share.
  func alarmDriver(for queue: DispatchQueue?) -> AlarmDriver
}

extension Timeline {
  /// Nanoseconds count.
  public var minimumResolution: Duration { .nanoseconds(1) }
}

extension Timeline {
  /// Waits until `deadline`.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: TimerClock.Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
    let alarm = DeadlineTimer(tolerance: tolerance ?? .zero, on: self) { _, _ in continuation.finish() }
    alarm.schedule(at: deadline)
    for await _ in wakes {}
    alarm.cancel()
    try Task.checkCancellation()
  }
}
