extension Cycle {
  /// A named interval.
  public struct Phase: Sendable, Hashable, Codable {
    /// The name: it is shown, and need not be unique.
    public var name: String
    /// The length; greater than zero.
    public var duration: Duration

    /// Creates a phase of a name and a length.
    public init(_ name: String, _ duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// Everything that a cycle is created with, besides its clock, queue and handler.
  public struct Configuration: Sendable, Hashable, Codable {
    /// The phases of a round; at least one.
    public var phases: [Phase]
    /// The number of rounds in a run, at least 1; `nil` where there is no end.
    public var rounds: Int?
    /// True if the last phase of the last round takes place. A cycle of one phase always includes it.
    public var includesFinalRest: Bool
    /// The time by which a tick may be late, so that several timers share a wake-up.
    public var tolerance: Duration

    /// Creates a configuration. Its values are checked when a cycle is created from it.
    public init(
      _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
      tolerance: Duration = .zero
    ) {
      self.phases = phases
      self.rounds = rounds
      self.includesFinalRest = includesFinalRest
      self.tolerance = tolerance
    }
  }
}
