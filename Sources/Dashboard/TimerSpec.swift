public import TimerKit

/// A timer as a person asks for it, in the words of the timer grammar.
public struct TimerSpec: Hashable, Sendable {
  /// What kind of timer it is, and its times.
  public enum Kind: Hashable, Sendable {
    case once(Duration)
    /// Without a count it has no end.
    case every(Duration, count: Int?)
  }

  /// `nil` where none was given.
  public var name: String?
  public var kind: Kind
  /// Made, but not started.
  public var isPaused: Bool
  /// How much later than due it may fire, so that wake-ups can be shared.
  public var tolerance: Duration
  public var missedTicks: Repeater.MissedTicks
  public var note: String?

  public init(
    name: String? = nil, kind: Kind, isPaused: Bool = false, tolerance: Duration = .zero,
    missedTicks: Repeater.MissedTicks = .skip, note: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.isPaused = isPaused
    self.tolerance = tolerance
    self.missedTicks = missedTicks
    self.note = note
  }

  /// The time between two fires, and before the first.
  public var interval: Duration {
    switch kind {
    case .once(let duration): duration
    case .every(let interval, _): interval
    }
  }

  /// How often it fires.
  public var mode: Repeater.Mode {
    switch kind {
    case .once: .once
    case .every(_, let count?): .finite(count)
    case .every(_, nil): .infinite
    }
  }
}
