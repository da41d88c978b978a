import Synchronization
import TimerKit

/// The complete history of a timer.
struct History {
  let mode: Repeater.Mode
  let policy: Repeater.MissedTicks
  let interval: Int
  /// The calls, in order.
  var calls: [Call] = []
  /// The events that an observer received, in order.
  var events: [Repeater.Event] = []

  /// A control, and the bounds of the time at which it took effect.
  struct Call {
    var control: Control
    var result: ControlResult?
    /// The clock readings before the call and after its return.
    var began: Int
    var ended: Int
    /// The timer's snapshots before and after; it may have ticked in between.
    var before: PartialSnapshot
    var after: PartialSnapshot
  }

  /// The times and counts of a snapshot.
  struct PartialSnapshot {
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
      left = snapshot.pausedTimeLeft?.wholeNanoseconds
    }
  }
}

/// A timer of the soak test. Its controls can be called from any thread and are recorded in order; its
/// events are recorded as they arrive.
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
      interval: .nanoseconds(interval), mode: mode,
      tolerance: tolerances[Int.random(in: 0..<3, using: &random)], missedTicks: policy
    ) { _, _ in }
    timer.observe { [log] _, event in log.append(event) }
    call(.start)
  }

  /// Returns false if that was the last call, and the timer is cancelled.
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
    // Locked, so that calls are recorded in the order in which they are made.
    state.withLock { state in
      guard state.callsLeft > 0 || !timer.snapshot.state.isOver else { return }
      let before = History.PartialSnapshot(timer.snapshot)
      let began = Int(TimerClock.suspending.now.nanoseconds)
      let result = try? control.perform(on: timer)
      let ended = Int(TimerClock.suspending.now.nanoseconds)
      state.history.calls.append(
        History.Call(
          control: control, result: result, began: began, ended: ended, before: before,
          after: History.PartialSnapshot(timer.snapshot)))
    }
  }

  var tickCount: Int { timer.snapshot.deliveredCount }

  /// The history and the final snapshot. Call this some time after the timer was cancelled.
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

extension Duration {
  /// The nanoseconds of a duration that a timer reports, which has no fraction of a nanosecond.
  var wholeNanoseconds: Int {
    Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
  }
}
