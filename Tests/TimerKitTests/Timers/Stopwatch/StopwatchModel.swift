import Fuzzing
import Testing

@testable import TimerKit

@Suite struct StopwatchPropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<StopwatchModel>.failures() == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<StopwatchModel>.failures() == [])
  }
}

/// The rules of a stopwatch, in simple form: the elapsed time is a list of running periods.
struct StopwatchModel: ReferenceModel {
  typealias Machine = StopwatchStateMachine
  typealias Timer = Stopwatch

  enum Control: Sendable {
    case start, pause, lap, cancel
    case reset(restart: Bool)
    case setAlarm(Int?)
  }

  struct UndeliveredLap: Sendable {
    var lap: Stopwatch.Lap
    var generation: Int
    var at: Int
    var isRevoked = false
  }

  var state = TimerState.idle
  var periods: [Int] = []
  var startedAt = 0
  var laps: [Int] = []
  var alarm: Int?
  var hasFired = false
  var undeliveredLaps: [UndeliveredLap] = []
  var generation = 0
  var revocationNumber = 0

  init(_ random: inout SplitMix) {}

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(20) {
    case 0...5: .start
    case 6...8: .pause
    case 9...13: .lap
    case 14: random.below(4) == 0 ? .cancel : .lap
    case 15...16: .reset(restart: random.below(2) == 0)
    default: .setAlarm(random.below(4) == 0 ? nil : 1 + random.below(40))
    }
  }

  private var before: Int { periods.reduce(0, +) }

  var readySince: Int? { undeliveredLaps.first?.at }

  var deadline: Int? {
    guard state == .running, !hasFired, let alarm else { return nil }
    return startedAt - before + alarm
  }
}

// MARK: - Deliveries
extension StopwatchModel {
  mutating func handleArmedAlarm(at now: Int) -> Effect<Stopwatch.Delivery> {
    guard let deadline, let alarm, now >= deadline else { return .nothing }
    hasFired = true
    return .deliver(.alarm(at: .nanoseconds(alarm), lateness: .nanoseconds(now - deadline)))
  }

  mutating func takeReady(at now: Int) -> Effect<Stopwatch.Delivery> {
    guard !undeliveredLaps.isEmpty else { return .nothing }
    let first = undeliveredLaps.removeFirst()
    if first.isRevoked { return .stale(generation: UInt64(first.generation)) }
    return .deliver(.lap(first.lap))
  }
}

// MARK: - Controls
extension StopwatchModel {
  mutating func perform(_ control: Control, at now: Int) -> String {
    if state == .cancelled {
      switch control {
      case .cancel: return "unchanged"
      case .lap: return "nil"
      default: return "\(ControlResult.refused(.cancelled))"
      }
    }
    switch control {
    case .start:
      if state == .running { return "unchanged" }
      startedAt = now
      enter(.running)
      return "changed"
    case .pause:
      if state == .idle { return "\(ControlResult.refused(.idle))" }
      if state != .running { return "unchanged" }
      periods.append(now - startedAt)
      enter(.paused)
      return "changed"
    case .reset(let restart):
      if !restart, state == .idle, before == 0, laps.isEmpty, !hasFired { return "unchanged" }
      periods = []
      laps = []
      hasFired = false
      startedAt = now
      enter(restart ? .running : .idle)
      revoke()
      return "changed"
    case .lap:
      if state != .running { return "nil" }
      let total = before + now - startedAt
      let lap = Stopwatch.Lap(
        number: laps.count + 1, time: .nanoseconds(total - (laps.last ?? 0)),
        total: .nanoseconds(total))
      laps.append(total)
      undeliveredLaps.append(UndeliveredLap(lap: lap, generation: generation, at: now))
      return "\(lap)"
    case .setAlarm(let elapsed):
      if alarm == elapsed, !hasFired { return "unchanged" }
      alarm = elapsed
      hasFired = false
      generation += 1
      return "changed"
    case .cancel:
      if state == .running { periods.append(now - startedAt) }
      enter(.cancelled)
      revoke()
      return "changed"
    }
  }

  private mutating func enter(_ newState: TimerState) {
    state = newState
    generation += 1
  }

  private mutating func revoke() {
    revocationNumber += 1
    for index in undeliveredLaps.indices { undeliveredLaps[index].isRevoked = true }
  }

  func makeMachine() -> StopwatchStateMachine { StopwatchStateMachine() }

  static func perform(
    _ control: Control, on machine: inout StopwatchStateMachine, at now: Int64
  ) -> String {
    resultText { () -> Any in
      switch control {
      case .start: return machine.start(at: now)
      case .pause: return machine.pause(at: now)
      case .lap: return machine.lap(at: now).map { "\($0)" } ?? "nil"
      case .cancel:
        machine.advance(to: now)
        return ControlResult.changed(if: machine.end())
      case .reset(let restart):
        return !restart && machine.isReset
          ? .unchanged : machine.reset(restart: restart, at: now)
      case .setAlarm(let elapsed): return machine.setAlarm(at: elapsed.map(Int64.init))
      }
    }
  }

  var facts: [Int?] {
    [state == .running ? nil : before, laps.count, laps.last, alarm, hasFired ? 1 : 0]
  }

  static func facts(of machine: StopwatchStateMachine) -> [Int?] {
    let total = machine.laps.last.map { Int($0.total.clampedNanoseconds) }
    return [
      machine.elapsedWhenStopped.map(Int.init), machine.laps.count, total,
      machine.alarmTime.map(Int.init), machine.alarmHasFired ? 1 : 0,
    ]
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Stopwatch, String) -> Void
  ) -> Stopwatch? {
    Stopwatch(clock: .virtual(clock)) { timer, _ in handler(timer, "handler") }
  }

  static func perform(
    _ control: Control, on timer: Stopwatch,
    handler: @escaping @Sendable (Stopwatch, String) -> Void
  ) -> String {
    resultText { () throws(TimerConfigurationError) -> Any in
      switch control {
      case .start: timer.start()
      case .pause: timer.pause()
      case .lap: timer.lap().map { "\($0)" } ?? "nil"
      case .cancel: timer.cancel()
      case .reset(let restart): restart ? timer.restart() : timer.reset()
      case .setAlarm(let elapsed): timer.setAlarm(at: elapsed.map { .nanoseconds($0) })
      }
    }
  }
}
