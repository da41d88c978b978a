import Testing

@testable import TimerKit

/// The state table, cell by cell. In every cell the interval is 10; the machine has been brought to
/// its phase as ``machine(in:)`` says, and it is 13 o'clock.
@Suite struct RepeaterTableTests {
  /// What a cell promises: the answer, and what has become of the machine.
  struct Cell: CustomTestStringConvertible, Sendable {
    var phase: Repeater.Phase
    var event: Event
    var answer: Answer
    var after: Repeater.Phase
    /// The deadline where it runs, the time left where it is paused.
    var time: Int64?
    var left: Int
    var generations: UInt64
    var newEpoch = false
    var interval: Int64 = 10

    var testDescription: String { "\(phase): \(event)" }
  }

  enum Answer: Equatable, Sendable {
    case done
    case refused
    case error(TimerError)
    case nothing
    case delivered
    case stale
  }

  enum Event: Sendable {
    case start
    case pause
    case reset(Int64?, restart: Bool)
    case setInterval(Int64, Repeater.IntervalChange)
    case adjust(Int64)
    case setRemaining(Int)
    case fire
    case deliverRequest
    case dueAlarm
    case earlyAlarm
    case oldAlarm
    case cancel
  }

  /// - idle: as it was made, `.finite(4)`.
  /// - running: started at 0, ticked at 10: deadline 20, 3 left.
  /// - paused: that, paused at 13: 7 to go.
  /// - finished: that, reduced to one iteration, ticked at 20.
  /// - cancelled: that, cancelled at 13.
  static func machine(in phase: Repeater.Phase) throws -> RepeaterStateMachine {
    var machine = RepeaterStateMachine(mode: .finite(4), interval: 10, missedTicks: .skip)
    if phase == .idle { return machine }
    _ = try machine.start(at: 0)
    _ = machine.alarm(generation: machine.generation, at: 10)
    machine.deliveryFinished { 10 }
    switch phase {
    case .idle, .running: break
    case .paused: _ = try machine.pause(at: 13)
    case .finished:
      _ = try machine.setRemainingIterations(1)
      _ = machine.alarm(generation: machine.generation, at: 20)
      machine.deliveryFinished { 20 }
    case .cancelled: _ = machine.cancel()
    }
    return machine
  }

  @Test(arguments: cells)
  func cell(_ cell: Cell) throws {
    var machine = try Self.machine(in: cell.phase)
    let generation = machine.generation
    let deliveryGeneration = machine.deliveryGeneration
    #expect(machine.phase == cell.phase)
    #expect(Self.play(cell.event, on: &machine) == cell.answer)
    #expect(machine.phase == cell.after)
    #expect(machine.deadline ?? machine.frozenTimeLeft == cell.time)
    #expect(machine.left == cell.left)
    #expect(machine.generation == generation + cell.generations)
    #expect(machine.deliveryGeneration == (cell.newEpoch ? machine.generation : deliveryGeneration))
    #expect(machine.interval == cell.interval)
  }

  @Test func everyCellIsThere() {
    #expect(Self.cells.count == 5 * 18)
  }

  static func play(_ event: Event, on machine: inout RepeaterStateMachine) -> Answer {
    do {
      switch event {
      case .start: return try machine.start(at: 13) ? .done : .refused
      case .pause: return try machine.pause(at: 13) ? .done : .refused
      case .reset(let interval, let restart):
        try machine.reset(interval: interval, restart: restart, at: 13)
        return .done
      case .setInterval(let interval, let change):
        try machine.setInterval(interval, change, at: 13)
        return .done
      case .adjust(let change):
        return try machine.adjustTimeLeft(by: change, at: 13) ? .done : .refused
      case .setRemaining(let count):
        return try machine.setRemainingIterations(count) ? .done : .refused
      case .fire: return try machine.fire(andPause: false, at: 13) ? .done : .refused
      case .deliverRequest:
        // Where none can be asked for, it was asked for before.
        if machine.phase == .finished || machine.phase == .cancelled {
          machine = try withRequest(machine.phase)
        } else {
          _ = try machine.fire(andPause: false, at: 13)
        }
        return answer(machine.next(at: 13))
      case .dueAlarm: return answer(machine.alarm(generation: machine.generation, at: 21))
      case .earlyAlarm: return answer(machine.alarm(generation: machine.generation, at: 13))
      case .oldAlarm: return answer(machine.alarm(generation: machine.generation &- 1, at: 21))
      case .cancel: return machine.cancel() ? .done : .refused
      }
    } catch {
      return .error(error)
    }
  }

  private static func withRequest(_ phase: Repeater.Phase) throws(TimerError) -> RepeaterStateMachine {
    var machine = RepeaterStateMachine(mode: .finite(4), interval: 10, missedTicks: .skip)
    _ = try machine.start(at: 0)
    _ = machine.alarm(generation: machine.generation, at: 10)
    machine.deliveryFinished { 10 }
    _ = try machine.fire(andPause: false, at: 12)
    if phase == .cancelled {
      _ = machine.cancel()
    } else {
      _ = try machine.setRemainingIterations(1)
      _ = machine.alarm(generation: machine.generation, at: 20)
      machine.deliveryFinished { 20 }
    }
    return machine
  }

  private static func answer(_ effect: Effect<Repeater.Tick>) -> Answer {
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
    _ event: Event, idle: Cell, running: Cell, paused: Cell, finished: Cell, cancelled: Answer
  ) -> [Cell] {
    let last = Cell(
      phase: .cancelled, event: event, answer: cancelled, after: .cancelled, time: nil, left: 3,
      generations: 0)
    let phases: [Repeater.Phase] = [.idle, .running, .paused, .finished]
    return zip(phases, [idle, running, paused, finished]).map { phase, cell in
      var cell = cell
      (cell.phase, cell.event) = (phase, event)
      return cell
    } + [last]
  }

  private static func to(
    _ after: Repeater.Phase, _ time: Int64? = nil, left: Int, g: UInt64 = 0, deliveryGeneration: Bool = false,
    interval: Int64 = 10, _ answer: Answer = .done
  ) -> Cell {
    Cell(
      phase: .idle, event: .start, answer: answer, after: after, time: time, left: left,
      generations: g, newEpoch: deliveryGeneration, interval: interval)
  }

  static let cells: [Cell] = [
    row(
      .start, idle: to(.running, 23, left: 4, g: 1), running: to(.running, 20, left: 3, .refused),
      paused: to(.running, 20, left: 3, g: 1), finished: to(.running, 23, left: 4, g: 1),
      cancelled: .error(.cancelled)),
    row(
      .pause, idle: to(.idle, left: 4, .refused),
      running: to(.paused, 7, left: 3, g: 1, deliveryGeneration: true),
      paused: to(.paused, 7, left: 3, .refused), finished: to(.finished, left: 0, .refused),
      cancelled: .error(.cancelled)),
    row(
      .reset(nil, restart: true), idle: to(.running, 23, left: 4, g: 1, deliveryGeneration: true),
      running: to(.running, 23, left: 4, g: 1, deliveryGeneration: true),
      paused: to(.running, 23, left: 4, g: 1, deliveryGeneration: true),
      finished: to(.running, 23, left: 4, g: 1, deliveryGeneration: true), cancelled: .error(.cancelled)),
    row(
      .reset(5, restart: false), idle: to(.idle, left: 4, g: 1, deliveryGeneration: true, interval: 5),
      running: to(.idle, left: 4, g: 1, deliveryGeneration: true, interval: 5),
      paused: to(.idle, left: 4, g: 1, deliveryGeneration: true, interval: 5),
      finished: to(.idle, left: 4, g: 1, deliveryGeneration: true, interval: 5),
      cancelled: .error(.cancelled)),
    row(
      .setInterval(30, .fromNow), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 43, left: 3, g: 1, interval: 30),
      paused: to(.paused, 30, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .error(.cancelled)),
    row(
      .setInterval(30, .fromLastFire), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 40, left: 3, g: 1, interval: 30),
      paused: to(.paused, 27, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .error(.cancelled)),
    row(
      .setInterval(2, .fromLastFire), idle: to(.idle, left: 4, interval: 2),
      running: to(.running, 13, left: 3, g: 1, interval: 2),
      paused: to(.paused, 0, left: 3, interval: 2),
      finished: to(.finished, left: 0, interval: 2), cancelled: .error(.cancelled)),
    row(
      .setInterval(30, .nextPeriod), idle: to(.idle, left: 4, interval: 30),
      running: to(.running, 20, left: 3, interval: 30),
      paused: to(.paused, 7, left: 3, interval: 30),
      finished: to(.finished, left: 0, interval: 30), cancelled: .error(.cancelled)),
    row(
      .adjust(5), idle: to(.idle, left: 4, .refused), running: to(.running, 25, left: 3, g: 1),
      paused: to(.paused, 12, left: 3), finished: to(.finished, left: 0, .refused),
      cancelled: .error(.cancelled)),
    row(
      .adjust(-9), idle: to(.idle, left: 4, .refused), running: to(.running, 13, left: 3, g: 1),
      paused: to(.paused, 0, left: 3), finished: to(.finished, left: 0, .refused),
      cancelled: .error(.cancelled)),
    row(
      .setRemaining(6), idle: to(.idle, left: 6), running: to(.running, 20, left: 6),
      paused: to(.paused, 7, left: 6), finished: to(.finished, left: 0, .refused),
      cancelled: .error(.cancelled)),
    row(
      .fire, idle: to(.idle, left: 4), running: to(.running, 20, left: 3),
      paused: to(.paused, 7, left: 3), finished: to(.finished, left: 0, .refused),
      cancelled: .error(.cancelled)),
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
      .setRemaining(0), idle: to(.idle, left: 4, .error(.invalidCount(0))),
      running: to(.running, 20, left: 3, .error(.invalidCount(0))),
      paused: to(.paused, 7, left: 3, .error(.invalidCount(0))),
      finished: to(.finished, left: 0, .error(.invalidCount(0))), cancelled: .error(.cancelled)),
    row(
      .cancel, idle: to(.cancelled, left: 4, g: 1, deliveryGeneration: true),
      running: to(.cancelled, left: 3, g: 1, deliveryGeneration: true),
      paused: to(.cancelled, left: 3, g: 1, deliveryGeneration: true),
      finished: to(.cancelled, left: 0, g: 1, deliveryGeneration: true), cancelled: .refused),
  ].flatMap { $0 }
}
