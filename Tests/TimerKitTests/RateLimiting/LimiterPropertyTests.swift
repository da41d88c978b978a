import Fuzzing
import Testing

@testable import TimerKit

/// Random calls, controls, alarms and drains with arbitrary delays: the state machines are compared with
/// ``ReferenceDebouncer`` and ``ReferenceThrottler``.
@Suite struct LimiterPropertyTests {
  @Test func debouncerMatchesTheReference() {
    let found = failures(
      sequences: 5_000, setup: DebounceSetup.init(_:), step: LimiterStep.init(_:)
    ) { setup, steps in
      var run = LimiterRun(machine: setup.machine, reference: setup.reference)
      return run.fault(of: steps) { machine, reference, delay in
        machine.delay = Int64(delay)
        reference.delay = delay
      }
    }
    #expect(found == [])
  }

  @Test func throttlerMatchesTheReference() {
    let found = failures(
      sequences: 5_000, setup: ThrottleSetup.init(_:), step: LimiterStep.init(_:)
    ) { setup, steps in
      var run = LimiterRun(machine: setup.machine, reference: setup.reference)
      return run.fault(of: steps) { _, _, _ in }
    }
    #expect(found == [])
  }

  /// Whatever is late: without a flush or a cancellation, no two deliveries are closer than the
  /// interval.
  @Test func deliveriesAreAtLeastAnIntervalApart() {
    let found = failures(
      sequences: 4_000, setup: ThrottleSetup.init(_:), step: LimiterStep.init(_:)
    ) { setup, steps in
      guard var machine = setup.machine else { return "no state machine" }
      var now = Int64(0)
      var last = Int64.min
      for step in steps {
        var effect = Effect<Int>.nothing
        switch step {
        case .wait(let time): now += Int64(time)
        case .call, .callWithNewDelay, .flush, .cancel:
          var value: Int? = 1
          _ = machine.call(&value, at: now)
        case .alarm:
          effect = machine.handleArmedAlarm(at: now)
        case .drain: effect = machine.takeReady(at: now)
        }
        guard case .deliver = effect else { continue }
        if now.subtractingSaturated(last) < machine.interval { return "\(last), \(now)" }
        last = now
      }
      return nil
    }
    #expect(found == [])
  }
}

struct DebounceSetup: Sendable {
  let delay: Int
  let edges: DebounceEdges
  let maxWait: Int?

  init(_ random: inout SplitMix) {
    delay = random.below(8)
    edges = DebounceEdges.allCases[random.below(3)]
    maxWait = random.below(2) == 0 ? random.below(20) : nil
  }

  var reference: ReferenceDebouncer {
    ReferenceDebouncer(delay: delay, edges: edges, maxWait: maxWait)
  }

  var configuration: DebounceConfiguration {
    DebounceConfiguration(
      delay: .nanoseconds(delay), edges: edges, maxWait: maxWait.map { .nanoseconds($0) })
  }

  var machine: DebounceStateMachine<Int>? { try? DebounceStateMachine(configuration) }
}

struct ThrottleSetup: Sendable {
  let interval: Int
  let mode: ThrottleMode
  let keeps: KeptValue

  init(_ random: inout SplitMix) {
    interval = random.below(8)
    mode = [.fromDelivery, .fromDelivery(firstAtOnce: false), .deferred][random.below(3)]
    keeps = KeptValue.allCases[random.below(3)]
  }

  var reference: ReferenceThrottler {
    ReferenceThrottler(interval: interval, mode: mode, keeps: keeps)
  }

  var configuration: ThrottleConfiguration {
    ThrottleConfiguration(interval: .nanoseconds(interval), mode: mode, keeping: keeps)
  }

  var machine: ThrottleStateMachine<Int>? { try? ThrottleStateMachine(configuration) }
}

/// The steps of a run of a state machine.
enum LimiterStep: Sendable {
  case wait(Int)
  /// A call whose clock reading is that old, as if other threads had overtaken it.
  case call(ago: Int)
  case callWithNewDelay(Int)
  case flush
  case cancel
  case alarm
  case drain

  init(_ random: inout SplitMix) {
    switch random.below(40) {
    case 0...9: self = .wait(1 + random.below(4))
    case 10: self = .wait(random.below(20))
    case 11...21: self = .call(ago: 0)
    case 22: self = .call(ago: random.below(4))
    case 23: self = .callWithNewDelay(random.below(8))
    case 24...25: self = .flush
    case 26: self = .cancel
    case 27...33: self = .alarm
    default: self = .drain
    }
  }
}

private struct LimiterRun<Machine: CallStateMachine, Reference: ReferenceLimiter>
where Machine.Delivery == Int {
  var machine: Machine?
  var reference: Reference
  var now = 100
  var calls = 0

  mutating func fault(
    of steps: [LimiterStep], changeDelay: (inout Machine, inout Reference, Int) -> Void
  ) -> String? {
    guard var machine else { return "no state machine" }
    for (index, step) in steps.enumerated() {
      let fault = play(step, on: &machine, changeDelay: changeDelay) ?? difference(machine)
      if let fault { return "at step \(index): \(fault)" }
    }
    return nil
  }

  private mutating func play(
    _ step: LimiterStep, on machine: inout Machine,
    changeDelay: (inout Machine, inout Reference, Int) -> Void
  ) -> String? {
    switch step {
    case .wait(let time):
      now += time
    case .call(let ago):
      return call(&machine, at: now - ago)
    case .callWithNewDelay(let delay):
      changeDelay(&machine, &reference, delay)
      return call(&machine, at: now)
    case .flush:
      let wasPending = machine.flush(at: Int64(now))
      let expected = reference.history.waiting != nil || reference.history.firstReady != nil
      reference.history.flush()
      if wasPending != expected { return "flush returned \(wasPending)" }
    case .cancel:
      let expected = reference.history.calls.filter { $0.fate == .waiting || $0.fate == .ready }
      reference.cancelPending()
      let dropped = machine.cancelPending()
      if dropped.sorted() != expected.map(\.value).sorted() { return "cancel dropped \(dropped)" }
    case .alarm:
      return difference(
        machine.handleArmedAlarm(at: Int64(now)),
        reference.alarm(at: now))
    case .drain:
      return difference(machine.takeReady(at: Int64(now)), reference.drain(at: now))
    }
    return nil
  }

  private mutating func call(_ machine: inout Machine, at time: Int) -> String? {
    calls += 1
    var value: Int? = calls
    let isReady = machine.call(&value, at: Int64(time))
    return reference.call(calls, at: time) == isReady ? nil : "call returned \(isReady)"
  }

  private func difference(_ effect: Effect<Int>, _ expected: Int?) -> String? {
    let expectedEffect = expected.map { Effect.deliver($0) } ?? .nothing
    return effect == expectedEffect ? nil : "\(effect), not \(expectedEffect)"
  }

  private func difference(_ machine: Machine) -> String? {
    let history = reference.history
    let pending = history.count(.waiting) + history.count(.ready)
    if machine.deadline != reference.deadline.map(Int64.init) {
      return "deadline \(machine.deadline ?? -1), not \(reference.deadline ?? -1)"
    }
    if machine.historyExpiresAt != reference.historyExpiresAt.map(Int64.init) {
      return "remembers until \(machine.historyExpiresAt ?? -1)"
    }
    if (machine.readySince == nil) != (history.firstReady == nil) { return "ready" }
    if machine.pendingCount != pending { return "\(machine.pendingCount) pending" }
    if machine.callCount != history.calls.count { return "\(machine.callCount) calls" }
    return nil
  }
}
