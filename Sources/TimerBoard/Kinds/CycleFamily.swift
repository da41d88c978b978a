package import TimerKit

/// Timers with several phases, repeated in rounds.
package struct CycleFamily: TimerFamily, Hashable, Sendable {
  package var phases: [Cycle.Phase]
  var rounds: Int?
  /// The duration of the rest after the last work, or without rounds of each fourth one; `nil` if all rests are equal.
  package var longRest: Duration?

  /// The rounds until a long rest in an endless cycle.
  private static let roundsUntilLongRest = 4
  /// The largest number of rounds with a long rest, whose phases are in memory and on the screen one by one.
  static let longestSeries = 100

  var keyword: Keyword { .cycle }
  var text: String { text("cycle \(phasesText)", times: "x") }
  var fireCount: Int? { rounds.map { $0 * phases.count } }
  var withCount: ((Int) -> TimerSpec.Kind)? {
    { count in
      var family = self
      family.rounds = count
      return .cycle(family)
    }
  }
  var kindWords: [String] { phases.count == 2 ? ["long"] : [] }

  var label: String {
    text(
      "cycle " + phases.map { DurationText.text($0.duration) }.joined(separator: "/"), times: "×")
  }

  private func text(_ phases: String, times: String) -> String {
    phases + (rounds.map { " \(times)\($0)" } ?? "")
      + (longRest.map { " long \(DurationText.text($0))" } ?? "")
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

  func start(
    of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(TimerConfigurationError) -> TimerMachine {
    var value = try Cycle.Value(configuration(of: spec), clock: TimerClock(spec.clock))
    value.start(at: now[spec.clock])
    if spec.isPaused { value.pause(at: now[spec.clock]) }
    return .cycle(value)
  }

  func restore(
    _ fields: SavedFields, of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(SavedFieldError) -> TimerMachine {
    let configuration = configuration(of: spec)
    if fields.state == .finished, configuration.phaseCount == nil {
      throw SavedFieldError("invalid state 'finished' (expected another one: the cycle has no end)")
    }
    let isFinished = fields.state == .finished
    let index = isFinished ? 0 : fields.phaseIndex ?? 0
    let end = configuration.phaseCount ?? Self.phaseLimit
    guard (0..<end).contains(index) else {
      throw SavedFieldError("invalid phaseIndex '\(index)' (expected 0 to \(end - 1))")
    }
    let phase = configuration.phases[index % configuration.phases.count]
    let left = fields.left.map(Duration.init(savedTimeLeft:)) ?? phase.duration
    let checkpoint = Cycle.Checkpoint(
      configuration: configuration, clock: spec.clock, state: fields.state, phaseIndex: index,
      timeLeft: fields.isActive ? left : nil, takenAt: now.wall)
    return try .cycle(
      SavedFieldError.ofTimer { () throws(RestoreError) in
        try Cycle.Value(restoring: checkpoint, at: now)
      })
  }

  /// The maximum phase number of an endless cycle: 30,000 years with phases of a millisecond.
  private static let phaseLimit = 1_000_000_000_000_000

  /// Returns the phases of a run. All phases until a long rest are one round of TimerKit's cycle, which has equal rounds.
  private func configuration(of spec: TimerSpec) -> Cycle.Configuration {
    guard let longRest, phases.count == 2 else {
      return .init(phases, rounds: rounds, tolerance: spec.tolerance)
    }
    let count = min(rounds ?? Self.roundsUntilLongRest, Self.longestSeries)
    var series = (0..<count).flatMap { _ in phases }
    series[series.count - 1] = Cycle.Phase("long \(phases[1].name)", longRest)
    return .init(
      series, rounds: rounds == nil ? nil : 1, includesFinalRest: true, tolerance: spec.tolerance)
  }
}

/// The rounds of a cycle as the grammar counts them, which has a long rest after several rounds.
extension Cycle.Snapshot {
  /// The number of phases in a round. Only a cycle with a long rest, whose rounds have two phases, includes the final one.
  private var phasesPerRound: Int {
    configuration.includesFinalRest ? 2 : configuration.phases.count
  }

  /// The number of rounds; `nil` for an endless cycle.
  var roundCount: Int? {
    configuration.rounds.map { $0 * configuration.phases.count / phasesPerRound }
  }

  /// The number of rounds that have not ended; `nil` for an endless cycle.
  var roundsLeft: Int? {
    roundCount.map { position == nil ? 0 : $0 - phaseIndex / phasesPerRound }
  }

  /// Returns the number of the round in which a phase is, from 1.
  func round(of position: Cycle.Position) -> Int {
    ((position.round - 1) * configuration.phases.count + position.index) / phasesPerRound + 1
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

  /// Parses `long 15m` after a cycle; any other `long` stays what it is.
  /// - Returns: False for other words.
  mutating func longRest(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) -> Bool {
    let word = tokens[position]
    guard case .cycle(var family) = spec.kind, word.plainKeyword == "long",
      position + 1 < tokens.count, tokens[position + 1].looksLikeDuration
    else { return false }
    guard family.phases.count == 2 else {
      throw error(
        "'long' after a cycle of \(counted(family.phases.count, "phase")) (expected work and rest, such as cycle 25/5 x4 long 15)",
        at: word)
    }
    guard seen.updateValue(word, forKey: "long") == nil else {
      throw error("'long' given twice", at: word)
    }
    // As in the phases, minutes are what is meant.
    let numberInMinutes = parsed.numberInMinutes
    family.longRest = try duration(after: "long", inMinutes: true)
    parsed.numberInMinutes = numberInMinutes
    spec.kind = .cycle(family)
    return true
  }

  /// Throws an error for a long rest after too many rounds.
  func checkLongRest(
    of spec: TimerSpec, _ seen: [String: Token]
  ) throws(TimerSyntaxError) {
    guard case .cycle(let family) = spec.kind, family.longRest != nil,
      let rounds = family.rounds, rounds > CycleFamily.longestSeries
    else { return }
    let message = "count must be at most \(CycleFamily.longestSeries) with 'long'"
    throw seen["x"].map { error(message, at: $0) } ?? error(message)
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

extension Cycle.Value {
  /// Restores a cycle with the time that it had left.
  init(restoring checkpoint: Cycle.Checkpoint, at now: ClockReading) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: .keepTimeLeft, clock: TimerClock(checkpoint.clock),
      at: now[checkpoint.clock], wall: now.wall)
  }

  func command(
    of action: TimerAction, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    if let command = action.commonCommand(in: state) { return command }
    switch action {
    case .adjustTime(let step):
      return try step.command(in: state, timeLeft: timeLeft(at: now[clock]))
    case .skip, .fire(pausing: false):
      guard state != .finished else { throw .finished }
      return .skip
    case .lap: throw .noLaps
    default: throw ControlRefusal("a cycle; edit its phases and rounds")
    }
  }

  mutating func perform(_ command: TimerCommand, at now: TimerClock.Instant) -> ControlResult {
    switch command {
    case .start: start(at: now)
    case .pause: pause(at: now)
    case .reset(let restart): restart ? self.restart(at: now) : reset(at: now)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change, at: now)
    case .skip: skip(at: now)
    case .fire, .setInterval, .setRemainingIterations, .lap: .unchanged
    }
  }

  /// The state as a file stores it.
  func fields(at now: ClockReading) -> SavedFields {
    let checkpoint = checkpoint(at: now[clock], wall: now.wall)
    return SavedFields(
      state: checkpoint.state, left: checkpoint.timeLeft?.seconds,
      phaseIndex: checkpoint.phaseIndex)
  }

  /// Returns the cycle with a phase that waits at its beginning; `nil` if it has no such phase.
  /// - Parameter index: The index of the phase in the run.
  func waiting(atPhase index: Int, at now: ClockReading) -> Cycle.Value? {
    var checkpoint = checkpoint(at: now[clock], wall: now.wall)
    let phases = checkpoint.configuration.phases
    checkpoint.state = .paused
    checkpoint.phaseIndex = index
    checkpoint.timeLeft = phases[index % phases.count].duration
    return try? Cycle.Value(restoring: checkpoint, at: now)
  }
}

extension TimerMachine {
  var cycle: Cycle.Snapshot? { if case .cycle(let value) = self { value.snapshot } else { nil } }

  /// The phases of a cycle; empty for other timers.
  package var phases: [Cycle.Phase] { cycle?.configuration.phases ?? [] }

  /// The name of the current phase of a cycle; `nil` for other kinds.
  package var phaseName: String? { cycle?.position?.phase.name }

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
    let phases = cycle.configuration.phases
    return phases[(position.index + 1) % phases.count]
  }

  /// The round of a cycle, such as `2 of 4`; `nil` for a cycle that has finished and for other timers.
  package var roundText: String? {
    round.map { "\($0)" + (cycle?.roundCount.map { " of \($0)" } ?? "") }
  }

  /// The number of the round of a cycle; `nil` for one that has finished and for other timers.
  var round: Int? { cycle.flatMap { cycle in cycle.position.map(cycle.round) } }
}

extension Cycle.Phase {
  /// The name with the duration: `rest 5m`.
  package var text: String { "\(name) \(DurationText.text(duration))" }
}
