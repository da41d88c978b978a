/// The stages of a ``Cycle``, numbered from 0 through all rounds: what there is to walk along.
struct CyclePlan: Sendable {
  let phases: [Cycle.Phase]
  let rounds: Int?
  let includesFinalRest: Bool
  private let durations: [Int64]
  private let roundLength: Int64
  /// How many stages there are; the greatest number where there is no end.
  let stageCount: Int

  init(_ phases: [Cycle.Phase], rounds: Int?, includesFinalRest: Bool) throws(TimerError) {
    if phases.isEmpty { throw .invalidCount(0) }
    if let rounds, rounds < 1 { throw .invalidCount(rounds) }
    var durations: [Int64] = []
    for phase in phases { durations.append(try phase.duration.checkedInterval()) }
    self.phases = phases
    self.rounds = rounds
    self.includesFinalRest = includesFinalRest
    self.durations = durations
    roundLength = durations.reduce(0) { $0.addingSaturated($1) }
    if let rounds {
      let (count, overflow) = rounds.multipliedReportingOverflow(by: phases.count)
      stageCount = overflow ? .max : count - (includesFinalRest || phases.count == 1 ? 0 : 1)
    } else {
      stageCount = .max
    }
  }

  func duration(of stage: Int) -> Int64 { durations[stage % durations.count] }

  subscript(number: Int) -> Cycle.Stage {
    let index = number % phases.count
    return Cycle.Stage(phase: phases[index], index: index, round: number / phases.count + 1)
  }

  /// The rounds that are not over while that stage runs.
  func remainingRounds(from stage: Int) -> Int? {
    rounds.map { stage < stageCount ? $0 - stage / phases.count : 0 }
  }

  /// Where a stage that ended at `end` leaves off at `now`: the stage that runs then, when that one
  /// began, and how many between the two have begun and ended.
  func walk(
    from stage: Int, endedAt end: Int64, to now: Int64
  ) -> (stage: Int, begin: Int64, missed: Int) {
    let wholeRounds = now.subtractingSaturated(end) / roundLength
    let (skipped, overflow) = Int(wholeRounds).multipliedReportingOverflow(by: phases.count)
    var next = (stage + 1).addingSaturated(overflow ? .max : skipped)
    var begin = end + wholeRounds * roundLength
    for _ in phases {
      guard next < stageCount else { break }
      let nextEnd = begin.addingSaturated(duration(of: next))
      guard nextEnd <= now else { break }
      begin = nextEnd
      next += 1
    }
    next = min(next, stageCount)
    return (next, begin, missed: next - stage - 1)
  }
}
