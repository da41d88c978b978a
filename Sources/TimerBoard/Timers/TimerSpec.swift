package import TimerKit

/// The specification of a timer, as the timer grammar describes it.
package struct TimerSpec: Hashable, Sendable {
  /// The name; `nil` if none was given.
  package var name: String?
  package var kind: Kind
  /// A Boolean value that indicates whether the timer is created without being started.
  package var isPaused = false
  /// The time by which the timer may fire late, so that the system can coalesce wake-ups.
  package var tolerance = Duration.zero
  /// A Boolean value that indicates whether the timer counts only while the machine is awake. A timer that follows
  /// the time of day never does.
  package var countsOnlyAwake = false
  package var missedTicks = Repeater.MissedTicks.skip
  /// A Boolean value that indicates whether the first fire of an `every` comes at its start.
  package var startsNow = false
  /// The maximum of a random delay of each fire; zero for none.
  package var jitter = Duration.zero
  package var note: String?
  /// The command that a shell runs at each fire.
  package var command: String?
  /// The commands that a shell runs at other events.
  package var hooks: [Hook] = []
  /// The maximum interval of back-off, which increases the interval while the command fails; `nil` for none.
  package var backoff: Duration?
  /// The bell and the notifications of its fires.
  package var sound = Sound.standard
  /// The bell that its chimes play, or the path of a file; `nil` for that of the configuration.
  package var soundName: String?
  /// The name of the timer or of the group that starts when this one finishes; with its own name, the timer repeats.
  package var successor: String?
  /// The number of rounds of the chain that the timer begins: each of its runs starts the successor, and the last
  /// timer of the chain starts this one again. `nil` for a chain without rounds.
  package var chainCount: Int?
  /// The name of the group; `nil` if the timer is in none.
  package var group: String?
  /// A Boolean value that indicates whether the next phase of a cycle, or the timer that starts when this one finishes,
  /// stands ready until the user starts it.
  package var waits = false

  /// The bell and the notifications of a timer; a raw value is a word of the grammar.
  package enum Sound: String, CaseIterable, Sendable {
    /// The bell rings once at the end of a run, at each alarm, and at each phase of a cycle.
    case standard
    /// It rings once at each fire.
    case chime
    /// It never rings, and nothing is notified.
    case silent
    /// It repeats from each fire until a key is pressed or the alert is acknowledged.
    case ring
  }

  /// A command for an event, at most one for each.
  package struct Hook: Hashable, Sendable {
    package var event: Transition.Event
    package var command: String

    package init(event: Transition.Event, command: String) {
      self.event = event
      self.command = command
    }
  }

  /// The kind of clock that the timer follows.
  package var clock: TimerClock.Kind {
    if kind.repeater?.schedule != nil { return .wall }
    return countsOnlyAwake ? .suspending : .continuous
  }

  /// The number of fires in a run; `nil` for an endless timer or one without runs.
  package var fireCount: Int? { kind.family.fireCount }

  /// A Boolean value that indicates whether `wait` applies: another phase or another timer can follow a fire.
  package var acceptsWait: Bool { if case .cycle = kind { true } else { successor != nil } }
}

extension TimerSpec {
  package init(_ kind: Kind) {
    self.init(kind: kind)
  }
}
