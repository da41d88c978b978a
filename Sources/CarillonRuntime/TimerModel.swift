import Dispatch
import TimerBoard
import TimerKit

/// The live timers: the model layer, on a serial queue of its own.
///
/// Timers fire on that queue and post their events to the main queue in the order in which they happened,
/// each with the state the timer was in by then; so the times they record stay honest while the main queue
/// is busy drawing. Controls come from the main queue and answer at once: a timer is safe to use from any
/// thread, and decides by its own state, not by what the main queue has seen of it.
@MainActor
final class TimerModel {
  /// An event of a timer.
  struct TimerMessage: Sendable {
    let id: TimerID
    let sender: any LiveTimer
    let event: Board.TimerEvent
    let status: TimerStatus
  }

  private let queue = DispatchQueue(label: "carillon.timers")
  private let messages: MessageQueue<TimerMessage>
  private var timers: [TimerID: any LiveTimer] = [:]

  /// - Parameter deliver: Called on the main queue with the events since the last call.
  init(deliver: @escaping @MainActor ([TimerMessage]) -> Void) {
    messages = MessageQueue { messages in
      deliver(messages)
      let newer = Self.newerStates(than: messages)
      if !newer.isEmpty { deliver(newer) }
    }
  }

  /// The states of timers that have changed since their newest message. A control changes a timer while
  /// older messages wait for the main queue, and its outcome must not be undone by them.
  private nonisolated static func newerStates(than messages: [TimerMessage]) -> [TimerMessage] {
    var newer: [TimerID: TimerMessage] = [:]
    for message in messages {
      let status = message.sender.status
      newer[message.id] =
        status == message.status
        ? nil
        : TimerMessage(id: message.id, sender: message.sender, event: .changed, status: status)
    }
    return Array(newer.values)
  }

  /// Returns true if a message is from a live timer; the messages of a removed one must not be applied.
  func isLive(_ message: TimerMessage) -> Bool {
    timers[message.id] === message.sender
  }

  /// Creates a timer and starts it, or restores it as it was. One of the same identifier is removed.
  /// - Returns: the state that it is in.
  /// - Throws: the reason why the timer cannot be created; then none has that identifier.
  func create(
    _ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint?
  ) throws(RestoreError) -> TimerStatus {
    remove(id)
    let timer = try spec.makeTimer(restoring: checkpoint, queue: queue)
    timers[id] = timer
    timer.observe { [messages] timer, event in
      messages.post(TimerMessage(id: id, sender: timer, event: event, status: timer.status))
    }
    if checkpoint == nil { _ = TimerAction.start.perform(on: [(id, timer)], at: .now()) }
    return timer.status
  }

  func status(of id: TimerID) -> TimerStatus? { timers[id]?.status }

  /// Performs an action on timers, after the delivery of the events before it.
  /// - Returns: the outcome for each timer that is meant.
  func control(
    _ action: TimerAction, _ ids: [TimerID], at now: ClockReading
  ) -> [ControlOutcome] {
    messages.flush()
    let outcomes = action.perform(
      on: ids.compactMap { id in timers[id].map { (id, $0) } }, at: now)
    guard outcomes.contains(where: \.isDelivered) else { return outcomes }
    // A fire, a skip and a lap are delivered on the model's queue, and a pause before that would revoke
    // them; so the next action waits for the delivery.
    queue.sync {}
    messages.flush()
    return outcomes.map { outcome in
      var delivered = outcome
      delivered.after = timers[outcome.id]?.status ?? outcome.after
      return delivered
    }
  }

  /// Triggers every timer that waits for triggers a number of times.
  /// - Parameter done: Called on the model's queue when that has happened.
  /// - Returns: true if there is any such timer.
  func trigger(times count: Int, then done: @escaping @Sendable () -> Void) -> Bool {
    let triggered = timers.filter { if case .calls = $0.value.status { true } else { false } }
    Self.trigger(triggered, times: count, on: queue, messages, then: done)
    return !triggered.isEmpty
  }

  /// Triggers a part at a time, so that other timers fire in between.
  private nonisolated static func trigger(
    _ timers: [TimerID: any LiveTimer], times count: Int, on queue: DispatchQueue,
    _ messages: MessageQueue<TimerMessage>, then done: @escaping @Sendable () -> Void
  ) {
    queue.async {
      let part = min(count, 1000)
      for (id, timer) in timers {
        for _ in 0..<part { timer.trigger() }
        messages.post(TimerMessage(id: id, sender: timer, event: .changed, status: timer.status))
      }
      if part < count {
        trigger(timers, times: count - part, on: queue, messages, then: done)
      } else {
        done()
      }
    }
  }

  func remove(_ id: TimerID) {
    timers.removeValue(forKey: id)?.end()
  }
}

extension ControlOutcome {
  /// A Boolean value that indicates whether the timer's queue delivers something because of it.
  fileprivate var isDelivered: Bool {
    switch result {
    case .changed(.fire), .changed(.skip), .changed(.lap): true
    default: false
    }
  }
}
