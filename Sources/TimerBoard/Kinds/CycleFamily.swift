package import TimerKit

/// Timers with several phases, repeated in rounds.
package struct CycleFamily: TimerFamily, Hashable, Sendable {
  package var phases: [Cycle.Phase]
  var rounds: Int?

  var keyword: Keyword { .cycle }
  var text: String { "cycle \(phasesText)" + (rounds.map { " x\($0)" } ?? "") }
  var fireCount: Int? { rounds.map { $0 * phases.count } }
  var withCount: ((Int) -> TimerSpec.Kind)? { { [phases] in .cycle(phases, rounds: $0) } }

  var label: String {
    "cycle " + phases.map { DurationText.text($0.duration) }.joined(separator: "/")
      + (rounds.map { " ×\($0)" } ?? "")
  }

  /// The phases, with the names that are not the default ones: `25m/5m`, `run 20s/walk 10s`.
  private var phasesText: String {
    phases.enumerated().map { index, phase in
      let duration = DurationText.text(phase.duration)
      guard phase.name != Self.defaultPhaseName(index, of: phases.count) else { return duration }
      let word = Token(phase.name, at: 0, end: 0)
      let name = Token.quoting(
        phase.name, if: word.looksLikeDuration || word.looksLikeCount || word.contains("/"))
      // A quote within a word is one of its characters.
      let first = name.unicodeScalars.first
      let space = first == "'" || first == "\"" ? " " : ""
      return "\(index > 0 ? space : "")\(name) \(duration)"
    }
    .joined(separator: "/")
  }

  /// Returns the default name of a phase.
  static func defaultPhaseName(_ index: Int, of count: Int) -> String {
    count <= 2 ? ["work", "rest"][index] : "phase \(index + 1)"
  }

  func start(of spec: TimerSpec, at now: ClockReading) -> TimerCheckpoint {
    .cycle(
      Cycle.Checkpoint(
        configuration: .init(phases, rounds: rounds, tolerance: spec.tolerance),
        clock: spec.clock, state: spec.isPaused ? .paused : .running,
        phaseIndex: 0, timeLeft: phases.first?.duration, takenAt: now.wall))
  }
}

extension TimerSpec.Kind {
  /// Phases in turn; endless without a number of rounds.
  package static func cycle(_ phases: [Cycle.Phase], rounds: Int?) -> Self {
    .cycle(CycleFamily(phases: phases, rounds: rounds))
  }
}

extension TimerParser {
  private func durationMissing(after word: String, at token: Token?) -> TimerSyntaxError {
    let message = "missing duration after '\(word)' (expected a duration, such as \(word) 30s)"
    return token.map { error(message, at: $0) } ?? error(message)
  }

  /// Parses `25m/5m`, `25/5`, `work 25m/rest 5m`, also with spaces around the slashes. A number without a unit is in
  /// minutes.
  /// - Parameter keyword: The word that errors name if there is no phase.
  mutating func phases(after keyword: String) throws(TimerSyntaxError) -> [Cycle.Phase] {
    let phaseMissing = "missing phase beside '/' (expected a duration, such as 25m/5m)"
    var phases: [(name: String?, duration: Duration)] = []
    var name: String?
    // The part of the current word after a slash.
    var rest: Token?
    var numberWithoutUnit: Token?
    var hasUnit = false
    repeat {
      guard position < tokens.count else {
        if name == nil, !phases.isEmpty { throw error(phaseMissing) }
        throw durationMissing(after: name ?? keyword, at: nil)
      }
      let word = rest ?? tokens[position]
      if word.looksLikeDuration {
        let run = durationRun(word, isInCycle: true)
        position += run.count
        var number = run.word
        if number.isDecimal {
          numberWithoutUnit = numberWithoutUnit ?? number
          number.append(number.replaced(by: "m"))
        } else {
          hasUnit = true
        }
        phases.append((name, try duration(number, before: tokens.count)))
        (name, rest) = (nil, run.rest)
        guard advancePastSlash(&rest) else { break }
      } else if name == nil, word.isQuoted || word.firstIndex(where: { $0 == "/" }) == nil,
        !word.looksLikeCount, word.equals == nil
      {
        (name, rest) = (word.text, nil)
        position += 1
      } else if name == nil, let slash = word.firstIndex(where: { $0 == "/" }), slash > 0 {
        throw durationMissing(after: word[0..<slash].text, at: word)
      } else if name == nil, !phases.isEmpty || word[0] == "/" {
        throw error(phaseMissing, at: word)
      } else {
        throw durationMissing(after: name ?? keyword, at: word)
      }
    } while true
    // In `20/10 sec`, the unit can be meant for both.
    if hasUnit, let number = numberWithoutUnit {
      throw error(
        "missing unit after '\(number.text)' (expected one after each phase, or after none)",
        at: number.end, argument: number.argument)
    }
    return phases.enumerated().map { index, phase in
      Cycle.Phase(
        phase.name ?? CycleFamily.defaultPhaseName(index, of: phases.count), phase.duration)
    }
  }

  /// Advances to the next phase if a slash follows.
  /// - Parameter rest: The part of the current word that is left, which begins with a slash.
  /// - Returns: False if there is no further phase.
  private mutating func advancePastSlash(_ rest: inout Token?) -> Bool {
    if rest == nil {
      guard position < tokens.count, !tokens[position].isQuoted, tokens[position][0] == "/" else {
        return false
      }
      rest = tokens[position]
    }
    rest = rest.map { $0.dropFirst(1) }
    if rest?.isEmpty == true {
      rest = nil
      position += 1
    }
    return true
  }
}

extension Cycle.Snapshot: FamilyStatus {
  var common: CommonStatus {
    CommonStatus(
      state: state, isExecuting: isExecuting, clock: clock, deadline: deadline,
      pausedTimeLeft: pausedTimeLeft,
      period: (position?.phase ?? configuration.phases.first)?.duration,
      iterations: .init(left: remainingRounds, of: configuration.rounds),
      phase: position.map { ($0.phase.name, $0.index) },
      deliveredCount: deliveredCount, missedCount: missedCount, staleCount: staleCount)
  }

  var longestTime: Duration { configuration.phases.map(\.duration).max() ?? .zero }

  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    if let command = action.commonCommand(common) { return command }
    switch action {
    case .adjustTime(let step): return try step.command(.cycle(self), at: now)
    case .skip, .fire(pausing: false):
      guard state != .finished else { throw .finished }
      return .skip
    case .lap: throw .noLaps
    default: throw ControlRefusal("a cycle; edit its phases and rounds")
    }
  }

  func checkpoint(at now: ClockReading, intervalBeforeBackoff: Duration?) -> TimerCheckpoint {
    .cycle(checkpoint(at: now[clock], wall: now.wall))
  }
}

extension TimerStatus {
  private var cycle: Cycle.Snapshot? { if case .cycle(let cycle) = self { cycle } else { nil } }

  /// The phases of a cycle; empty for other timers.
  package var phases: [Cycle.Phase] { cycle?.configuration.phases ?? [] }

  /// The index of the current phase of a cycle; `nil` for one that has finished and for other timers.
  package var phaseIndex: Int? { cycle?.position?.index }

  /// The number of the current phase of a cycle and that of all phases, through all rounds; `nil` for other timers.
  package var phaseNumbers: (current: Int, count: Int?)? {
    cycle.map { ($0.phaseIndex, $0.configuration.phaseCount) }
  }

  /// The phase of a cycle after the current one; `nil` if the current one is the last.
  package var nextPhase: Cycle.Phase? {
    guard let cycle, let position = cycle.position,
      cycle.phaseIndex + 1 < cycle.configuration.phaseCount ?? .max
    else { return nil }
    return phases[(position.index + 1) % phases.count]
  }

  /// The round of a cycle, such as `2 of 4`; `nil` for a cycle that has finished and for other timers.
  package var roundText: String? {
    guard let cycle, let position = cycle.position else { return nil }
    return "\(position.round)" + (cycle.configuration.rounds.map { " of \($0)" } ?? "")
  }
}

extension Cycle.Checkpoint: FamilyCheckpoint {
  var checkpoint: TimerCheckpoint { .cycle(self) }

  func status(at now: ClockReading) -> TimerStatus {
    let phases = configuration.phases
    let (round, index) = phaseIndex.quotientAndRemainder(dividingBy: phases.count)
    let isFinished = state == .finished
    let left = timeLeft ?? phases[index].duration
    return .cycle(
      Cycle.Snapshot(
        configuration: configuration, clock: clock, state: state,
        position: isFinished
          ? nil : Cycle.Position(phase: phases[index], index: index, round: round + 1),
        phaseIndex: phaseIndex,
        remainingRounds: configuration.rounds.map { isFinished ? 0 : $0 - round },
        deadline: state == .running ? now[clock].advanced(by: left) : nil,
        pausedTimeLeft: state == .paused ? left : nil))
  }

  mutating func advance(to wall: WallInstant) -> Int {
    // The configuration was checked when the cycle was created.
    (try? catchUp(to: wall)) ?? 0
  }

  mutating func elapse(_ time: Duration) {
    guard state == .running else { return }
    timeLeft = (timeLeft ?? phase.duration) - time
  }

  func lastFire(by now: WallInstant) -> WallInstant? {
    guard state == .running, let count = configuration.phaseCount else { return nil }
    let left = timeLeft ?? phase.duration
    return takenAt.advanced(by: left + length(of: count) - length(of: phaseIndex + 1))
  }

  /// Returns the length of the first `count` phases of a run.
  private func length(of count: Int) -> Duration {
    let phases = configuration.phases
    let round = phases.reduce(Duration.zero) { $0 + $1.duration }
    let (rounds, rest) = count.quotientAndRemainder(dividingBy: phases.count)
    return phases[..<rest].reduce(round.multiplied(by: rounds)) { $0 + $1.duration }
  }

  func makeTimer(in environment: TimerEnvironment) throws(RestoreError) -> any LiveTimer {
    try Cycle(
      restoring: self, policy: .keepTimeLeft, clock: environment.clock, queue: environment.queue
    ) { _, _ in }
  }

  var fields: SavedFields {
    SavedFields(state: state, left: timeLeft?.seconds, phaseIndex: phaseIndex)
  }

  mutating func restore(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError) {
    state = fields.state
    if state == .finished, configuration.phaseCount == nil {
      throw SavedFieldError("invalid state 'finished' (expected another one: the cycle has no end)")
    }
    let end = configuration.phaseCount ?? Self.phaseLimit
    phaseIndex = state == .finished ? end : fields.phaseIndex ?? 0
    guard state == .finished || (0..<end).contains(phaseIndex) else {
      throw SavedFieldError("invalid phaseIndex '\(phaseIndex)' (expected 0 to \(end - 1))")
    }
    timeLeft =
      fields.isActive ? fields.left.map(Duration.init(savedTimeLeft:)) ?? phase.duration : nil
  }

  /// The maximum phase number of an endless cycle: 30,000 years with phases of a millisecond.
  private static let phaseLimit = 1_000_000_000_000_000

  /// The current phase; for a cycle that has finished, the first one.
  private var phase: Cycle.Phase { configuration.phases[phaseIndex % configuration.phases.count] }

  /// Pauses the cycle at the beginning of its phase.
  mutating func waitForPhase() {
    state = .paused
    timeLeft = phase.duration
  }

  /// The instant at which the phase of a running cycle ends; `nil` for the last one, with which the cycle ends.
  var phaseEnd: WallInstant? {
    guard state == .running, phaseIndex + 1 < configuration.phaseCount ?? .max else { return nil }
    return takenAt.advanced(by: timeLeft ?? phase.duration)
  }
}

extension Cycle: ObservableLiveTimer {
  package var status: TimerStatus { .cycle(snapshot) }

  package func perform(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change)
    case .skip: skip()
    default: control(command)
    }
  }

  package static func event(of tick: Tick) -> Board.TimerEvent {
    // A manual fire was not due, and so cannot be late.
    .fired(
      Fire(
        lateness: tick.isManual ? nil : tick.lateness, missed: tick.missedCount,
        due: tick.isManual ? nil : tick.deadline, iteration: tick.round))
  }
}
