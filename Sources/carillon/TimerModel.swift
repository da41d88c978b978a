import Dashboard
import Dispatch
import TimerKit

/// The live timers: the model layer, on a serial queue of its own.
///
/// Timers fire on that queue and are controlled on it, so that their events are posted to the main
/// queue in the order in which they happened, each with the state the timer was in by then; and so
/// that the times they record stay honest while the main queue is busy drawing.
@MainActor
final class TimerModel {
  /// What became of a timer: an event of its own or, without one, the answer to a command.
  struct Letter: Sendable {
    let id: TimerID
    let sender: Repeater
    let event: Repeater.Event?
    let snapshot: Repeater.Snapshot
  }

  private let queue = DispatchQueue(label: "carillon.timers")
  private let mailbox: Mailbox<Letter>
  private var timers: [TimerID: Repeater] = [:]

  /// - Parameter deliver: called on the main queue with what happened since the last time.
  init(deliver: @escaping @MainActor ([Letter]) -> Void) {
    mailbox = Mailbox(deliver: deliver)
  }

  /// Whether a letter is from a timer that is still there: what a removed one had posted before is
  /// not to be heard.
  func isLive(_ letter: Letter) -> Bool {
    timers[letter.id] === letter.sender
  }

  /// Makes a timer and starts it, or makes it as it once was. One of the same id is removed.
  func create(_ id: TimerID, _ spec: TimerSpec, restoring checkpoint: Repeater.Checkpoint?) {
    remove(id)
    do {
      let timer = try make(spec, restoring: checkpoint)
      timers[id] = timer
      timer.observe { [mailbox] timer, event in
        mailbox.post(Letter(id: id, sender: timer, event: event, snapshot: timer.snapshot))
      }
      if checkpoint == nil { send(.start, to: id) } else { answer(timer, id) }
    } catch {
      // Specs come from the grammar and checkpoints from timers: both hold only what is allowed.
      preconditionFailure("a timer was asked for that cannot be: \(error)")
    }
  }

  private func make(
    _ spec: TimerSpec, restoring checkpoint: Repeater.Checkpoint?
  ) throws(TimerError) -> Repeater {
    // What a timer does when it fires is tell its observer.
    if let checkpoint {
      return try Repeater(restoring: checkpoint, .frozen, queue: queue) { _, _ in }
    }
    return try Repeater(
      every: spec.interval, mode: spec.mode, tolerance: spec.tolerance, missed: spec.missedTicks,
      queue: queue
    ) { _, _ in }
  }

  func send(_ command: TimerCommand, to id: TimerID) {
    guard let timer = timers[id] else { return }
    queue.async {
      // Only a cancelled timer refuses, and that one is on its way out.
      try? timer.perform(command)
    }
    answer(timer, id)
  }

  private func answer(_ timer: Repeater, _ id: TimerID) {
    queue.async { [queue, mailbox] in
      // What a command has set off, such as a fire, is in the queue by now and comes first.
      queue.async {
        mailbox.post(Letter(id: id, sender: timer, event: nil, snapshot: timer.snapshot))
      }
    }
  }

  func remove(_ id: TimerID) {
    timers.removeValue(forKey: id)?.cancel()
  }
}

extension Repeater {
  fileprivate func perform(_ command: TimerCommand) throws(TimerError) {
    switch command {
    case .start: try start()
    case .pause: try pause()
    case .reset(let restart): try reset(restart: restart)
    case .fire(let andPause): try fire(andPause: andPause)
    case .adjustTimeLeft(let change): try adjustTimeLeft(by: change)
    case .setInterval(let interval, let change): try setInterval(interval, change)
    case .setRemainingIterations(let count): try setRemainingIterations(count)
    }
  }
}
