extension Cycle {
  /// One phase of one round.
  public struct Position: Sendable, Hashable {
    /// The phase, with its name and duration.
    public var phase: Phase
    /// The index of the phase in its round, from 0.
    public var index: Int
    /// The number of the round, from 1.
    public var round: Int

    /// Creates a position from its values, for a test or a preview.
    public init(phase: Phase, index: Int, round: Int) {
      self.phase = phase
      self.index = index
      self.round = round
    }
  }

  /// A delivery of a cycle: a phase has ended and, except at the end of the run, another one has begun.
  public struct Tick: Sendable, Hashable {
    /// The phase that has ended, which is the `begun` of the previous tick.
    public var ended: Position
    /// The phase that has begun; `nil` at the end of the run.
    public var begun: Position?
    /// The number of rounds that have not ended, including that of `begun`; `nil` for an endless cycle.
    public var remainingRounds: Int?
    /// The number of phases between `ended` and `begun`, which began and ended while the timer was late.
    public var missedCount: Int
    /// The generation for which it was delivered: see ``Cycle/isCurrent(_:)``.
    public var generation: UInt64
    /// The time at which `ended` was due to end, or at which ``Cycle/skip()`` was called.
    public var deadline: TimerClock.Instant
    /// The time from `deadline` to its delivery; zero for a skip.
    public var lateness: Duration
    /// True if it was requested by ``Cycle/skip()``.
    public var isManual: Bool

    /// Creates a tick from its values, for a test or a preview.
    public init(
      ended: Position, begun: Position?, remainingRounds: Int?, missedCount: Int = 0,
      generation: UInt64 = 0, deadline: TimerClock.Instant, lateness: Duration = .zero,
      isManual: Bool = false
    ) {
      self.ended = ended
      self.begun = begun
      self.remainingRounds = remainingRounds
      self.missedCount = missedCount
      self.generation = generation
      self.deadline = deadline
      self.lateness = lateness
      self.isManual = isManual
    }

    /// The current round: that of `begun`, or at the end of the run that of `ended`.
    public var round: Int { (begun ?? ended).round }

    /// True for the last tick of a run.
    public var isLast: Bool { begun == nil }
  }
}

extension Cycle.Tick: CustomStringConvertible {
  /// A description for logs: `work → rest, round 2`.
  public var description: String {
    var parts = ["\(ended.phase.name) → \(begun?.phase.name ?? "end")", "round \(round)"]
    if missedCount > 0 { parts.append("\(missedCount) missed") }
    if lateness > .zero { parts.append("\(lateness) late") }
    return parts.joined(separator: ", ")
  }
}
