import Fuzzing
import Testing

@testable import TimerKit

@Suite struct BackgroundPropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<BackgroundModel>.failures() == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<BackgroundModel>.failures() == [])
  }
}

final class Owner: Sendable {}

/// The rules of a background timer as a plain list of its calls. Work is a number.
struct BackgroundModel: ReferenceModel {
  typealias Machine = BackgroundStateMachine<BackgroundTimer<Owner>.Work>
  typealias Timer = BackgroundTimer<Owner>

  enum Control: Sendable {
    case after(Int, work: Int)
    case cancelPending, cancel
    indirect case exclusively(Control)
  }

  static let owner = Owner()

  let behavior: BackgroundBehavior
  var calls: [(deadline: Int, work: Int)] = []
  /// The work that is being delivered.
  var running: Int?
  var isCancelled = false
  var generation = 0
  var revocationNumber = 0
  var callCount = 0

  init(_ random: inout SplitMix) {
    behavior = random.below(2) == 0 ? .coalesce : .delay
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(10) {
    case 0: random.below(8) == 0 ? .cancel : .cancelPending
    case 1: .exclusively(.cancelPending)
    case 2: .exclusively(.after(random.below(20), work: random.below(1000)))
    default: .after(random.below(20), work: random.below(1000))
    }
  }

  var state: CallState {
    isCancelled ? .cancelled : calls.isEmpty ? .idle : .pending
  }
  var readySince: Int? { nil }

  var deadline: Int? {
    switch behavior {
    case .coalesce: calls.map(\.deadline).min()
    case .delay: calls.last?.deadline
    }
  }
}

// MARK: - Deliveries
extension BackgroundModel {
  mutating func handleArmedAlarm(at now: Int) -> Effect<BackgroundRun> {
    guard let deadline, let newest = calls.last, now >= deadline else { return .nothing }
    let run = BackgroundRun(
      callCount: calls.count, generation: UInt64(generation),
      deadline: TimerClock.suspending.instant(nanoseconds: Int64(deadline)),
      lateness: .nanoseconds(now - deadline))
    running = newest.work
    calls = []
    return .deliver(run)
  }

  mutating func takeReady(at now: Int) -> Effect<BackgroundRun> { .nothing }

  mutating func handle(_ run: BackgroundRun) -> String { running.map { "work \($0)" } ?? "none" }

  mutating func deliveryFinished(at now: Int) {
    running = nil
  }
}

// MARK: - Controls
extension BackgroundModel {
  mutating func perform(_ control: Control, at now: Int) -> String {
    switch control {
    case .after where isCancelled, .cancelPending where isCancelled: return Self.refused
    case .after(let delay, let work):
      let old = deadline
      calls.append((now + delay, work))
      if behavior == .delay || deadline != old { generation += 1 }
      callCount += 1
      return "changed"
    case .cancelPending:
      let wasPending = !calls.isEmpty
      dropPending()
      return wasPending ? "changed" : "unchanged"
    case .cancel:
      dropPending()
      if isCancelled { return "unchanged" }
      isCancelled = true
      generation += 1
      revocationNumber += 1
      return "changed"
    case .exclusively(let inner): return perform(inner, at: now)
    }
  }

  private mutating func dropPending() {
    calls = []
    generation += 1
    revocationNumber += 1
  }

  private static var refused: String { "\(ControlResult.refused(.cancelled))" }

  func makeMachine() -> Machine { Machine(behavior) }

  static func perform(_ control: Control, on machine: inout Machine, at now: Int64) -> String {
    switch control {
    case .after where machine.isCancelled, .cancelPending where machine.isCancelled: return refused
    case .after(let delay, let work):
      var work: BackgroundTimer<Owner>.Work? = { _ in WorkLog.append("work \(work)") }
      machine.submit(&work, after: Int64(delay), at: now)
      return "changed"
    case .cancelPending:
      let wasPending = machine.isPending
      _ = machine.cancelPending()
      return "\(ControlResult.changed(if: wasPending))"
    case .cancel:
      _ = machine.cancelPending()
      return "\(ControlResult.changed(if: machine.end()))"
    case .exclusively(let inner): return perform(inner, on: &machine, at: now)
    }
  }

  static func handle(_ run: BackgroundRun, on machine: inout Machine) -> String {
    guard let work = machine.takeDueWork() else { return "none" }
    return WorkLog.$list.withValue(Recorder()) {
      work(owner)
      return WorkLog.list?.all.joined() ?? ""
    }
  }

  var facts: [Int?] { [calls.isEmpty ? 0 : 1, callCount] }

  static func facts(of machine: Machine) -> [Int?] {
    [machine.pending == nil ? 0 : 1, machine.callCount]
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> Timer? {
    Timer(for: Self.owner, behavior: behavior, clock: .virtual(clock))
  }

  static func perform(
    _ control: Control, on timer: Timer, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> String {
    switch control {
    case .after(let delay, let work):
      let result = timer.perform(after: .nanoseconds(delay)) { [weak timer] _ in
        if let timer { handler(timer, "work \(work)") }
      }
      return "\(result)"
    case .cancelPending: return "\(timer.cancelPending())"
    case .cancel: return "\(timer.cancel())"
    case .exclusively(let inner):
      return timer.performExclusively { perform(inner, on: timer, handler: handler) }
    }
  }
}

/// The log of work that the model runs directly.
private enum WorkLog {
  @TaskLocal static var list: Recorder<String>?

  static func append(_ entry: String) { list?.append(entry) }
}
