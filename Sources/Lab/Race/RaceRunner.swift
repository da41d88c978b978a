import Dispatch
import TimerBoard
import TimerKit

/// A control that races with the fire of a timer.
enum Race: Int, CaseIterable, Sendable {
  /// The child is replaced while the handler of its timer waits.
  case replaced
  /// The child's timer is rescheduled while its handler waits.
  case rescheduled
  /// The timer is rescheduled after its handler entered the queue: the handler correctly deletes
  /// the child.
  case firedFirst

  var name: String {
    switch self {
    case .replaced: "replaced"
    case .rescheduled: "rescheduled"
    case .firedFirst: "fired first"
    }
  }
}

/// The log and the result of one race with one pattern.
struct Run: Sendable {
  let race: Race
  let entries: [RaceLog.Entry]
  let childDeleted: Bool

  /// A Boolean value that indicates whether the events happened in the required order. On a loaded
  /// machine a step can come too early or too late, and the result of such a run means nothing.
  let isValid: Bool

  func has(_ event: RaceLog.Event) -> Bool { entries.contains { $0.event == event } }
}

/// A runner of one race, in an order of events that rarely happens by itself.
///
/// Unless the pattern is a deferred call, it blocks the parent's queue, so that a control and the timer's
/// handler both wait for the queue in the order in which they arrive, and then unblocks it. A run blocks
/// the caller for 10 to 25 ms.
struct RaceRunner {
  private static let lifetime = DispatchTimeInterval.milliseconds(8)
  /// The lifetime of a child that must still exist when the run checks it.
  private static let longLifetime = DispatchTimeInterval.seconds(600)

  let pattern: Pattern
  let race: Race

  func run() -> Run {
    pattern.isDeferred ? runDeferred() : runWithBlockedQueue()
  }

  private func runWithBlockedQueue() -> Run {
    let log = RaceLog()
    let queue = DispatchQueue(label: "lab.parent")
    let parent = pattern.make(queue, log)
    let blocked = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    perform { try parent.createChild(for: Self.lifetime) }
    log.record(.created)
    queue.async {
      log.record(.busy)
      blocked.signal()
      gate.wait()
    }
    blocked.wait()
    var control = DispatchSemaphore(value: 0)
    if race != .firedFirst { control = request(parent, log) }
    awaitFire(log)
    pause(milliseconds: 2)
    if race == .firedFirst {
      control = request(parent, log)
      pause(milliseconds: 2)
    }
    log.record(.freed)
    gate.signal()
    control.wait()
    if !pattern.firesOnQueue { _ = log.awaitHandler() }
    // This waits on the queue too, after the control and the handler.
    let childDeleted = !parent.hasChild
    let entries = log.entries
    return Run(
      race: race, entries: entries, childDeleted: childDeleted,
      isValid: Self.isValid(
        entries.map(\.event), race, firesOnQueue: pattern.firesOnQueue))
  }

  /// Requests a control on another thread, which waits for the queue.
  /// - Returns: A semaphore that is signaled when the control has run.
  private func request(_ parent: any Parent, _ log: RaceLog) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let requested = DispatchSemaphore(value: 0)
    DispatchQueue(label: "lab.control").async { [self] in
      log.record(.requested)
      requested.signal()
      switch race {
      case .replaced: perform { try parent.createChild(for: Self.longLifetime) }
      case .rescheduled, .firedFirst: perform { try parent.resetChildTimer(to: Self.longLifetime) }
      }
      done.signal()
    }
    requested.wait()
    return done
  }

  /// Runs a control with one of the lifetimes above, which every timer accepts.
  private func perform(_ control: () throws -> Void) {
    do { try control() } catch {
      preconditionFailure("a race has an invalid timer configuration: \(error)")
    }
  }

  private func awaitFire(_ log: RaceLog) {
    if pattern.firesOnQueue {
      pause(milliseconds: 12)
      log.record(.deadlinePassed)
    } else {
      _ = log.awaitFire()
    }
  }

  /// Returns true if the events happened in the order that the race requires.
  static func isValid(_ events: [RaceLog.Event], _ race: Race, firesOnQueue: Bool) -> Bool {
    guard let fired = events.firstIndex(of: firesOnQueue ? .deadlinePassed : .fired),
      let requested = events.firstIndex(of: .requested),
      let control = events.lastIndex(of: .controlRan), control > requested,
      let created = events.firstIndex(of: .created), let busy = events.firstIndex(of: .busy),
      let freed = events.firstIndex(of: .freed),
      // On a busy machine the timer can fire before the queue is blocked, or after it is free.
      created < busy, busy < min(requested, fired), max(requested, fired) < freed
    else { return false }
    let handled = events.firstIndex { $0 == .deleted || $0 == .ignored }
    switch race {
    case .replaced, .rescheduled:
      // On the queue itself no handler is called if the control came first.
      guard let handled else { return firesOnQueue && requested < fired }
      return requested < fired && control < handled
    case .firedFirst:
      return fired < requested && handled.map { $0 < control } ?? false
    }
  }

  /// Runs a deferred call without blocking the queue: the first call comes while the second child
  /// exists.
  private func runDeferred() -> Run {
    let log = RaceLog()
    let parent = pattern.make(DispatchQueue(label: "lab.parent"), log)
    perform { try parent.createChild(for: .milliseconds(20)) }
    log.record(.created)
    pause(milliseconds: 10)
    log.record(.requested)
    perform { try parent.createChild(for: .milliseconds(20)) }
    pause(milliseconds: 15)
    // Logged before the check: a call between the two makes the run invalid.
    log.record(.checked)
    let hasChild = parent.hasChild
    let entries = log.entries
    let order = entries.map(\.event)
    return Run(
      race: race, entries: entries, childDeleted: !hasChild,
      isValid: order == [
        .controlRan, .created, .requested, .controlRan, .fired, .deleted, .checked,
      ])
  }

  private func pause(milliseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
  }
}
