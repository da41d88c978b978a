import Fuzzing
import Testing

@testable import TimerKit

/// Random calls and controls on virtual time: keyed limiters are compared with a plain model per key,
/// and, with a single key, so are unkeyed limiters.
@Suite struct KeyedPropertyTests {
  @Test func keyedDebouncerMatchesADebouncerPerKey() {
    let found = debouncerFaults(KeyedStep.init(_:)) { configuration, clock, report in
      try KeyedDebouncer<Int, Int>(configuration, clock: clock) { report($1, $2) }
    }
    #expect(found == [])
  }

  @Test func keyedThrottlerMatchesAThrottlerPerKey() {
    let found = throttlerFaults(KeyedStep.init(_:)) { configuration, clock, report in
      try KeyedThrottler<Int, Int>(configuration, clock: clock) { report($1, $2) }
    }
    #expect(found == [])
  }

  @Test func debouncerMatchesTheReference() {
    let found = debouncerFaults(KeyedStep.ofOneKey(_:)) { configuration, clock, report in
      Unkeyed(try Debouncer<Int>(configuration, clock: clock) { report(0, $1) })
    }
    #expect(found == [])
  }

  @Test func throttlerMatchesTheReference() {
    let found = throttlerFaults(KeyedStep.ofOneKey(_:)) { configuration, clock, report in
      Unkeyed(try Throttler<Int>(configuration, clock: clock) { report(0, $1) })
    }
    #expect(found == [])
  }
}

/// Creates a limiter that reports the key and the value of each delivery.
private typealias Make<Configuration> =
  @Sendable (Configuration, TimerClock, @escaping @Sendable (Int, Int) -> Void) throws ->
  any Limiting

private func debouncerFaults(
  _ step: @escaping @Sendable (inout SplitMix) -> KeyedStep,
  _ make: @escaping Make<DebounceConfiguration>
) -> [String] {
  failures(sequences: 600, setup: DebounceSetup.init(_:), step: step) { setup, steps in
    KeyedRun(setup.reference, on: VirtualClock()) { clock, report in
      try make(setup.configuration, .virtual(clock), report)
    }.fault(of: steps)
  }
}

private func throttlerFaults(
  _ step: @escaping @Sendable (inout SplitMix) -> KeyedStep,
  _ make: @escaping Make<ThrottleConfiguration>
) -> [String] {
  failures(sequences: 600, setup: ThrottleSetup.init(_:), step: step) { setup, steps in
    KeyedRun(setup.reference, on: VirtualClock()) { clock, report in
      try make(setup.configuration, .virtual(clock), report)
    }.fault(of: steps)
  }
}

/// The state machines of the keyed limiters, with arbitrarily late alarms and drains.
@Suite struct KeyedMachinePropertyTests {
  @Test func keyedDebounceMachineMatchesTheReference() {
    let found = failures(
      sequences: 3_000, setup: DebounceSetup.init(_:), step: KeyedMachineStep.init(_:)
    ) { setup, steps in
      setup.machine.flatMap { fault(of: steps, KeyedStateMachine($0), setup.reference) }
    }
    #expect(found == [])
  }

  @Test func keyedThrottleMachineMatchesTheReference() {
    let found = failures(
      sequences: 3_000, setup: ThrottleSetup.init(_:), step: KeyedMachineStep.init(_:)
    ) { setup, steps in
      setup.machine.flatMap { fault(of: steps, KeyedStateMachine($0), setup.reference) }
    }
    #expect(found == [])
  }
}

private struct KeyedMachineStep: Sendable {
  let step: LimiterStep
  let key: Int

  init(_ random: inout SplitMix) {
    step = LimiterStep(&random)
    key = random.below(3)
  }
}

private func fault<Machine: CallStateMachine, Reference: ReferenceLimiter>(
  of steps: [KeyedMachineStep], _ machine: KeyedStateMachine<Int, Machine>, _ fresh: Reference
) -> String? where Machine.Delivery == Int {
  var machine = machine
  var references = Array(repeating: fresh, count: 3)
  var now = 100
  for (index, (step, key)) in steps.map({ ($0.step, $0.key) }).enumerated() {
    var received: [[Int]] = [[], [], []]
    var expected = received
    switch step {
    case .wait(let time): now += time
    case .call, .callWithNewDelay:
      var value: Int? = index
      let isReady = machine.call(&value, for: key, at: Int64(now))
      if isReady != references[key].call(index, at: now) { return "at step \(index): \(isReady)" }
    case .flush:
      _ = machine.flush(key, at: Int64(now))
      references[key].history.flush()
    case .cancel:
      _ = machine.cancelPending(key)
      references[key].cancelPending()
    case .alarm:
      while case .deliver(let call) = machine.handleArmedAlarm(at: Int64(now)) {
        received[call.key].append(call.value)
      }
      for key in 0..<3 {
        while let deadline = references[key].deadline, deadline <= now {
          if let value = references[key].alarm(at: now) { expected[key].append(value) }
        }
      }
    case .drain:
      if case .deliver(let call) = machine.takeReady(at: Int64(now)) {
        received[call.key].append(call.value)
        references[call.key].drain(at: now).map { expected[call.key].append($0) }
      } else if references.contains(where: { $0.history.firstReady != nil }) {
        return "at step \(index): the drain delivers nothing"
      }
    }
    if received != expected { return "at step \(index): \(received), not \(expected)" }
    let deadlines = references.compactMap(\.deadline)
    if (machine.deadline ?? .max) > Int64(deadlines.min() ?? .max) {
      return "at step \(index): no alarm for \(deadlines)"
    }
    let isReady = references.contains { $0.history.firstReady != nil }
    if isReady, machine.readySince == nil { return "at step \(index): no drain is requested" }
  }
  return nil
}

/// The controls that a run uses, of a keyed or unkeyed limiter.
private protocol Limiting: Sendable {
  func call(_ value: Int, for key: Int) -> Bool
  func cancelPending(for key: Int) -> ControlResult
  func cancelPending() -> ControlResult
  func flush(for key: Int) -> ControlResult
  func flush() -> ControlResult
  func isPending(for key: Int) -> Bool
  var isPending: Bool { get }
  /// The number of keys, or `nil` for an unkeyed limiter.
  var keptKeys: Int? { get }
  var snapshot: CallSnapshot { get }
}

extension KeyedDebouncer: Limiting where Key == Int, Value == Int {
  fileprivate var keptKeys: Int? { keyCount }
}

extension KeyedThrottler: Limiting where Key == Int, Value == Int {
  fileprivate var keptKeys: Int? { keyCount }
}

/// An unkeyed limiter, used for steps with a single key.
private struct Unkeyed<Limiter: CallLimiter>: Limiting where Limiter.Delivery == Int {
  let limiter: Limiter
  init(_ limiter: Limiter) { self.limiter = limiter }

  func call(_ value: Int, for key: Int) -> Bool { limiter.call(value) }
  func cancelPending(for key: Int) -> ControlResult { limiter.cancelPending() }
  func cancelPending() -> ControlResult { limiter.cancelPending() }
  func flush(for key: Int) -> ControlResult { limiter.flush() }
  func flush() -> ControlResult { limiter.flush() }
  func isPending(for key: Int) -> Bool { limiter.isPending }
  var isPending: Bool { limiter.isPending }
  var keptKeys: Int? { nil }
  var snapshot: CallSnapshot { limiter.snapshot }
}

private enum KeyedStep: Sendable {
  case advance(Int)
  case call(Int)
  case flush(Int)
  case cancel(Int)
  case flushAll
  case cancelAll

  init(_ random: inout SplitMix) { self.init(&random, keys: 3) }

  static func ofOneKey(_ random: inout SplitMix) -> KeyedStep { KeyedStep(&random, keys: 1) }

  private init(_ random: inout SplitMix, keys: Int) {
    let key = random.below(keys)
    switch random.below(40) {
    case 0...14: self = .advance(random.below(5))
    case 15: self = .advance(random.below(30))
    case 16...33: self = .call(key)
    case 34...35: self = .flush(key)
    case 36...37: self = .cancel(key)
    case 38: self = .flushAll
    default: self = .cancelAll
    }
  }
}

private struct Delivery: Sendable, Equatable {
  let key: Int
  let value: Int
  let at: Int
}

private struct KeyedRun<Reference: ReferenceLimiter> {
  let clock: VirtualClock
  let limiter: (any Limiting)?
  let fresh: Reference
  var references: [Int: Reference] = [:]
  var expected: [Delivery] = []
  let delivered = Recorder<Delivery>()
  var calls = 0
  var now = 0

  init(
    _ reference: Reference, on clock: VirtualClock,
    _ make: (VirtualClock, @escaping @Sendable (Int, Int) -> Void) throws -> any Limiting
  ) {
    self.clock = clock
    fresh = reference
    limiter = try? make(clock) { [delivered] key, value in
      let now = Int(clock.now.nanoseconds)
      delivered.append(Delivery(key: key, value: value, at: now))
    }
  }

  func fault(of steps: [KeyedStep]) -> String? {
    guard let limiter else { return "no limiter" }
    var run = self
    for (index, step) in (steps + [.advance(200)]).enumerated() {
      let fault = run.play(step, on: limiter) ?? run.difference(limiter)
      if let fault { return "at step \(index): \(fault)" }
    }
    if let kept = limiter.keptKeys, kept > 0 { return "\(kept) keys are kept for nothing" }
    return nil
  }

  private mutating func play(_ step: KeyedStep, on limiter: any Limiting) -> String? {
    let werePending = Set(references.keys.filter(isPending))
    switch step {
    case .advance(let time):
      clock.advance(by: .nanoseconds(time))
      pass(0)
      for _ in 0..<time { pass(1) }
    case .call(let key):
      calls += 1
      let isReady = limiter.call(calls, for: key)
      var reference = references[key] ?? fresh
      if reference.call(calls, at: now) != isReady { return "call returned \(isReady)" }
      references[key] = reference
    case .flush(let key):
      if limiter.flush(for: key) != .changed(if: werePending.contains(key)) { return "flush" }
      references[key]?.history.flush()
    case .cancel(let key):
      if limiter.cancelPending(for: key) != .changed(if: werePending.contains(key)) {
        return "cancel"
      }
      references[key]?.cancelPending()
    case .flushAll:
      if limiter.flush() != .changed(if: !werePending.isEmpty) { return "flushAll" }
      for key in references.keys { references[key]?.history.flush() }
    case .cancelAll:
      if limiter.cancelPending() != .changed(if: !werePending.isEmpty) { return "cancelAll" }
      for key in references.keys { references[key]?.cancelPending() }
    }
    drain()
    return nil
  }

  /// A requested drain runs before a control returns.
  private mutating func drain() {
    for key in references.keys {
      while let value = references[key]?.drain(at: now) {
        expected.append(Delivery(key: key, value: value, at: now))
      }
    }
  }

  private mutating func pass(_ time: Int) {
    now += time
    for key in references.keys {
      while let deadline = references[key]?.deadline, deadline <= now {
        guard let value = references[key]?.alarm(at: now) else { continue }
        expected.append(Delivery(key: key, value: value, at: now))
      }
    }
  }

  private func isPending(_ key: Int) -> Bool {
    guard let history = references[key]?.history else { return false }
    return history.waiting != nil || history.firstReady != nil
  }

  private func difference(_ limiter: any Limiting) -> String? {
    for key in 0..<3 {
      let (found, forKey) = (
        delivered.all.filter { $0.key == key }, expected.filter { $0.key == key }
      )
      if found != forKey { return "\(found), not \(forKey)" }
      if limiter.isPending(for: key) != isPending(key), limiter.keptKeys != nil || key == 0 {
        return "key \(key) pending: \(limiter.isPending(for: key))"
      }
    }
    let times = delivered.all.map(\.at)
    if times != times.sorted() { return "out of order: \(delivered.all)" }
    let kept = references.filter { key, reference in
      isPending(key) || (reference.deadline ?? reference.historyExpiresAt ?? now) > now
    }
    if let keys = limiter.keptKeys, keys != kept.count { return "\(keys) keys, not \(kept.count)" }
    let snapshot = limiter.snapshot
    let pending = references.values.map { $0.history.count(.waiting) + $0.history.count(.ready) }
    let deadlines = references.values.filter { $0.history.waiting != nil }.compactMap(\.deadline)
    if snapshot.pendingCount != pending.reduce(0, +) { return "\(snapshot.pendingCount) pending" }
    if snapshot.callCount != calls { return "\(snapshot.callCount) calls" }
    if snapshot.deliveredCount != expected.count { return "\(snapshot.deliveredCount) delivered" }
    if snapshot.deadline?.nanoseconds != deadlines.min().map(Int64.init) {
      return "deadline \(String(describing: snapshot.deadline))"
    }
    if limiter.isPending != (snapshot.pendingCount > 0) { return "isPending" }
    return nil
  }
}
