/// The phases of a ``Cycle``. A phase index counts the phases of all rounds of a run, from 0.
struct CyclePlan: Sendable {
  let phases: [Cycle.Phase]
  let rounds: Int?
  let includesFinalRest: Bool
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
    self.phases = phases
    rounds = configuration.rounds
    includesFinalRest = configuration.includesFinalRest
    self.durations = durations
    roundLength = durations.reduce(0) { $0.addingSaturated($1) }
    phaseCount = configuration.phaseCount ?? .max
  }

  func configuration(tolerance: Duration) -> Cycle.Configuration {
    Cycle.Configuration(
      phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance)
  }

  func duration(of phaseIndex: Int) -> Int64 { durations[phaseIndex % durations.count] }

  subscript(phaseIndex: Int) -> Cycle.Position {
    let index = phaseIndex % phases.count
    return Cycle.Position(phase: phases[index], index: index, round: phaseIndex / phases.count + 1)
  }

  /// Returns the number of rounds that have not ended while the phase at `phaseIndex` runs; `nil` for an endless cycle.
  func remainingRounds(from phaseIndex: Int) -> Int? {
    rounds.map { phaseIndex < phaseCount ? $0 - phaseIndex / phases.count : 0 }
  }

  /// Finds the phase that runs at `now`, after the phase at `phaseIndex` has ended at `end`.
  /// - Returns: the index of the phase that runs, or the number of all phases if the last one has ended; the time at
  ///   which that phase began; and the number of phases that began and ended between the two.
  func phase(
    after phaseIndex: Int, endedAt end: Int64, runningAt now: Int64
  ) -> (phaseIndex: Int, begin: Int64, missed: Int) {
    let wholeRounds = now.subtractingSaturated(end) / roundLength
    let (passed, overflow) = Int(wholeRounds).multipliedReportingOverflow(by: phases.count)
    var next = (phaseIndex + 1).addingSaturated(overflow ? .max : passed)
    var begin = end + wholeRounds * roundLength
    for _ in phases {
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
