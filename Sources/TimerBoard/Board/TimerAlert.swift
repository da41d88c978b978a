package import TimerKit

/// An alert of a timer that nobody has acknowledged.
package struct TimerAlert: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The end of a run.
    case finished
    /// A phase or a timer that stands ready.
    case standsReady
    /// A fire of a timer that repeats the bell.
    case fired

    /// Returns true if a timer in a state can have an alert of the cause.
    func applies(to state: TimerState) -> Bool {
      switch self {
      case .finished: state == .finished
      case .standsReady: state == .paused || state == .idle
      case .fired: true
      }
    }
  }

  package var cause: Cause
  /// The instant on the continuous clock at which it began; for the end of a run, the instant at which that was due.
  package var since: TimerClock.Instant
  /// A Boolean value that indicates whether it repeats the bell.
  package var isRinging: Bool
}

/// The time since the end of a countdown or an alarm.
package enum Overtime {
  /// The time at which it stops.
  package static let limit = Duration.minutes(60)

  /// Returns the time as text: `+1:22`.
  static func text(_ time: Duration) -> String {
    let seconds = max(.zero, time).clampedNanoseconds / 1_000_000_000
    return "+" + TimeText.clock(seconds, showsTenths: false)
  }
}

/// A notification. Its texts can contain any characters and must not be interpreted as commands or markup.
package struct TimerNotification: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    /// The last fire of a run.
    case finished
    /// An alarm, or a fire of a timer with `chime`.
    case fired
    /// A fire of a timer that repeats the bell until a key is pressed or its alert is acknowledged.
    case ring
    /// Another phase of a cycle began.
    case phase
    /// The first failure of a command, or the first one after a success.
    case failed
  }

  package var event: Event
  /// The timer's label.
  package var timer: String
  /// The event in words: `finished`, `rest begins`, `exit 1 'no route to host'`.
  package var text: String
  /// The sound of the timer; `nil` for that of the configuration.
  package var sound: String?
}
