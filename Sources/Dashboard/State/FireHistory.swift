import TimerKit

/// A fire that was, on the suspending clock.
struct PastFire: Hashable, Sendable {
  var at: TimerClock.Instant
  /// In nanoseconds; negative where it was due at no time.
  private var latenessNanoseconds: Int64
  /// Fires that it stood for besides itself, a period apart.
  var missed: Int
  var period: Int64

  init(
    at instant: TimerClock.Instant, lateness: Duration?, missed: Int = 0, period: Duration? = nil
  ) {
    at = instant
    latenessNanoseconds = lateness?.clampedNanoseconds ?? -1
    self.missed = missed
    self.period = period?.clampedNanoseconds ?? 0
  }

  var lateness: Duration? {
    latenessNanoseconds < 0 ? nil : .nanoseconds(latenessNanoseconds)
  }
}

/// What became of a timer in the time that can still be looked at.
struct FireHistory: Hashable, Sendable {
  /// From an instant on it ran, in one of its phases, or stood still.
  struct Run: Hashable, Sendable {
    var start: TimerClock.Instant
    /// The phase of a cycle by its place, 0 for every other timer; `nil` while it stands still.
    var phase: Int?
  }

  private(set) var fires = BoundedList<PastFire>(limit: 256)
  private(set) var runs = BoundedList<Run>(limit: 128)
  private(set) var lateness = LatenessHistogram()

  mutating func add(_ fire: PastFire) {
    fires.append(fire)
    if let late = fire.lateness { lateness.record(late) }
  }

  mutating func note(phase: Int?, at now: TimerClock.Instant) {
    guard phase != runs.elements.last?.phase || runs.elements.isEmpty else { return }
    runs.append(Run(start: now, phase: phase))
  }
}
