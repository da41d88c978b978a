package import TimerKit

/// A timer as it is requested, in the words of the timer grammar.
package struct TimerSpec: Hashable, Sendable {
  /// The name; `nil` where none was given.
  package var name: String?
  package var kind: Kind
  /// A Boolean value that indicates whether it is created, but not started.
  package var isPaused: Bool
  /// The time by which it may fire late, so that wake-ups can be shared.
  package var tolerance: Duration
  package var missedTicks: Repeater.MissedTicks
  package var note: String?
  /// The command that runs at each fire: one text, for a shell.
  package var command: String?
  /// The interval up to which failures of the command let it grow; `nil` leaves it as it is.
  package var backoff: Duration?
  /// A Boolean value that indicates whether the bell is repeated from a fire on, until a key is pressed.
  package var repeatsBell: Bool
  /// The name of the timer that starts when this one finishes; its own name makes a loop.
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

  /// The number of fires in a run; `nil` without an end, or without runs.
  var fireCount: Int? { kind.family.fireCount }
}
