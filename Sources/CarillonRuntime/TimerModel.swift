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
    let sender: any LiveTimer
    let news: TimerNews?
    let status: TimerStatus
  }

  private let queue = DispatchQueue(label: "carillon.timers")
  private let mailbox: Mailbox<Letter>
  private var timers: [TimerID: any LiveTimer] = [:]

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
  /// - Throws: the reason why there can be no such timer; then there is none of that id.
  func create(
    _ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint?
  ) throws(RestoreError) {
    remove(id)
    let timer = try spec.makeTimer(restoring: checkpoint, queue: queue)
    timers[id] = timer
    timer.tell { [mailbox] timer, news in
      mailbox.post(Letter(id: id, sender: timer, news: news, status: timer.status))
    }
    if checkpoint == nil { send(.start, to: id) } else { answer(timer, id) }
  }

  func send(_ command: TimerCommand, to id: TimerID) {
    guard let timer = timers[id] else { return }
    queue.async { [mailbox] in Self.perform(command, by: timer, id, mailbox) }
    answer(timer, id)
  }

  /// Triggers every timer that waits for it, so many times.
  /// - Parameter done: called on the model's queue when that has happened.
  /// - Returns: whether there is any such timer.
  func trigger(times count: Int, then done: @escaping @Sendable () -> Void) -> Bool {
    let triggered = timers.filter { if case .calls = $0.value.status { true } else { false } }
    Self.trigger(triggered, times: count, on: queue, mailbox, then: done)
    return !triggered.isEmpty
  }

  /// A part of them at a time: other timers fire in between.
  private nonisolated static func trigger(
    _ timers: [TimerID: any LiveTimer], times count: Int, on queue: DispatchQueue,
    _ mailbox: Mailbox<Letter>, then done: @escaping @Sendable () -> Void
  ) {
    queue.async {
      let part = min(count, 1000)
      for (id, timer) in timers {
        for _ in 0..<part { perform(.fire(andPause: false), by: timer, id, mailbox) }
        mailbox.post(Letter(id: id, sender: timer, news: .changed, status: timer.status))
      }
      if part < count {
        trigger(timers, times: count - part, on: queue, mailbox, then: done)
      } else {
        done()
      }
    }
  }

  private nonisolated static func perform(
    _ command: TimerCommand, by timer: any LiveTimer, _ id: TimerID, _ mailbox: Mailbox<Letter>
  ) {
    do throws(TimerConfigurationError) {
      try timer.perform(command)
    } catch {
      mailbox.post(
        Letter(id: id, sender: timer, news: .refused("\(error)"), status: timer.status))
    }
  }

  private func answer(_ timer: any LiveTimer, _ id: TimerID) {
    queue.async { [queue, mailbox] in
      // What a command has set off, such as a fire, is in the queue by now and comes first.
      queue.async {
        mailbox.post(Letter(id: id, sender: timer, news: nil, status: timer.status))
      }
    }
  }

  func remove(_ id: TimerID) {
    timers.removeValue(forKey: id)?.end()
  }
}
