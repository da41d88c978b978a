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

/// The phases of a ``Cycle``. A phase index counts the phases of all rounds of a run, from 0.
struct CyclePlan: Hashable, Sendable {
  let configuration: Cycle.Configuration
  private let durations: [Int64]
  private let roundLength: Int64
  /// The number of phases in a run; `Int.max` if the cycle is endless.
  let phaseCount: Int

  init(_ configuration: Cycle.Configuration) throws(TimerConfigurationError) {
    let phases = configuration.phases
    if phases.isEmpty { throw .noPhases }
    if let rounds = configuration.rounds, rounds < 1 {
      throw .invalidCount(rounds, parameter: .rounds)
    }
    var durations: [Int64] = []
    for phase in phases { durations.append(try phase.duration.checked(.phaseDuration)) }
    self.configuration = configuration
    self.durations = durations
    roundLength = durations.reduce(0) { $0.addingSaturated($1) }
    phaseCount = configuration.phaseCount ?? .max
  }

  func duration(of phaseIndex: Int) -> Int64 { durations[phaseIndex % durations.count] }

  subscript(phaseIndex: Int) -> Cycle.Position {
    let (round, index) = phaseIndex.quotientAndRemainder(dividingBy: durations.count)
    return Cycle.Position(phase: configuration.phases[index], index: index, round: round + 1)
  }

  /// Returns the number of rounds that have not ended while the phase at `phaseIndex` runs; `nil` for an endless cycle.
  func remainingRounds(from phaseIndex: Int) -> Int? {
    configuration.rounds.map {
      phaseIndex < phaseCount ? $0 - phaseIndex / durations.count : 0
    }
  }

  /// Returns the sum of the durations of the phases in a range of phase indices.
  func length(of range: Range<Int>) -> Int64 {
    offset(of: range.upperBound).subtractingSaturated(offset(of: range.lowerBound))
  }

  /// The time from the start of a run to the start of a phase; `Int64.max` if a clock cannot measure it.
  private func offset(of phaseIndex: Int) -> Int64 {
    let (rounds, index) = phaseIndex.quotientAndRemainder(dividingBy: durations.count)
    let (wholeRounds, overflow) = Int64(rounds).multipliedReportingOverflow(by: roundLength)
    return durations[..<index].reduce(overflow ? .max : wholeRounds) { $0.addingSaturated($1) }
  }

  /// Finds the phase that runs at `now`, after the phase at `phaseIndex` has ended at `end`.
  /// - Returns: the index of the phase that runs, or the number of all phases if the last one has ended; the time at
  ///   which that phase began; and the number of phases that began and ended between the two.
  func phase(
    after phaseIndex: Int, endedAt end: Int64, runningAt now: Int64
  ) -> (phaseIndex: Int, begin: Int64, missed: Int) {
    let wholeRounds = now.subtractingSaturated(end) / roundLength
    let (passed, overflow) = Int(wholeRounds).multipliedReportingOverflow(by: durations.count)
    var next = (phaseIndex + 1).addingSaturated(overflow ? .max : passed)
    var begin = end + wholeRounds * roundLength
    for _ in durations {
      guard next < phaseCount else { break }
      let nextEnd = begin.addingSaturated(duration(of: next))
      guard nextEnd <= now else { break }
      begin = nextEnd
      next += 1
    }
    next = min(next, phaseCount)
    return (next, begin, missed: next - phaseIndex - 1)
  }
}
