extension Repeater {
  /// A delivery of a timer.
  public struct Tick: Sendable, Hashable {
    /// The number of this delivery in its run, from 1.
    public var iteration: Int
    /// The number of deliveries left after this one; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// The number of missed ticks that were merged into this one.
    public var missedCount: Int
    /// The generation for which it was delivered: see ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// The time at which it was due, on the timer's clock.
    public var deadline: TimerClock.Instant
    /// The time from `deadline` to its delivery; zero for a manual one.
    public var lateness: Duration
    /// True if it was requested by `fire()`.
    public var isManual: Bool
    /// True for the last tick of a run.
    public var isLast: Bool

    /// Creates a tick from its values, for a test or a preview.
    public init(
      iteration: Int, remainingIterations: Int?, missedCount: Int = 0, generation: UInt64 = 0,
      deadline: TimerClock.Instant, lateness: Duration = .zero, isManual: Bool = false,
      isLast: Bool = false
    ) {
      self.iteration = iteration
      self.remainingIterations = remainingIterations
      self.missedCount = missedCount
      self.generation = generation
      self.deadline = deadline
      self.lateness = lateness
      self.isManual = isManual
      self.isLast = isLast
    }
  }
}

extension Repeater.Tick: CustomStringConvertible {
  /// A description for logs: `tick 3, 5 left, 0.0002 seconds late`.
  public var description: String {
    var parts = [isManual ? "manual tick \(iteration)" : "tick \(iteration)"]
    if let remainingIterations { parts.append("\(remainingIterations) left") }
    if missedCount > 0 { parts.append("\(missedCount) missed") }
    if lateness > .zero { parts.append("\(lateness) late") }
    return parts.joined(separator: ", ")
  }
}
