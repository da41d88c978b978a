import Fuzzing
import Testing

@testable import TimerKit

@Suite struct RepeaterPropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<RepeaterModel>.failures(sequences: 20_000) == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<RepeaterModel>.failures(sequences: 4_000) == [])
  }
}

/// The rules of a repeater: see ``ReferenceTimer``.
struct RepeaterModel: ReferenceModel {
  typealias Machine = RepeaterStateMachine
  typealias Timer = Repeater

  enum Control: Sendable {
    case start, pause, cancel
    case reset(restart: Bool)
    case restart(every: Int)
    case setInterval(Int, Repeater.IntervalStart)
    case adjust(Int)
    case setRemaining(Int)
    case fire(pausing: Bool)
  }

  private var timer: ReferenceTimer

  init(_ random: inout SplitMix) {
    timer = ReferenceTimer(
      mode: random.one(of: [.once, .infinite, .finite(1 + random.below(6))]),
      policy: random.one(of: [.skip, .delay, .burst(limit: 1 + random.below(4))]),
      interval: 1 + random.below(12), startDelay: random.below(3) == 0 ? random.below(20) : nil)
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(20) {
    case 0...4: .start
    case 5...6: .pause
    case 7:
      random.below(3) == 0
        ? .restart(every: 1 + random.below(12)) : .reset(restart: random.below(2) == 0)
    case 8...10:
      .setInterval(
        1 + random.below(12), random.one(of: [.fromNow, .fromLastFire, .fromNextFire]))
    case 11...12: .adjust(random.below(40) - 20)
    case 13...14: .setRemaining(random.below(5))
    case 15: random.below(8) == 0 ? .cancel : .start
    default: .fire(pausing: random.below(4) == 0)
    }
  }

  var state: TimerState { timer.state }
  var generation: Int { timer.generation }
  var revocationNumber: Int { timer.revocationNumber }
  var readySince: Int? { timer.burst.first?.scheduled ?? timer.requests.first?.at }
  var currentFlags: [Bool] { timer.sent.map(\.counts) }

  var deadline: Int? {
    if case .running(let deadline) = timer.phase { deadline } else { nil }
  }

  var facts: [Int?] {
    var frozen: Int?
    if case .paused(let left) = timer.phase { frozen = left }
    return [frozen, timer.left, timer.delivered, timer.interval, timer.totals.missed]
  }

  mutating func perform(_ control: Control, at now: Int) -> String {
    let result: ControlResult =
      switch control {
      case .start: timer.start(now)
      case .pause: timer.pause(now)
      case .cancel: timer.cancel()
      case .reset(let restart): timer.reset(restart: restart, now)
      case .restart(let interval): timer.restart(every: interval, now)
      case .setInterval(let interval, let start): timer.setInterval(interval, start, now)
      case .adjust(let change): timer.adjust(change, now)
      case .setRemaining(let count): Self.refusal(of: count) ?? timer.setRemaining(count)
      case .fire(let pausing): timer.fire(pausing: pausing, now)
      }
    return "\(result)"
  }

  private static func refusal(of count: Int) -> ControlResult? {
    guard count < 1 else { return nil }
    return .refused(.invalid(.invalidCount(count, parameter: .remainingIterations)))
  }

  mutating func handleArmedAlarm(at now: Int) -> Effect<Repeater.Tick> {
    guard deadline != nil else { return .nothing }
    return effect(timer.handleArmedAlarm(generation: timer.generation, now))
  }

  mutating func takeReady(at now: Int) -> Effect<Repeater.Tick> { effect(timer.takeReady(now)) }

  private func effect(_ outcome: ReferenceTimer.Outcome) -> Effect<Repeater.Tick> {
    switch outcome {
    case .nothing: .nothing
    case .tick(let tick): .deliver(tick)
    case .stale(let generation): .stale(generation: UInt64(generation))
    }
  }

  mutating func deliveryFinished(at now: Int) { timer.deliveryFinished(now) }
}

// MARK: - The state machine and the timer
extension RepeaterModel {
  private var startDelay: Duration? { timer.startDelay.map { .nanoseconds($0) } }

  func makeMachine() -> RepeaterStateMachine {
    do {
      return try RepeaterStateMachine(
        Repeater.Configuration(
          .interval(.nanoseconds(timer.interval)), mode: timer.mode,
          startingAfter: startDelay, missedTicks: timer.policy))
    } catch { fatalError("\(error)") }
  }

  static func perform(
    _ control: Control, on machine: inout RepeaterStateMachine, at now: Int64
  ) -> String {
    let result: ControlResult =
      switch control {
      case .start: machine.start(at: now)
      case .pause: machine.pause(at: now)
      case .cancel: .changed(if: machine.end())
      case .reset(let restart):
        !restart && machine.isReset ? .unchanged : machine.reset(restart: restart, at: now)
      case .restart(let interval): machine.restart(every: Int64(interval), at: now)
      case .setInterval(let interval, let start):
        machine.setInterval(Int64(interval), counting: start, at: now)
      case .adjust(let change): machine.adjustTimeLeft(by: Int64(change), at: now)
      case .setRemaining(let count): refusal(of: count) ?? machine.setRemainingIterations(count)
      case .fire(let pausing): machine.fire(pausing: pausing, at: now)
      }
    return "\(result)"
  }

  static func facts(of machine: RepeaterStateMachine) -> [Int?] {
    [
      machine.pausedTimeLeft.map(Int.init), machine.remainingIterations, machine.iteration,
      Int(machine.interval), machine.missedCount,
    ]
  }

  static func isCurrent(_ tick: Repeater.Tick, on machine: RepeaterStateMachine) -> Bool {
    machine.isCurrent(tick)
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Repeater, String) -> Void
  ) -> Repeater? {
    try? Repeater(
      interval: .nanoseconds(timer.interval), mode: timer.mode, startingAfter: startDelay,
      missedTicks: timer.policy, clock: .virtual(clock)
    ) { timer, _ in handler(timer, "handler") }
  }

  static func perform(
    _ control: Control, on timer: Repeater, handler: @escaping @Sendable (Repeater, String) -> Void
  ) -> String {
    let result =
      switch control {
      case .start: timer.start()
      case .pause: timer.pause()
      case .cancel: timer.cancel()
      case .reset(let restart): restart ? timer.restart() : timer.reset()
      case .restart(let interval): timer.restart(every: .nanoseconds(interval))
      case .setInterval(let interval, let start):
        timer.setInterval(.nanoseconds(interval), counting: start)
      case .adjust(let change): timer.adjustTimeLeft(by: .nanoseconds(change))
      case .setRemaining(let count): timer.setRemainingIterations(count)
      case .fire(let pausing): timer.fire(pausing: pausing)
      }
    return "\(result)"
  }
}
