package import TimerKit

/// A timer as a person asks for it, in the words of the timer grammar.
package struct TimerSpec: Hashable, Sendable {
  /// What kind of timer it is, and its times.
  package enum Kind: Hashable, Sendable {
    case once(Duration)
    /// Without a count it has no end.
    case every(Duration, count: Int?)
    /// Once, on its date; or, if it is for all days, the next time that clocks show it.
    case at(WallSchedule)
    /// Every day or on some days of the week. Without a count it has no end.
    case daily(WallSchedule, count: Int?)
    /// Phases one after another; without a number of rounds it has no end.
    case cycle([Cycle.Phase], rounds: Int?)
    case stopwatch
    /// Triggered: delivers once triggers stop.
    case debounce(Duration, maxWait: Duration?, edges: DebounceEdges)
    /// Triggered: delivers at most once an interval.
    case throttle(Duration, mode: ThrottleMode, keeps: ThrottledValue)
    /// Triggered: the first trigger sets the time, later ones change nothing of it.
    case coalesce(Duration)
    /// Triggered: every trigger defers it.
    case idle(Duration)
  }

  /// `nil` where none was given.
  package var name: String?
  package var kind: Kind
  /// Made, but not started.
  package var isPaused: Bool
  /// How much later than due it may fire, so that wake-ups can be shared.
  package var tolerance: Duration
  package var missedTicks: Repeater.MissedTicks
  package var note: String?
  /// What is run at each fire: one text, for a shell.
  package var command: String?
  /// How far the interval grows while the command fails; `nil` leaves it as it is.
  package var backoff: Duration?
  /// A Boolean value that indicates whether the bell is repeated from a fire on, until a key is pressed.
  package var repeatsBell: Bool
  /// The name of the timer that starts when this one finishes; its own makes it go round.
  package var next: String?

  package init(
    name: String? = nil, kind: Kind, isPaused: Bool = false, tolerance: Duration = .zero,
    missedTicks: Repeater.MissedTicks = .skip, note: String? = nil, command: String? = nil,
    backoff: Duration? = nil, repeatsBell: Bool = false, next: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.isPaused = isPaused
    self.tolerance = tolerance
    self.missedTicks = missedTicks
    self.note = note
    self.command = command
    self.backoff = backoff
    self.repeatsBell = repeatsBell
    self.next = next
  }

  /// How often it fires in a run; `nil` where it has no end, or no runs.
  var fireCount: Int? {
    switch kind {
    case .once, .at: 1
    case .every(_, let count), .daily(_, let count): count
    case .cycle(let phases, let rounds): rounds.map { $0 * phases.count }
    case .stopwatch, .debounce, .throttle, .coalesce, .idle: nil
    }
  }
}
