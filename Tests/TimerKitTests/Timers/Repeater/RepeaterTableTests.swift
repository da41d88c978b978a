import Testing

@testable import TimerKit

/// The state table, cell by cell. In every cell the interval is 10, the state machine has been brought
/// to its state by ``machine(in:)``, and the current time is 13.
@Suite struct RepeaterTableTests {
  /// The expected outcome of an event, and the expected state afterwards.
  struct Cell: CustomTestStringConvertible, Sendable {
    var state: TimerState
    var event: Event
    var outcome: Outcome
    var after: TimerState
    /// The deadline if running, the time left if paused.
    var time: Int64?
    var left: Int
    var generations: UInt64
    var newDeliveryGeneration = false
    var interval: Int64 = 10

    var testDescription: String { "\(state): \(event)" }
  }

  enum Outcome: Equatable, Sendable {
    case result(ControlResult)
    case nothing
    case delivered
    case stale

    static let changed = Outcome.result(.changed)
    static let unchanged = Outcome.result(.unchanged)

    static func refused(_ refusal: ControlResult.Refusal) -> Outcome { .result(.refused(refusal)) }
  }

  enum Event: Sendable {
    case start
    case pause
    case reset(restart: Bool)
    case restart(every: Int64)
    case setInterval(Int64, Repeater.IntervalStart)
    case adjust(Int64)
    case setRemaining(Int)
    case fire
    case deliverRequest
    case dueAlarm
    case earlyAlarm
    case oldAlarm
    case cancel
  }

  /// - idle: as created, `.finite(4)`.
  /// - running: started at 0, ticked at 10: deadline 20, 3 left.
  /// - paused: running, then paused at 13: 7 left.
  /// - finished: running, then reduced to one iteration, ticked at 20.
  /// - cancelled: running, then cancelled at 13.
  static func machine(in state: TimerState) throws -> RepeaterStateMachine {
    var machine = try RepeaterStateMachine(mode: .finite(4), interval: 10, missedTicks: .skip)
    if state == .idle { return machine }
    _ = machine.start(at: 0)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    machine.deliveryFinished { 10 }
    switch state {
    case .idle, .running: break
    case .paused: _ = machine.pause(at: 13)
    case .finished:
      _ = machine.setRemainingIterations(1)
      _ = machine.handleArmedAlarm(generation: machine.generation, at: 20)
      machine.deliveryFinished { 20 }
    case .cancelled: _ = machine.cancel()
    }
    return machine
  }

  @Test(arguments: cells)
  func matchesTheTable(_ cell: Cell) throws {
    var machine = try Self.machine(in: cell.state)
    let generation = machine.generation
    let revocationNumber = machine.revocationNumber
    #expect(machine.state == cell.state)
    #expect(try Self.play(cell.event, on: &machine) == cell.outcome)
    #expect(machine.state == cell.after)
    #expect(machine.deadline ?? machine.pausedTimeLeft == cell.time)
    #expect(machine.remainingIterations == cell.left)
    #expect(machine.generation == generation + cell.generations)
    #expect(
      machine.revocationNumber
        == (cell.newDeliveryGeneration ? machine.generation : revocationNumber))
    #expect(machine.interval == cell.interval)
  }

  @Test func everyCellIsTested() {
    #expect(Self.cells.count == 5 * 18)
  }

  /// The count is checked before the state.
  @Test func aCountBelowOneThrows() throws {
    let clock = VirtualClock()
    for bring in [
      { _ in .unchanged }, { $0.start() }, { $0.fire(pausing: true) }, { $0.cancel() },
    ] as [(Repeater) -> ControlResult] {
      let timer = try Repeater(interval: .seconds(1), mode: .finite(4), clock: .virtual(clock)) {
        _, _ in
      }
      _ = bring(timer)
      let before = timer.snapshot
      #expect(
        timer.setRemainingIterations(0)
          == .refused(.invalid(.invalidCount(0, parameter: .remainingIterations))))
      #expect(timer.snapshot == before)
    }
    let finished = try Repeater(interval: .seconds(1), mode: .once, clock: .virtual(clock)) {
      _, _ in
    }
    finished.fire()
    #expect(finished.state == .finished)
    #expect(
      finished.setRemainingIterations(0)
        == .refused(.invalid(.invalidCount(0, parameter: .remainingIterations))))
  }

  static func play(_ event: Event, on machine: inout RepeaterStateMachine) throws -> Outcome {
    switch event {
    case .start: return .result(machine.start(at: 13))
    case .pause: return .result(machine.pause(at: 13))
    case .reset(let restart): return .result(machine.reset(restart: restart, at: 13))
    case .restart(let interval): return .result(machine.restart(every: interval, at: 13))
    case .setInterval(let interval, let change):
      return .result(machine.setInterval(interval, counting: change, at: 13))
    case .adjust(let change): return .result(machine.adjustTimeLeft(by: change, at: 13))
    case .setRemaining(let count): return .result(machine.setRemainingIterations(count))
    case .fire: return .result(machine.fire(pausing: false, at: 13))
    case .deliverRequest:
      // In these states no fire can be requested, so it was requested before.
      if machine.state == .finished || machine.state == .cancelled {
        machine = try withRequest(machine.state)
      } else {
        _ = machine.fire(pausing: false, at: 13)
      }
      return outcome(machine.takeReady(at: 13))
    case .dueAlarm: return outcome(machine.handleArmedAlarm(generation: machine.generation, at: 21))
    case .earlyAlarm:
      return outcome(machine.handleArmedAlarm(generation: machine.generation, at: 13))
    case .oldAlarm:
      return outcome(machine.handleArmedAlarm(generation: machine.generation &- 1, at: 21))
    case .cancel: return .result(.changed(if: machine.cancel()))
    }
  }

  private static func withRequest(_ state: TimerState) throws -> RepeaterStateMachine {
    var machine = try RepeaterStateMachine(mode: .finite(4), interval: 10, missedTicks: .skip)
    _ = machine.start(at: 0)
    _ = machine.handleArmedAlarm(generation: machine.generation, at: 10)
    machine.deliveryFinished { 10 }
    _ = machine.fire(pausing: false, at: 12)
    if state == .cancelled {
      _ = machine.cancel()
    } else {
      _ = machine.setRemainingIterations(1)
      _ = machine.handleArmedAlarm(generation: machine.generation, at: 20)
      machine.deliveryFinished { 20 }
    }
    return machine
  }

  private static func outcome(_ effect: Effect<Repeater.Tick>) -> Outcome {
    switch effect {
    case .nothing: .nothing
    case .deliver: .delivered
    case .stale: .stale
    }
  }
}

// MARK: - The table
extension RepeaterTableTests {
  private static func row(
    _ event: Event, idle: Cell, running: Cell, paused: Cell, finished: Cell, cancelled: Outcome
  ) -> [Cell] {
    let last = Cell(
      state: .cancelled, event: event, outcome: cancelled, after: .cancelled, time: nil, left: 3,
      generations: 0)
    let states: [TimerState] = [.idle, .running, .paused, .finished]
    return zip(states, [idle, running, paused, finished]).map { state, cell in
      var cell = cell
      (cell.state, cell.event) = (state, event)
      return cell
    } + [last]
  }

  private static func to(
    _ after: TimerState, _ time: Int64? = nil, left: Int, g: UInt64 = 0,
    revocationNumber: Bool = false,
    interval: Int64 = 10, _ outcome: Outcome = .changed
  ) -> Cell {
    Cell(
      state: .idle, event: .start, outcome: outcome, after: after, time: time, left: left,
      generations: g, newDeliveryGeneration: revocationNumber, interval: interval)
  }

  static let cells: [Cell] = [
    row(
      .start, idle: to(.running, 23, left: 4, g: 1), running: to(.running, 20, left: 3, .unchanged),
      paused: to(.running, 20, left: 3, g: 1), finished: to(.running, 23, left: 4, g: 1),
      cancelled: .refused(.cancelled)),
    row(
      .pause, idle: to(.idle, left: 4, .refused(.idle)),
      running: to(.paused, 7, left: 3, g: 1, revocationNumber: true),
      paused: to(.paused, 7, left: 3, .unchanged),
      finished: to(.finished, left: 0, .refused(.finished)),
      cancelled: .refused(.cancelled)),
    row(
      .reset(restart: true), idle: to(.running, 23, left: 4, g: 1, revocationNumber: true),
      running: to(.running, 23, left: 4, g: 1, revocationNumber: true),
      paused: to(.running, 23, left: 4, g: 1, revocationNumber: true),
      finished: to(.running, 23, left: 4, g: 1, revocationNumber: true),
      cancelled: .refused(.cancelled)),
    row(
      .reset(restart: false), idle: to(.idle, left: 4, g: 1, revocationNumber: true),
      running: to(.idle, left: 4, g: 1, revocationNumber: true),
      paused: to(.idle, left: 4, g: 1, revocationNumber: true),
      finished: to(.idle, left: 4, g: 1, revocationNumber: true),
      cancelled: .refused(.cancelled)),
    row(
      .restart(every: 5),
      idle: to(.running, 18, left: 4, g: 1, revocationNumber: true, interval: 5),
      running: to(.running, 18, left: 4, g: 1, revocationNumber: true, interval: 5),
      paused: to(.running, 18, left: 4, g: 1, revocationNumber: true, interval: 5),
      finished: to(.running, 18, left: 4, g: 1, revocationNumber: true, interval: 5),
      cancelled: .refused(.cancelled)),
    row(
      .setInterval(30, .fromNow), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 43, left: 3, g: 1, interval: 30),
      paused: to(.paused, 30, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .refused(.cancelled)),
    row(
      .setInterval(30, .fromLastFire), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 40, left: 3, g: 1, interval: 30),
      paused: to(.paused, 27, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .refused(.cancelled)),
    row(
      .setInterval(2, .fromLastFire), idle: to(.idle, left: 4, interval: 2),
      running: to(.running, 13, left: 3, g: 1, interval: 2),
      paused: to(.paused, 0, left: 3, interval: 2),
      finished: to(.finished, left: 0, interval: 2), cancelled: .refused(.cancelled)),
    row(
      .setInterval(30, .fromNextFire), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 20, left: 3, interval: 30),
      paused: to(.paused, 7, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .refused(.cancelled)),
    row(
      .adjust(5), idle: to(.idle, left: 4, .refused(.idle)),
      running: to(.running, 25, left: 3, g: 1),
      paused: to(.paused, 12, left: 3), finished: to(.finished, left: 0, .refused(.finished)),
      cancelled: .refused(.cancelled)),
    row(
      .adjust(-9), idle: to(.idle, left: 4, .refused(.idle)),
      running: to(.running, 13, left: 3, g: 1),
      paused: to(.paused, 0, left: 3), finished: to(.finished, left: 0, .refused(.finished)),
      cancelled: .refused(.cancelled)),
    row(
      .setRemaining(6), idle: to(.idle, left: 6), running: to(.running, 20, left: 6),
      paused: to(.paused, 7, left: 6), finished: to(.finished, left: 0, .refused(.finished)),
      cancelled: .refused(.cancelled)),
    row(
      .fire, idle: to(.idle, left: 4), running: to(.running, 20, left: 3),
      paused: to(.paused, 7, left: 3), finished: to(.finished, left: 0, .refused(.finished)),
      cancelled: .refused(.cancelled)),
    row(
      .deliverRequest, idle: to(.idle, left: 3, .delivered),
      running: to(.running, 20, left: 2, .delivered), paused: to(.paused, 7, left: 2, .delivered),
      finished: to(.finished, left: 0, .stale), cancelled: .stale),
    row(
      .dueAlarm, idle: to(.idle, left: 4, .stale), running: to(.running, 30, left: 2, .delivered),
      paused: to(.paused, 7, left: 3, .stale), finished: to(.finished, left: 0, .stale),
      cancelled: .stale),
    row(
      .earlyAlarm, idle: to(.idle, left: 4, .stale), running: to(.running, 20, left: 3, .nothing),
      paused: to(.paused, 7, left: 3, .stale), finished: to(.finished, left: 0, .stale),
      cancelled: .stale),
    row(
      .oldAlarm, idle: to(.idle, left: 4, .stale), running: to(.running, 20, left: 3, .stale),
      paused: to(.paused, 7, left: 3, .stale), finished: to(.finished, left: 0, .stale),
      cancelled: .stale),
    row(
      .cancel, idle: to(.cancelled, left: 4, g: 1, revocationNumber: true),
      running: to(.cancelled, left: 3, g: 1, revocationNumber: true),
      paused: to(.cancelled, left: 3, g: 1, revocationNumber: true),
      finished: to(.cancelled, left: 0, g: 1, revocationNumber: true), cancelled: .unchanged),
  ].flatMap { $0 }
}
