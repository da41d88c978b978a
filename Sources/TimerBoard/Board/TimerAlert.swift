package import TimerKit

/// An alert of a timer that nobody has acknowledged.
package struct TimerAlert: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The end of a run.
    case finished
    /// A fire of a timer that repeats the bell.
    case fired
    /// A phase or a timer that stands ready.
    case standsReady
  }

  package var cause: Cause
  /// The instant on the continuous clock at which it began; for the end of a run, the instant at which that was due.
  package var since: TimerClock.Instant
  /// A Boolean value that indicates whether it repeats the bell.
  package var isRinging: Bool

  /// Returns true if a timer in a state can have the alert.
  func applies(to state: TimerState) -> Bool {
    switch cause {
    case .finished: state == .finished
    case .fired: true
    case .standsReady: state == .paused || state == .idle
    }
  }
}

/// The time since the end of a countdown or an alarm.
package enum Overtime {
  /// The time at which it stops.
  package static let limit = Duration.minutes(60)

  /// The widest text of a time.
  package static let widestText = text(limit)

  /// Returns the time as text: `+1:22`.
  static func text(_ time: Duration) -> String {
    let seconds = max(.zero, time).clampedNanoseconds / 1_000_000_000
    return "+" + TimeText.clock(seconds, showsTenths: false)
  }
}
