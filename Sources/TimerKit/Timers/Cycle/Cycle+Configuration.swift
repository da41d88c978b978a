extension Cycle {
  /// A part of a round, with a name and a duration.
  public struct Phase: Sendable, Hashable, Codable {
    /// The name of the phase for display. It need not be unique.
    public var name: String
    /// The duration of the phase, greater than zero.
    public var duration: Duration

    /// Creates a phase with a name and a duration.
    public init(_ name: String, _ duration: Duration) {
      self.name = name
      self.duration = duration
    }
  }

  /// The configuration of a cycle, except for its clock, queue and handler.
  public struct Configuration: Sendable, Hashable, Codable {
    /// The phases of a round; at least one.
    public var phases: [Phase]
    /// The number of rounds in a run, at least 1; `nil` if the cycle is endless.
    public var rounds: Int?
    /// True if the last round includes its last phase. A cycle with one phase always includes it.
    public var includesFinalRest: Bool
    /// The time by which a tick may be late, so that several timers share a wake-up. It is limited to
    /// half of the duration of the phase.
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

    /// The number of phases in a run; `nil` if the cycle is endless.
    package var phaseCount: Int? {
      rounds.map { rounds in
        let (count, overflow) = rounds.multipliedReportingOverflow(by: phases.count)
        return overflow ? .max : count - (includesFinalRest || phases.count == 1 ? 0 : 1)
      }
    }
  }
}
