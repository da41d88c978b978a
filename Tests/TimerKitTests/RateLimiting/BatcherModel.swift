import Fuzzing
import Testing

@testable import TimerKit

@Suite struct BatcherPropertyTests {
  @Test func stateMachineMatchesTheModel() {
    #expect(MachineProperty<BatcherModel>.failures(sequences: 8_000) == [])
  }

  @Test func timerMatchesTheModel() {
    #expect(TimerProperty<BatcherModel>.failures() == [])
  }
}

/// The rules of a batcher as a plain list of the values that wait, each with its time.
struct BatcherModel: ReferenceModel {
  typealias Machine = BatchStateMachine<Int>
  typealias Timer = Batcher<Int>

  enum Control: Sendable {
    case add(Int)
    case flush, cancelPending, cancel
  }

  let configuration: BatchConfiguration
  let (count, limit): (Int, Int)
  let (maxWait, quietTime): (Int?, Int?)
  var values: [(value: Int, at: Int, isReady: Bool)] = []
  var isCancelled = false
  var generation = 0
  var (callCount, deliveredCount) = (0, 0)

  init(_ random: inout SplitMix) {
    let count = random.below(3) == 0 ? nil : 1 + random.below(5)
    limit = 1 + random.below(9)
    self.count = min(count ?? limit, limit)
    maxWait = random.below(3) == 0 ? nil : random.below(12)
    quietTime = random.below(3) == 0 ? nil : random.below(8)
    configuration = BatchConfiguration(
      count: count, maxWait: maxWait.map { .nanoseconds($0) },
      quietTime: quietTime.map { .nanoseconds($0) }, limit: limit,
      whenFull: random.one(of: BatchOverflow.allCases))
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(12) {
    case 0: .flush
    case 1: random.below(6) == 0 ? .cancel : .cancelPending
    default: .add(random.below(1000))
    }
  }

  var state: CallState { isCancelled ? .cancelled : values.isEmpty ? .idle : .pending }
  var revocationNumber: Int { generation }
  var readySince: Int? { values.first.flatMap { $0.isReady ? 0 : nil } }

  var deadline: Int? {
    let open = values.filter { !$0.isReady }
    guard let first = open.first, let last = open.last else { return nil }
    return [maxWait.map { first.at + $0 }, quietTime.map { last.at + $0 }].compactMap(\.self).min()
  }

  private mutating func makeAllReady() {
    for index in values.indices { values[index].isReady = true }
  }

  private mutating func deliver() -> Effect<[Int]> {
    let batch = values.prefix(count).prefix { $0.isReady }
    if batch.isEmpty { return .nothing }
    values.removeFirst(batch.count)
    deliveredCount += batch.count
    return .deliver(batch.map(\.value))
  }

  mutating func handleArmedAlarm(at now: Int) -> Effect<[Int]> {
    guard let deadline, now >= deadline else { return .nothing }
    makeAllReady()
    return deliver()
  }

  mutating func takeReady(at now: Int) -> Effect<[Int]> { deliver() }

  mutating func handle(_ delivery: [Int]) -> String { "handler \(delivery)" }

  static func handle(_ delivery: [Int], on machine: inout Machine) -> String {
    "handler \(delivery)"
  }

  mutating func perform(_ control: Control, at now: Int) -> String {
    let wasPending = !values.isEmpty
    switch control {
    case .cancel:
      values = []
      generation += isCancelled ? 1 : 2
      defer { isCancelled = true }
      return "\(ControlResult.changed(if: !isCancelled))"
    case _ where isCancelled: return "\(ControlResult.refused(.cancelled))"
    case .add(let value): return "\(add(value, at: now))"
    case .flush: makeAllReady()
    case .cancelPending:
      values = []
      generation += 1
    }
    return "\(ControlResult.changed(if: wasPending))"
  }

  private mutating func add(_ value: Int, at now: Int) -> ControlResult {
    let isFull = values.count == limit
    if isFull, configuration.overflow == .refuse { return .refused(.tooManyPending) }
    callCount += 1
    if isFull, configuration.overflow == .dropNewest { return .unchanged }
    if isFull { values.removeFirst() }
    values.append((value, now, false))
    if values.filter({ !$0.isReady }).count == count { makeAllReady() }
    return .changed
  }
}

// MARK: - The state machine and the timer
extension BatcherModel {
  func makeMachine() -> Machine {
    do { return try Machine(configuration) } catch { fatalError("\(error)") }
  }

  static func perform(_ control: Control, on machine: inout Machine, at now: Int64) -> String {
    let wasPending = machine.isPending
    switch control {
    case .cancel:
      _ = machine.cancelPending()
      return "\(ControlResult.changed(if: machine.end()))"
    case .add(let value):
      var value: Int? = value
      return "\(machine.add(&value, at: now))"
    case _ where machine.isCancelled: return "\(ControlResult.refused(.cancelled))"
    case .flush: _ = machine.flush(at: now)
    case .cancelPending: _ = machine.cancelPending()
    }
    return "\(ControlResult.changed(if: wasPending))"
  }

  var facts: [Int?] { [values.count, callCount, deliveredCount] }

  static func facts(of machine: Machine) -> [Int?] {
    [machine.pendingCount, machine.callCount, machine.deliveredValueCount]
  }

  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> Timer? {
    try? Batcher(configuration, clock: .virtual(clock)) { handler($0, "handler \($1)") }
  }

  static func perform(
    _ control: Control, on timer: Timer, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> String {
    switch control {
    case .add(let value): "\(timer.add(value))"
    case .flush: "\(timer.flush())"
    case .cancelPending: "\(timer.cancelPending())"
    case .cancel: "\(timer.cancel())"
    }
  }
}
