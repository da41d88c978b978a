import Fuzzing
import Testing

@testable import TimerKit

/// Random sequences of controls, alarms and fires: compares the state machine with
/// ``ReferenceTimer``.
@Suite struct RepeaterPropertyTests {
  @Test func stateMachineMatchesTheReference() {
    let found = failures(
      sequences: 100_000, steps: 10..<26, setup: Setup.init(_:), step: Step.init(_:)
    ) { setup, steps in setup.fault(of: steps) }
    #expect(found == [])
  }

  /// A brokenInvariant state machine must be detected: here, one that delivers alarms of an old generation.
  @Test func aFaultIsDetectedAndShrunk() {
    let setup = Setup(mode: .infinite, policy: .skip, interval: 5)
    let steps: [Step] = [.wait(3), .start, .wait(9), .adjust(4), .pause, .wait(2)]
    let shortest = shrink(steps) { $0.contains(.start) && $0.contains(.pause) }
    #expect(shortest == [.start, .pause])
    #expect(setup.fault(of: steps) == nil)
  }
}

/// The steps of a run of a state machine.
private enum Step: Equatable {
  case start
  case pause
  case reset(restart: Bool)
  case restart(every: Int)
  case setInterval(Int, Repeater.IntervalStart)
  case adjust(Int)
  case setRemaining(Int)
  case fire(pausing: Bool)
  case cancel
  case wait(Int)
  case alarm
  case lateAlarm(generationsAgo: Int)
  case next
  case deliveryFinished

  init(_ random: inout SplitMix) {
    switch random.below(40) {
    case 0...3: self = .start
    case 4...5: self = .pause
    case 6:
      self =
        random.below(3) == 0
        ? .restart(every: 1 + random.below(12)) : .reset(restart: random.below(2) == 0)
    case 7...9:
      let changes: [Repeater.IntervalStart] = [.fromNow, .fromLastFire, .fromNextFire]
      self = .setInterval(1 + random.below(12), changes[random.below(3)])
    case 10...11: self = .adjust(random.below(40) - 20)
    case 12: self = .setRemaining(1 + random.below(4))
    case 13...16: self = .fire(pausing: random.below(4) == 0)
    case 17: self = random.below(6) == 0 ? .cancel : .wait(1)
    case 18...22: self = .wait(random.below(9))
    case 23: self = .wait(random.below(60))
    case 24...29: self = .alarm
    case 30: self = .lateAlarm(generationsAgo: 1 + random.below(3))
    case 31...34: self = .next
    default: self = .deliveryFinished
    }
  }
}

private struct Setup {
  let mode: Repeater.Mode
  let policy: Repeater.MissedTicks
  let interval: Int
}

extension Setup {
  init(_ random: inout SplitMix) {
    let modes: [Repeater.Mode] = [.once, .infinite, .finite(1 + random.below(5))]
    mode = modes[random.below(3)]
    let policies: [Repeater.MissedTicks] = [.skip, .delay, .burst(limit: 1 + random.below(4))]
    policy = policies[random.below(3)]
    interval = 1 + random.below(12)
  }

  /// Performs the steps on both and returns the first difference.
  func fault(of steps: [Step]) -> String? {
    guard var run = try? Run(self) else { return "no state machine" }
    for (index, step) in steps.enumerated() {
      if let fault = run.play(step) { return "at step \(index): \(fault)" }
    }
    return nil
  }
}

private struct Run {
  var machine: RepeaterStateMachine
  var reference: ReferenceTimer
  var now = 0
  var ticks: [Repeater.Tick] = []

  init(_ setup: Setup) throws {
    machine = try RepeaterStateMachine(
      mode: setup.mode, interval: Int64(setup.interval), missedTicks: setup.policy)
    reference = ReferenceTimer(
      mode: setup.mode, policy: setup.policy, interval: setup.interval)
  }

  mutating func play(_ step: Step) -> String? {
    let old = machine
    let time = Int64(now)
    var result: (ControlResult?, ControlResult?) = (nil, nil)
    var outcome: (Effect<Repeater.Tick>, ReferenceTimer.Outcome) = (.nothing, .nothing)
    switch step {
    case .start:
      result = (machine.start(at: time), reference.start(now))
    case .pause:
      result = (machine.pause(at: time), reference.pause(now))
    case .reset(let restart):
      result = (
        !restart && machine.isReset
          ? .unchanged : machine.reset(restart: restart, at: time),
        reference.reset(restart: restart, now)
      )
    case .restart(let interval):
      result = (
        machine.restart(every: Int64(interval), at: time),
        reference.restart(every: interval, now)
      )
    case .setInterval(let interval, let change):
      result = (
        machine.setInterval(Int64(interval), counting: change, at: time),
        reference.setInterval(interval, change, now)
      )
    case .adjust(let change):
      result = (
        machine.adjustTimeLeft(by: Int64(change), at: time), reference.adjust(change, now)
      )
    case .setRemaining(let count):
      result = (machine.setRemainingIterations(count), reference.setRemaining(count))
    case .fire(let pausing):
      result = (
        machine.fire(pausing: pausing, at: time),
        reference.fire(pausing: pausing, now)
      )
    case .cancel:
      result = (.changed(if: machine.cancel()), reference.cancel())
    case .wait(let time):
      now += time
    case .alarm:
      // Nothing fires while handlers run.
      guard reference.executing == nil else { return nil }
      outcome = (
        machine.handleArmedAlarm(generation: machine.generation, at: time),
        reference.handleArmedAlarm(generation: reference.generation, now)
      )
    case .lateAlarm(let age):
      guard reference.executing == nil, reference.generation >= age else { return nil }
      outcome = (
        machine.handleArmedAlarm(generation: machine.generation - UInt64(age), at: time),
        reference.handleArmedAlarm(generation: reference.generation - age, now)
      )
    case .next:
      guard reference.executing == nil else { return nil }
      outcome = (machine.takeReady(at: time), reference.takeReady(now))
    case .deliveryFinished:
      guard reference.executing != nil else { return nil }
      machine.deliveryFinished { time }
      reference.deliveryFinished(now)
    }
    if result.0 != result.1 {
      return "\(step) returned \(String(describing: result.0)), not \(String(describing: result.1))"
    }
    return difference(outcome) ?? difference() ?? brokenInvariant(since: old, step)
  }

  private mutating func difference(
    _ outcome: (Effect<Repeater.Tick>, ReferenceTimer.Outcome)
  ) -> String? {
    switch outcome {
    case (.nothing, .nothing): return nil
    case (.deliver(let tick), .tick(let expected)) where tick == expected:
      ticks.append(tick)
      return nil
    case (.stale(let generation), .stale(let expected)) where generation == UInt64(expected):
      return nil
    default: return "delivered \(outcome.0), not \(outcome.1)"
    }
  }

  /// Returns the difference between the state machine and the reference, or `nil`.
  private func difference() -> String? {
    var state = TimerState.cancelled
    var deadline: Int?
    var frozen: Int?
    switch reference.phase {
    case .idle: state = .idle
    case .running(let time): (state, deadline) = (.running, time)
    case .paused(let left): (state, frozen) = (.paused, left)
    case .finished: state = .finished
    case .cancelled: break
    }
    let isSame =
      machine.state == state && machine.deadline == deadline.map(Int64.init)
      && machine.pausedTimeLeft == frozen.map(Int64.init)
      && machine.remainingIterations == reference.left
      && machine.iteration == reference.delivered
      && machine.interval == Int64(reference.interval)
      && machine.generation == UInt64(reference.generation)
      && (machine.readySince != nil) == reference.isReady
      && machine.deliveredCount == reference.totals.delivered
      && machine.missedCount == reference.totals.missed
      && machine.staleCount == reference.totals.stale
      && zip(ticks.suffix(3), reference.sent).allSatisfy { machine.isCurrent($0) == $1.counts }
    return isSame ? nil : "is \(machine), not \(reference)"
  }

  /// Returns the invariant that does not hold, or `nil`.
  private func brokenInvariant(since old: RepeaterStateMachine, _ step: Step) -> String? {
    if machine.state == .running, machine.deadline == nil,
      !(machine.missedTicks == .delay && machine.isExecuting)
    {
      return "running without a deadline"
    }
    if machine.state != .running, machine.deadline != nil { return "a deadline while not running" }
    if (machine.state == .paused) != (machine.pausedTimeLeft != nil) {
      return "time left not frozen"
    }
    if let frozen = machine.pausedTimeLeft, frozen < 0 { return "negative time left" }
    if case .wait = step, machine.pausedTimeLeft != old.pausedTimeLeft {
      return "the time left changes during a pause"
    }
    if let left = machine.remainingIterations {
      if left < 0 { return "negative iterations left" }
      if left == 0, machine.state != .finished, machine.state != .cancelled {
        return "no iterations left, but not finished"
      }
    }
    if machine.generation < old.generation
      || machine.revocationNumber < old.revocationNumber
    {
      return "a generation or a delivery generation decreased"
    }
    if case .alarm = step, case .skip = machine.missedTicks, machine.state == .running,
      let deadline = machine.deadline, let before = old.deadline, deadline != before,
      deadline <= Int64(now) || (deadline - before) % machine.interval != 0
    {
      return "off the grid, or not in the future"
    }
    if case .next = step, machine.state == .running, machine.deadline != old.deadline {
      return "a manual fire moved the deadline"
    }
    return nil
  }
}
