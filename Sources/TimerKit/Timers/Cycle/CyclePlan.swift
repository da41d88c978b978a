/// The phases of a ``Cycle``, numbered from 0 through all rounds.
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
    if let rounds {
      let (count, overflow) = rounds.multipliedReportingOverflow(by: phases.count)
      phaseCount = overflow ? .max : count - (includesFinalRest || phases.count == 1 ? 0 : 1)
    } else {
      phaseCount = .max
    }
  }

  func configuration(tolerance: Duration) -> Cycle.Configuration {
    Cycle.Configuration(
      phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance)
  }

  func duration(of number: Int) -> Int64 { durations[number % durations.count] }

  subscript(number: Int) -> Cycle.Position {
    let index = number % phases.count
    return Cycle.Position(phase: phases[index], index: index, round: number / phases.count + 1)
  }

  /// Returns the number of rounds that have not ended while phase `number` runs; `nil` for an endless cycle.
  func remainingRounds(from number: Int) -> Int? {
    rounds.map { number < phaseCount ? $0 - number / phases.count : 0 }
  }

  /// Finds the phase that runs at `now`, after phase `number` has ended at `end`.
  /// - Returns: the number of the phase that runs, the time at which it began, and the number of phases that
  ///   began and ended between the two.
  func phase(
    after number: Int, endedAt end: Int64, runningAt now: Int64
  ) -> (number: Int, begin: Int64, missed: Int) {
    let wholeRounds = now.subtractingSaturated(end) / roundLength
    let (passed, overflow) = Int(wholeRounds).multipliedReportingOverflow(by: phases.count)
    var next = (number + 1).addingSaturated(overflow ? .max : passed)
    var begin = end + wholeRounds * roundLength
    for _ in phases {
      guard next < phaseCount else { break }
      let nextEnd = begin.addingSaturated(duration(of: next))
      guard nextEnd <= now else { break }
      begin = nextEnd
      next += 1
    }
    next = min(next, phaseCount)
    return (next, begin, missed: next - number - 1)
  }
}
