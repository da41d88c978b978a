import Dispatch
import TimerBoard
import TimerKit

/// What a timer's fire is raced against.
enum Race: Int, CaseIterable, Sendable {
  /// A new child takes the old one's place while the old one's handler waits.
  case replaced
  /// The child's timer is put off while its handler waits.
  case rescheduled
  /// The handler waits already when the timer is put off: it deletes the child, and rightly so.
  case firedFirst
}

/// One run of a pattern under a race, as it was logged.
struct Run: Sendable {
  let race: Race
  let entries: [RaceLog.Entry]
  let lostChild: Bool

  /// Whether it went as the recipe has it. On a loaded machine a step can come too early or too
  /// late: such a run says nothing.
  let isStaged: Bool

  /// A handler came too late, and did nothing.
  var isIgnored: Bool { has(.ignored) }

  func has(_ event: RaceLog.Event) -> Bool { entries.contains { $0.event == event } }
}

/// Brings about, every time, the order of events that hardly ever comes by itself.
///
/// The parent's queue is made busy, so that a control and the timer's handler must both wait for it,
/// in the order in which they come; then it is let go. It blocks for about 12 ms.
struct Staging {
  private static let lifetime = DispatchTimeInterval.milliseconds(8)
  /// For a child that is not to be deleted while anybody looks.
  private static let long = DispatchTimeInterval.seconds(600)

  let pattern: Pattern
  let race: Race

  func run() -> Run {
    pattern.isDeferred ? runDeferred() : runGated()
  }

  private func runGated() -> Run {
    let log = RaceLog()
    let queue = DispatchQueue(label: "lab.parent")
    let parent = pattern.make(queue, log)
    let blocked = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    perform { try parent.createChild(for: Self.lifetime) }
    log.note(.created)
    queue.async {
      log.note(.busy)
      blocked.signal()
      gate.wait()
    }
    blocked.wait()
    var control = DispatchSemaphore(value: 0)
    if race != .firedFirst { control = self.control(parent, log) }
    awaitFire(log)
    pause(milliseconds: 2)
    if race == .firedFirst {
      control = self.control(parent, log)
      pause(milliseconds: 2)
    }
    log.note(.freed)
    gate.signal()
    control.wait()
    if !pattern.firesOnQueue { _ = log.awaitHandler() }
    // Behind whatever else waits for the queue.
    let lostChild = !parent.hasChild
    let entries = log.entries
    return Run(
      race: race, entries: entries, lostChild: lostChild,
      isStaged: Self.isStaged(
        entries.map(\.event), race, firesOnQueue: pattern.firesOnQueue))
  }

  /// Another thread asks for a control, and waits for the queue.
  private func control(_ parent: any Parent, _ log: RaceLog) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let asked = DispatchSemaphore(value: 0)
    DispatchQueue(label: "lab.control").async { [self] in
      log.note(.asked)
      asked.signal()
      switch race {
      case .replaced: perform { try parent.createChild(for: Self.long) }
      case .rescheduled, .firedFirst: perform { try parent.resetChildTimer(to: Self.long) }
      }
      done.signal()
    }
    asked.wait()
    return done
  }

  /// No timer refuses a lifetime of the recipe.
  private func perform(_ control: () throws -> Void) {
    do { try control() } catch {
      preconditionFailure("a race asks for a timer that cannot be: \(error)")
    }
  }

  private func awaitFire(_ log: RaceLog) {
    if pattern.firesOnQueue {
      pause(milliseconds: 12)
      log.note(.waited)
    } else {
      _ = log.awaitFire()
    }
  }

  /// Whether a log has the order of the recipe.
  static func isStaged(_ events: [RaceLog.Event], _ race: Race, firesOnQueue: Bool) -> Bool {
    guard let fired = events.firstIndex(of: firesOnQueue ? .waited : .fired),
      let asked = events.firstIndex(of: .asked),
      let control = events.lastIndex(of: .controlled), control > asked
    else { return false }
    let handled = events.firstIndex { $0 == .deleted || $0 == .ignored }
    switch race {
    case .replaced, .rescheduled:
      // On the queue itself no handler is called if the control came in time.
      guard let handled else { return firesOnQueue && asked < fired }
      return asked < fired && control < handled
    case .firedFirst:
      return fired < asked && handled.map { $0 < control } ?? false
    }
  }

  /// Without a gate: the first call comes while the second child is there.
  private func runDeferred() -> Run {
    let log = RaceLog()
    let parent = pattern.make(DispatchQueue(label: "lab.parent"), log)
    perform { try parent.createChild(for: .milliseconds(20)) }
    log.note(.created)
    pause(milliseconds: 10)
    log.note(.asked)
    perform { try parent.createChild(for: .milliseconds(20)) }
    pause(milliseconds: 15)
    // In the log first: a call that comes between the two makes the run none of the recipe's.
    log.note(.looked)
    let hasChild = parent.hasChild
    let entries = log.entries
    let order = entries.map(\.event)
    return Run(
      race: race, entries: entries, lostChild: !hasChild,
      isStaged: order == [
        .controlled, .created, .asked, .controlled, .fired, .deleted, .looked,
      ])
  }

  private func pause(milliseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
  }
}
