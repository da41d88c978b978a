import Fuzzing
import Testing

@testable import TimerKit

@Suite struct CyclePropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<CycleModel>.failures() == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<CycleModel>.failures() == [])
  }
}

/// The rules of a cycle, in simple form: each phase is followed by the next.
struct CycleModel: ReferenceModel {
  typealias Machine = CycleStateMachine
  typealias Timer = Cycle

  enum Control: Sendable {
    case start, pause, skip, cancel
    case reset(restart: Bool)
    case adjust(Int)
  }

  struct Skip: Sendable {
    var number: Int
    var generation: Int
    var at: Int
    var isRevoked = false
  }

  let lengths: [Int]
  let rounds: Int?
  let includesFinalRest: Bool
  var phase = TimerState.idle
  /// The phase's index in its round, the round counted from 1, and the phase's number in the run.
  var index = 0
  var round = 1
  var number = 0
  var isOver = false
  var end = 0
  var left = 0
  var generation = 0 {
    didSet { for index in sent.indices where !sent[index].isManual { sent[index].counts = false } }
  }
  var revocationNumber = 0
  var skips: [Skip] = []
  var sent: [(tick: Cycle.Tick, isManual: Bool, counts: Bool)] = []
  var totalMissed = 0

  init(_ random: inout SplitMix) {
    lengths = (0..<1 + random.below(3)).map { _ in 1 + random.below(10) }
    rounds = random.below(3) == 0 ? nil : 1 + random.below(3)
    includesFinalRest = random.below(4) == 0
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(20) {
    case 0...5: .start
    case 6...7: .pause
    case 8...12: .skip
    case 13: random.below(4) == 0 ? .cancel : .start
    case 14...15: .reset(restart: random.below(2) == 0)
    default: .adjust(random.below(30) - 15)
    }
  }

  var phases: [Cycle.Phase] {
    lengths.enumerated().map { Cycle.Phase("phase \($0)", .nanoseconds($1)) }
  }

  var state: TimerState { phase }
  var deadline: Int? { phase == .running ? end : nil }
  var readySince: Int? { skips.first?.at }
}

// MARK: - Phases
extension CycleModel {
  private var position: Cycle.Position {
    Cycle.Position(phase: phases[index], index: index, round: round)
  }

  /// Advances to the next phase, if there is one.
  private mutating func step() {
    let isLastPhase = index == lengths.count - 1
    let isLastRound = round == rounds
    let restComes = index == lengths.count - 2
    number += 1
    if isLastRound, isLastPhase || restComes && !includesFinalRest {
      isOver = true
      return
    }
    if isLastPhase { round += 1 }
    index = isLastPhase ? 0 : index + 1
  }

  private mutating func rewind() {
    index = 0
    round = 1
    number = 0
    isOver = false
    revokeSkips()
  }

  private mutating func revokeSkips() {
    for index in skips.indices { skips[index].isRevoked = true }
  }

  private mutating func revoke() {
    revocationNumber += 1
    revokeSkips()
    for index in sent.indices { sent[index].counts = false }
  }

  private mutating func run(until deadline: Int) {
    phase = .running
    end = deadline
    generation += 1
  }
}

// MARK: - Deliveries
extension CycleModel {
  mutating func handleArmedAlarm(at now: Int) -> Effect<Cycle.Tick> {
    guard phase == .running, now >= end else { return .nothing }
    let ended = position
    let due = end
    var missed = 0
    step()
    while !isOver, end + lengths[index] <= now {
      end += lengths[index]
      missed += 1
      step()
    }
    if !isOver { end += lengths[index] }
    return deliver(ended, due: due, missed: missed, isManual: false, now)
  }

  mutating func takeReady(at now: Int) -> Effect<Cycle.Tick> {
    guard !skips.isEmpty else { return .nothing }
    let skip = skips.removeFirst()
    guard !skip.isRevoked, skip.number == number, !isOver else {
      return .stale(generation: UInt64(skip.generation))
    }
    let ended = position
    step()
    if !isOver {
      if phase == .running { run(until: skip.at + lengths[index]) }
      if phase == .paused { left = lengths[index] }
    }
    return deliver(ended, due: skip.at, missed: 0, isManual: true, now)
  }

  private mutating func deliver(
    _ ended: Cycle.Position, due: Int, missed: Int, isManual: Bool, _ now: Int
  ) -> Effect<Cycle.Tick> {
    totalMissed += missed
    if isOver {
      phase = .finished
      generation += 1
    }
    let roundsLeft = rounds.map { isOver ? 0 : $0 - round + 1 }
    let tick = Cycle.Tick(
      ended: ended, begun: isOver ? nil : position, remainingRounds: roundsLeft,
      missedCount: missed,
      generation: UInt64(generation),
      deadline: TimerClock.suspending.instant(nanoseconds: Int64(due)),
      lateness: isManual ? .zero : .nanoseconds(now - due), isManual: isManual)
    sent.append((tick, isManual, true))
    return .deliver(tick)
  }
}

// MARK: - Controls
extension CycleModel {
  mutating func perform(_ control: Control, at now: Int) -> String {
    if phase == .cancelled {
      if case .cancel = control { return "unchanged" }
      return "\(ControlResult.refused(.cancelled))"
    }
    switch control {
    case .start:
      switch phase {
      case .running: return "unchanged"
      case .paused: run(until: now + left)
      case .finished:
        rewind()
        fallthrough
      default: run(until: now + lengths[index])
      }
      return "changed"
    case .pause:
      if let refusal { return refusal }
      guard phase == .running else { return "unchanged" }
      phase = .paused
      left = end > now ? end - now : 0
      generation += 1
      revoke()
      return "changed"
    case .reset(let restart):
      if !restart, phase == .idle, number == 0, skips.allSatisfy(\.isRevoked) { return "unchanged" }
      rewind()
      phase = .idle
      if restart { run(until: now + lengths[0]) } else { generation += 1 }
      revoke()
      return "changed"
    case .adjust(let change):
      if let refusal { return refusal }
      if phase == .paused { left = left + change < 0 ? 0 : left + change }
      if phase == .running { run(until: end + change < now ? now : end + change) }
      return "changed"
    case .skip:
      guard !isOver else { return "\(ControlResult.refused(.finished))" }
      var ahead = self
      ahead.skips = []
      for skip in skips where !skip.isRevoked && skip.number == ahead.number { ahead.step() }
      guard !ahead.isOver else { return "unchanged" }
      skips.append(Skip(number: ahead.number, generation: generation, at: now))
      return "changed"
    case .cancel:
      phase = .cancelled
      generation += 1
      revoke()
      return "changed"
    }
  }

  /// The result of a control that needs a run; `nil` during a run.
  private var refusal: String? {
    switch phase {
    case .idle: "\(ControlResult.refused(.idle))"
    case .finished: "\(ControlResult.refused(.finished))"
    default: nil
    }
  }

  func makeMachine() -> CycleStateMachine {
    do {
      return CycleStateMachine(
        try CyclePlan(
          Cycle.Configuration(phases, rounds: rounds, includesFinalRest: includesFinalRest)))
    } catch { fatalError("\(error)") }
  }

  static func perform(
    _ control: Control, on machine: inout CycleStateMachine, at now: Int64
  ) -> String {
    resultText { () -> ControlResult in
      switch control {
      case .start: machine.start(at: now)
      case .pause: machine.pause(at: now)
      case .skip: machine.skip(at: now)
      case .cancel: .changed(if: machine.end())
      case .reset(let restart):
        !restart && machine.isReset ? .unchanged : machine.reset(restart: restart, at: now)
      case .adjust(let change): machine.adjustTimeLeft(by: Int64(change), at: now)
      }
    }
  }

  var facts: [Int?] {
    [
      number, isOver ? nil : index, isOver ? nil : round, phase == .paused ? left : nil,
      totalMissed,
    ]
  }

  var currentFlags: [Bool] { sent.map(\.counts) }

  static func facts(of machine: CycleStateMachine) -> [Int?] {
    [
      machine.phaseIndex, machine.position?.index, machine.position?.round,
      machine.pausedTimeLeft.map(Int.init), machine.missedCount,
    ]
  }

  static func isCurrent(_ tick: Cycle.Tick, on machine: CycleStateMachine) -> Bool {
    machine.isCurrent(tick)
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Cycle, String) -> Void
  ) -> Cycle? {
    try? Cycle(phases, rounds: rounds, includesFinalRest: includesFinalRest, clock: .virtual(clock))
    {
      timer, _ in
      handler(timer, "handler")
    }
  }

  static func perform(
    _ control: Control, on timer: Cycle, handler: @escaping @Sendable (Cycle, String) -> Void
  ) -> String {
    resultText { () -> ControlResult in
      switch control {
      case .start: timer.start()
      case .pause: timer.pause()
      case .skip: timer.skip()
      case .cancel: timer.cancel()
      case .reset(let restart): restart ? timer.restart() : timer.reset()
      case .adjust(let change): timer.adjustTimeLeft(by: .nanoseconds(change))
      }
    }
  }
}
