import Fuzzing
import Testing

@testable import TimerKit

@Suite struct TimeLimitedPropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<TimeLimitedModel>.failures() == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<TimeLimitedModel>.failures() == [])
  }
}

/// The rules of a value that expires, in simple form.
struct TimeLimitedModel: ReferenceModel {
  typealias Machine = TimeLimitedStateMachine<Int>
  typealias Timer = TimeLimited<Int>

  enum Control: Sendable {
    case read, take, snapshot, cancel
    case renew(for: Int?)
    case replace(Int, for: Int?)
  }

  var lifetime: Int
  var held: (value: Int, until: Int)?
  var state = TimeLimitedState.holding
  var expired: [(value: Int, at: Int)] = []
  var generation = 1
  var revocationNumber = 0
  var expiredCount = 0

  init(_ random: inout SplitMix) {
    lifetime = 1 + random.below(15)
    held = (0, lifetime)
  }

  static func control(_ random: inout SplitMix) -> Control {
    let lifetime = random.below(3) == 0 ? 1 + random.below(15) : nil
    return switch random.below(10) {
    case 0...1: .read
    case 2: .take
    case 3: random.below(4) == 0 ? .cancel : .snapshot
    case 4...6: .renew(for: lifetime)
    default: .replace(random.below(1000), for: lifetime)
    }
  }

  var deadline: Int? { held?.until }
  var readySince: Int? { expired.first?.at }
}

// MARK: - Deliveries
extension TimeLimitedModel {
  private mutating func expire(at now: Int) {
    guard let value = held, value.until <= now else { return }
    held = nil
    state = .expired
    expired.append((value.value, value.until))
    expiredCount += 1
  }

  mutating func handleArmedAlarm(at now: Int) -> Effect<Timer.Expiry> {
    expire(at: now)
    return takeReady(at: now)
  }

  mutating func takeReady(at now: Int) -> Effect<Timer.Expiry> {
    guard !expired.isEmpty else { return .nothing }
    let first = expired.removeFirst()
    return .deliver(
      Timer.Expiry(
        value: first.value, deadline: TimerClock.suspending.instant(nanoseconds: Int64(first.at)),
        lateness: .nanoseconds(now - first.at)))
  }
}

// MARK: - Controls
extension TimeLimitedModel {
  mutating func perform(_ control: Control, at now: Int) -> String {
    if case .cancel = control { return cancel() }
    expire(at: now)
    switch control {
    case .cancel: return "unchanged"
    case .read: return "\(held?.value ?? -1)"
    case .snapshot: return "\(state) \(held?.until ?? -1) \(lifetime)"
    case .take:
      guard let value = held?.value else { return "-1" }
      held = nil
      state = .taken
      generation += 1
      return "\(value)"
    case .renew(let newLifetime):
      guard let value = held?.value else {
        let error: TimeLimitedError =
          switch state {
          case .taken: .taken
          case .cancelled: .cancelled
          case .holding, .expired: .expired
          }
        return "throws \(error)"
      }
      lifetime = newLifetime ?? lifetime
      held = (value, now + lifetime)
      generation += 1
      return "\(value)"
    case .replace where state == .cancelled: return "-1"
    case .replace(let value, let newLifetime):
      let old = held?.value ?? -1
      lifetime = newLifetime ?? lifetime
      held = (value, now + lifetime)
      state = .holding
      generation += 1
      return "\(old)"
    }
  }

  private mutating func cancel() -> String {
    if state == .cancelled { return "unchanged" }
    held = nil
    expired = []
    state = .cancelled
    generation += 1
    revocationNumber += 1
    return "changed"
  }

  func makeMachine() -> Machine {
    var machine = Machine(lifetime: Int64(lifetime))
    var value: Int? = 0
    _ = machine.replace(with: &value, for: nil, at: 0)
    return machine
  }

  static func perform(_ control: Control, on machine: inout Machine, at now: Int64) -> String {
    resultText { () throws(TimeLimitedError) -> Any in
      switch control {
      case .read: return machine.read(at: now) ?? -1
      case .take: return machine.take(at: now) ?? -1
      case .cancel:
        _ = machine.removeAll()
        return ControlResult.changed(if: machine.end())
      case .snapshot:
        machine.advance(to: now)
        return "\(machine.state) \(machine.deadline ?? -1) \(machine.lifetime)"
      case .renew(let lifetime): return try machine.renew(for: lifetime.map(Int64.init), at: now)
      case .replace(let value, let lifetime):
        var value: Int? = value
        return machine.replace(with: &value, for: lifetime.map(Int64.init), at: now) ?? -1
      }
    }
  }

  private static func describe(_ snapshot: Timer.Snapshot) -> String {
    let lifetime = snapshot.lifetime.clampedNanoseconds
    return "\(snapshot.state) \(snapshot.deadline?.nanoseconds ?? -1) \(lifetime)"
  }

  var facts: [Int?] { [lifetime, expiredCount] }

  static func facts(of machine: Machine) -> [Int?] {
    [Int(machine.lifetime), machine.expiredCount]
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> Timer? {
    try? TimeLimited(0, for: .nanoseconds(lifetime), clock: .virtual(clock)) { timer, _ in
      handler(timer, "handler")
    }
  }

  static func perform(
    _ control: Control, on timer: Timer, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> String {
    resultText { () throws(TimeLimitedError) -> Any in
      switch control {
      case .read: return timer.value ?? -1
      case .take: return timer.take() ?? -1
      case .cancel: return timer.cancel()
      case .snapshot: return describe(timer.snapshot)
      case .renew(nil): return try timer.renew()
      case .renew(let lifetime?): return try timer.renew(for: .nanoseconds(lifetime))
      case .replace(let value, nil): return timer.replace(with: value) ?? -1
      case .replace(let value, let lifetime?):
        return try timer.replace(with: value, for: .nanoseconds(lifetime)) ?? -1
      }
    }
  }
}
