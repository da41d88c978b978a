import Synchronization
import TimerKit

/// All that happened to one timer.
struct History {
  let mode: Repeater.Mode
  let policy: Repeater.MissedTicks
  let interval: Int
  /// In order.
  var calls: [Call] = []
  /// What an observer was told, in order.
  var events: [Repeater.Event] = []

  /// A control, and what can be known of the moment at which it took effect.
  struct Call {
    var control: Control
    var result: ControlResult?
    /// The clock, read before it was called and after it had returned.
    var began: Int
    var ended: Int
    /// The timer, seen before and after; it may have ticked in between.
    var before: Glimpse
    var after: Glimpse
  }

  /// What a snapshot tells of the time, and of how far the timer had come.
  struct Glimpse {
    var generation: Int
    var delivered: Int
    var stale: Int
    var deadline: Int?
    var left: Int?

    init(_ snapshot: Repeater.Snapshot) {
      generation = Int(snapshot.generation)
      delivered = snapshot.deliveredCount
      stale = snapshot.staleCount
      deadline = snapshot.deadline.map { Int($0.nanoseconds) }
      left = snapshot.frozenTimeLeft.map { Int($0.clampedNanoseconds) }
    }
  }
}

/// A timer of the soak. Its controls can be called from any thread and are written down in order;
/// what it tells is written down as it comes.
final class WatchedTimer: Sendable {
  private struct State {
    var history: History
    var callsLeft: Int
  }

  private let timer: Repeater
  private let log: EventLog
  private let state: Mutex<State>

  init(_ random: inout some RandomNumberGenerator) throws {
    let modes: [Repeater.Mode] = [
      .once, .infinite, .finite(Int.random(in: 1...8, using: &random)),
    ]
    let policies: [Repeater.MissedTicks] = [.skip, .delay, .burst(limit: 3)]
    let mode = modes[Int.random(in: 0..<3, using: &random)]
    let policy = policies[Int.random(in: 0..<3, using: &random)]
    let interval = Control.interval(&random)
    let tolerances: [Duration] = [.zero, .zero, .milliseconds(100)]
    state = Mutex(
      State(
        history: History(mode: mode, policy: policy, interval: interval),
        callsLeft: Int.random(in: 1...20, using: &random)))
    log = EventLog()
    timer = try Repeater(
      every: .nanoseconds(interval), mode: mode,
      tolerance: tolerances[Int.random(in: 0..<3, using: &random)], missedTicks: policy
    ) { _, _ in }
    timer.observe { [log] _, event in log.append(event) }
    call(.start)
  }

  /// Answers false when that was the last one, and the timer is cancelled.
  func callAny(_ random: inout some RandomNumberGenerator) -> Bool {
    call(Control(&random))
    let isOver = state.withLock { state in
      state.callsLeft -= 1
      return state.callsLeft == 0
    }
    if isOver { call(.cancel) }
    return !isOver
  }

  func call(_ control: Control) {
    // Two threads may not overtake each other between the call and the note of it.
    state.withLock { state in
      guard state.callsLeft > 0 || !timer.snapshot.state.isOver else { return }
      let before = History.Glimpse(timer.snapshot)
      let began = Int(TimerClock.suspending.now.nanoseconds)
      let result = try? control.perform(on: timer)
      let ended = Int(TimerClock.suspending.now.nanoseconds)
      state.history.calls.append(
        History.Call(
          control: control, result: result, began: began, ended: ended, before: before,
          after: History.Glimpse(timer.snapshot)))
    }
  }

  var tickCount: Int { timer.snapshot.deliveredCount }

  /// What happened, and what the timer says came of it. Cancel it first, and give it a moment.
  var record: (history: History, snapshot: Repeater.Snapshot) {
    var history = state.withLock { $0.history }
    history.events = log.all
    return (history, timer.snapshot)
  }
}

extension Repeater.State {
  fileprivate var isOver: Bool { self == .cancelled }
}

private final class EventLog: Sendable {
  private let events = Mutex<[Repeater.Event]>([])

  func append(_ event: Repeater.Event) { events.withLock { $0.append(event) } }

  var all: [Repeater.Event] { events.withLock { $0 } }
}
