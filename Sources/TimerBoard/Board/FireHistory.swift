package import TimerKit

/// A fire that was, on the suspending clock.
package struct PastFire: Hashable, Sendable {
  package var at: TimerClock.Instant
  /// In nanoseconds; negative where it was due at no time.
  private var latenessNanoseconds: Int64
  /// Fires that it stood for besides itself, a period apart.
  package var missed: Int
  package var period: Int64

  init(
    at instant: TimerClock.Instant, lateness: Duration?, missed: Int = 0, period: Duration? = nil
  ) {
    at = instant
    latenessNanoseconds = lateness?.clampedNanoseconds ?? -1
    self.missed = missed
    self.period = period?.clampedNanoseconds ?? 0
  }

  package var lateness: Duration? {
    latenessNanoseconds < 0 ? nil : .nanoseconds(latenessNanoseconds)
  }
}

/// What became of a timer in the time that can still be looked at.
package struct FireHistory: Hashable, Sendable {
  /// From an instant on it ran, in one of its phases, or stood still.
  package struct Run: Hashable, Sendable {
    package var start: TimerClock.Instant
    /// The phase of a cycle by its place, 0 for every other timer; `nil` while it stands still.
    package var phase: Int?
  }

  package private(set) var fires = BoundedList<PastFire>(limit: 256)
  package private(set) var runs = BoundedList<Run>(limit: 128)
  package private(set) var lateness = LatenessHistogram()

  mutating func add(_ fire: PastFire) {
    fires.append(fire)
    if let late = fire.lateness { lateness.record(late) }
  }

  mutating func note(phase: Int?, at now: TimerClock.Instant) {
    guard phase != runs.elements.last?.phase || runs.elements.isEmpty else { return }
    runs.append(Run(start: now, phase: phase))
  }
}
