import Dispatch
import Synchronization

/// An object that a timer deletes at the end of its lifetime.
final class Object: Sendable {}

/// An owner of an object that a timer deletes, in five patterns, and three times with TimerKit, once of them wrong.
///
/// The patterns are those of Matt Gallagher's article “Design patterns for safe timer usage”, in current Swift.
protocol Owner: AnyObject, Sendable {
  associatedtype Timer

  init()
  var queue: OwnerQueue<Timer> { get }
  /// Replaces the object with a new one and starts a timer that deletes it.
  func createObject(milliseconds ms: Int) throws
  /// Keeps the object and restarts its timer.
  func resetTimer(milliseconds ms: Int)
}

/// An event of a race between a timer's handler and a control: a call that replaces the object or resets its timer.
enum RaceEvent: Hashable, Sendable {
  /// A control runs on the owner's queue.
  case control
  /// The queue is given other work, which keeps all that follows waiting.
  case busy
  /// A control is requested on another thread, and is about to wait for the queue.
  case requested
  /// The timer's handler has started, and is about to wait for the queue.
  case fired
  /// The deadline has passed of a timer that fires on the owner's queue. Its handler has not started.
  case due
  /// A handler runs on the queue and deletes the object.
  case deleted
  /// A handler runs on the queue, detects that it is stale and does nothing.
  case ignored
}

/// The serial queue of an owner, with the object and the timer that it guards, and the log of a race on it.
///
/// The queue provides exclusion and order. The `Mutex` around the state is never contended; it lets the compiler check
/// the access.
final class OwnerQueue<Timer>: Sendable {
  struct State {
    var object: Object?
    var timer: Timer?
    /// The number of controls so far, for an owner that counts them.
    var generation = 0
  }

  enum Caller {
    case control, handler
  }

  let queue = DispatchQueue(label: "lab.owner")
  private let state = Mutex(State())
  private let log = Mutex<[RaceEvent]>([])

  /// Waits for the queue and runs the body on it.
  func sync(
    as caller: Caller, _ body: (inout sending State) throws -> Void
  ) rethrows {
    if caller == .handler { record(.fired) }
    try queue.sync { try run(as: caller, body) }
  }

  /// Runs the body for a handler that is called on the queue.
  func handle(_ body: (inout sending State) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    run(as: .handler, body)
  }

  private func run(
    as caller: Caller, _ body: (inout sending State) throws -> Void
  ) rethrows {
    if caller == .control { record(.control) }
    let isObjectLeft = try state.withLock { state in
      try body(&state)
      return state.object != nil
    }
    if caller == .handler { record(isObjectLeft ? .ignored : .deleted) }
  }

  func record(_ event: RaceEvent) { log.withLock { $0.append(event) } }

  /// Waits until all that was queued has run.
  /// - Returns: The events so far.
  func finish() -> [RaceEvent] { queue.sync { log.withLock { $0 } } }
}
