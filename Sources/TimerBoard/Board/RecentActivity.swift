package import TimerKit

/// A past fire, on the suspending clock.
package struct PastFire: Hashable, Sendable {
  package var at: TimerClock.Instant
  /// The lateness in nanoseconds; negative for a fire that was not scheduled.
  private var latenessNanoseconds: Int64
  /// The number of missed fires that were merged into this one, one period apart.
  package var missed: Int
  /// The period in nanoseconds; 0 if there is none.
  package var periodNanoseconds: Int64

  init(
    at instant: TimerClock.Instant, lateness: Duration?, missed: Int = 0, period: Duration? = nil
  ) {
    at = instant
    latenessNanoseconds = lateness?.clampedNanoseconds ?? -1
    self.missed = missed
    self.periodNanoseconds = period?.clampedNanoseconds ?? 0
  }

  package var lateness: Duration? {
    latenessNanoseconds < 0 ? nil : .nanoseconds(latenessNanoseconds)
  }
}

/// The recent fires of a timer, and the times in which it ran or did not run.
package struct RecentActivity: Hashable, Sendable {
  /// A time in which a timer runs in one phase, or does not run. It lasts until the next one starts.
  package struct Span: Hashable, Sendable {
    package var start: TimerClock.Instant
    /// The index of the phase of a cycle, 0 for every other timer; `nil` if the timer does not run.
    package var phase: Int?
  }

  package private(set) var fires = BoundedList<PastFire>(limit: 256)
  package private(set) var spans = BoundedList<Span>(limit: 128)
  package private(set) var lateness = LatenessHistogram()

  mutating func add(_ fire: PastFire) {
    fires.append(fire)
    if let late = fire.lateness { lateness.record(late) }
  }

  /// Records the phase that a timer runs in from an instant on; `nil` if it does not run.
  mutating func recordPhase(_ phase: Int?, at now: TimerClock.Instant) {
    guard phase != spans.elements.last?.phase || spans.elements.isEmpty else { return }
    spans.append(Span(start: now, phase: phase))
  }
}
