import Fuzzing
import Testing

@testable import TimerKit

/// Compares random use of a whole Repeater on virtual time, with controls and advances in its handlers,
/// with ``ReferenceTimer`` in a simple simulation of a clock.
@Suite struct RepeaterStoragePropertyTests {
  @Test func repeaterMatchesTheReference() {
    let found = failures(
      sequences: 10_000, steps: 8..<9, setup: Use.init(_:), step: Control.init(_:)
    ) { use, steps in use.with([.start] + steps).fault }
    #expect(found == [])
  }
}

private enum Control {
  case start
  case pause
  case reset(restart: Bool)
  case restart(every: Int)
  case setInterval(Int, Repeater.IntervalStart)
  case adjust(Int)
  case setRemaining(Int)
  case fire(pausing: Bool)
  case cancel
  case advance(Int)

  init(_ random: inout SplitMix) {
    switch random.below(30) {
    case 0...4: self = .start
    case 5...6: self = .pause
    case 7:
      self =
        random.below(3) == 0
        ? .restart(every: 1 + random.below(12)) : .reset(restart: random.below(2) == 0)
    case 8...9:
      let changes: [Repeater.IntervalStart] = [.fromNow, .fromLastFire, .fromNextFire]
      self = .setInterval(1 + random.below(12), changes[random.below(3)])
    case 10...11: self = .adjust(random.below(40) - 20)
    case 12: self = .setRemaining(random.below(5))
    case 13...15: self = .fire(pausing: random.below(4) == 0)
    case 16: self = random.below(8) == 0 ? .cancel : .advance(0)
    default: self = .advance(random.below(25))
    }
  }
}

private enum Outcome: Equatable {
  case result(ControlResult)
}

private enum Entry: Equatable {
  case outcome(Outcome)
  case state(from: TimerState, to: TimerState)
  case tick(Repeater.Tick)
}

/// A random use of a timer: the steps of the test, and the steps of the first handlers.
private struct Use {
  var mode: Repeater.Mode
  var policy: Repeater.MissedTicks
  var interval: Int
  var steps: [Control] = []
  var scripts: [[Control]]

  init(_ random: inout SplitMix) {
    let modes: [Repeater.Mode] = [.once, .infinite, .finite(1 + random.below(6))]
    mode = modes[random.below(3)]
    let policies: [Repeater.MissedTicks] = [.skip, .delay, .burst(limit: 1 + random.below(4))]
    policy = policies[random.below(3)]
    interval = 1 + random.below(12)
    scripts = (0..<6).map { _ in
      (0..<max(0, random.below(5) - 2)).map { _ in Control(&random) }
    }
  }

  func with(_ steps: [Control]) -> Use {
    var other = self
    other.steps = steps
    return other
  }

  var fault: String? {
    let clock = VirtualClock()
    let real = play(on: clock)
    var simulation = Simulation(self, clock: .virtual(clock))
    for step in steps { simulation.perform(step) }
    guard real != simulation.log else { return nil }
    let index = zip(real, simulation.log).prefix { $0 == $1 }.count
    return """
      entry \(index) of \(real.count) and \(simulation.log.count):
      \(real.dropFirst(index).first.map { "\($0)" } ?? "nothing"), not
      \(simulation.log.dropFirst(index).first.map { "\($0)" } ?? "nothing")
      """
  }

  /// Performs the steps on a timer.
  private func play(on clock: VirtualClock) -> [Entry] {
    let log = Recorder<Entry>()
    let ticks = Recorder<Void>()
    let scripts = scripts
    let timer = try? Repeater(
      interval: .nanoseconds(interval), mode: mode, missedTicks: policy, clock: .virtual(clock)
    ) { timer, tick in
      log.append(.tick(tick))
      let index = ticks.count
      ticks.append(())
      guard index < scripts.count else { return }
      for control in scripts[index] {
        if let outcome = control.perform(on: timer, clock) { log.append(.outcome(outcome)) }
      }
    }
    guard let timer else { return [] }
    timer.observe { _, event in
      if case .state(let old, let new) = event { log.append(.state(from: old, to: new)) }
    }
    for step in steps {
      if let outcome = step.perform(on: timer, clock) { log.append(.outcome(outcome)) }
    }
    return log.all
  }
}

extension Control {
  /// Performs the control and returns its outcome, or `nil` if it has none.
  func perform(on timer: Repeater, _ clock: VirtualClock) -> Outcome? {
    switch self {
    case .start: return .result(timer.start())
    case .pause: return .result(timer.pause())
    case .reset(let restart): return .result(restart ? timer.restart() : timer.reset())
    case .restart(let interval):
      return .result(timer.restart(every: .nanoseconds(interval)))
    case .setInterval(let interval, let change):
      return .result(timer.setInterval(.nanoseconds(interval), counting: change))
    case .adjust(let change):
      return .result(timer.adjustTimeLeft(by: .nanoseconds(change)))
    case .setRemaining(let count): return .result(timer.setRemainingIterations(count))
    case .fire(let pausing): return .result(timer.fire(pausing: pausing))
    case .cancel: return .result(timer.cancel())
    case .advance(let time):
      clock.advance(by: .nanoseconds(time))
      return nil
    }
  }
}

/// A simple simulation of a clock with one timer.
private struct Simulation {
  var timer: ReferenceTimer
  let scripts: [[Control]]
  var now = 0
  var goal: Int?
  var isDeliveringHere = false
  var drain: Int?
  var ticks = 0
  var log: [Entry] = []

  init(_ use: Use, clock: TimerClock) {
    timer = ReferenceTimer(
      mode: use.mode, policy: use.policy, interval: use.interval, clock: clock)
    scripts = use.scripts
  }

  mutating func perform(_ control: Control) {
    if case .advance(let time) = control {
      goal = max(goal ?? now + time, now + time)
      if isDeliveringHere { now += time } else { fire() }
      return
    }
    let before = timer.state
    let outcome = apply(control)
    if timer.state != before, !isDeliveringHere {
      log.append(.state(from: before, to: timer.state))
    }
    if !isDeliveringHere {
      requestDrain()
      fire()
    }
    if let outcome { log.append(.outcome(outcome)) }
  }

  private mutating func apply(_ control: Control) -> Outcome? {
    if case .setRemaining(let count) = control, count < 1 {
      return .result(.refused(.invalid(.invalidCount(count, parameter: .remainingIterations))))
    }
    let result: ControlResult? =
      switch control {
      case .start: timer.start(now)
      case .pause: timer.pause(now)
      case .reset(let restart): timer.reset(restart: restart, now)
      case .restart(let interval): timer.restart(every: interval, now)
      case .setInterval(let interval, let change): timer.setInterval(interval, change, now)
      case .adjust(let change): timer.adjust(change, now)
      case .setRemaining(let count): timer.setRemaining(count)
      case .fire(let pausing): timer.fire(pausing: pausing, now)
      case .cancel: timer.cancel()
      case .advance: nil
      }
    return result.map(Outcome.result)
  }

  private mutating func requestDrain() {
    if drain == nil { drain = timer.burst.first?.scheduled ?? timer.requests.first?.at }
  }

  /// Fires due alarms up to the goal, and all drains.
  private mutating func fire() {
    isDeliveringHere = true
    while true {
      var alarm: Int?
      if case .running(let deadline?) = timer.phase, let goal, deadline <= goal { alarm = deadline }
      guard let time = [alarm, drain].compactMap({ $0 }).min() else { break }
      now = max(now, time)
      let before = timer.state
      let outcome: ReferenceTimer.Outcome
      if alarm == time {
        outcome = timer.handleArmedAlarm(generation: timer.generation, now)
      } else {
        drain = nil
        outcome = timer.takeReady(now)
      }
      if case .tick(let tick) = outcome { deliver(tick, before) }
      requestDrain()
    }
    now = max(now, goal ?? now)
    goal = nil
    isDeliveringHere = false
  }

  private mutating func deliver(_ tick: Repeater.Tick, _ before: TimerState) {
    log.append(.tick(tick))
    ticks += 1
    if ticks <= scripts.count {
      for control in scripts[ticks - 1] { perform(control) }
    }
    timer.deliveryFinished(now)
    if timer.state != before { log.append(.state(from: before, to: timer.state)) }
  }
}
