import Dispatch
import Synchronization
import TimerBoard
import TimerKit

/// The live timers, which fire on their own serial queue.
///
/// They post their events to the main queue in order, each with the timer's status at that time. So fires are on
/// time even while the main queue is drawing. Controls are called on the main queue: timers are safe to use from any
/// thread and act on their current state, not on the last state that the main queue has received. Only a control that
/// causes a fire, a skip or a lap waits, for its delivery.
@MainActor
final class TimerModel {
  /// An event of a timer.
  struct TimerMessage: Sendable {
    let id: TimerID
    let sender: any LiveTimer
    let event: Board.TimerEvent
    let status: TimerStatus
    /// False for a state that is ahead of the timer's events, of which some are still to come.
    var isEvent = true
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

  /// Returns messages with the current status of timers whose newest message is out of date. A control may have
  /// changed a timer while older messages were waiting, and they must not hide its outcome.
  private nonisolated static func newerStates(than messages: [TimerMessage]) -> [TimerMessage] {
    var newer: [TimerID: TimerMessage] = [:]
    for message in messages {
      let status = message.sender.status
      newer[message.id] =
        status == message.status
        ? nil
        : TimerMessage(
          id: message.id, sender: message.sender, event: .changed, status: status, isEvent: false)
    }
    return Array(newer.values)
  }

  /// Returns true if a message is from a live timer; the messages of a removed one must not be applied.
  func isLive(_ message: TimerMessage) -> Bool {
    timers[message.id] === message.sender && message.status.state != .cancelled
  }

  /// Creates a timer and starts it, or restores it from a checkpoint. Removes an existing timer with the same
  /// identifier, even if it throws.
  /// - Returns: The status of the timer.
  func create(
    _ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint?
  ) throws(RestoreError) -> TimerStatus {
    remove(id)
    let make = { @Sendable [queue, messages] () throws(RestoreError) -> any LiveTimer in
      let timer = try spec.makeTimer(restoring: checkpoint, queue: queue)
      timer.observe { timer, event in
        let status = timer.status(with: event)
        messages.post(TimerMessage(id: id, sender: timer, event: event, status: status))
      }
      return timer
    }
    // A restored timer that became due during a hand-over fires at once. It is created on its queue, so that it does not
    // fire before it has an observer. A new timer starts below, and need not wait for the events of the others.
    let timer =
      try checkpoint == nil
      ? make() : queue.sync { Result(catching: make) }.get()
    timers[id] = timer
    if checkpoint == nil { _ = TimerAction.start.perform(on: [(id, timer)], at: .now()) }
    return timer.status
  }

  func status(of id: TimerID) -> TimerStatus? { timers[id]?.status }

  /// Performs an action on timers, after delivering earlier events.
  /// - Returns: The outcome for each timer that the action applies to.
  func control(
    _ action: TimerAction, _ ids: [TimerID], at now: ClockReading
  ) -> [ControlOutcome] {
    messages.flush()
    let outcomes = action.perform(
      on: ids.compactMap { id in timers[id].map { (id, $0) } }, at: now)
    let clocks = Set(outcomes.filter(\.causesEvent).map(\.after.clock))
    guard !clocks.isEmpty else { return outcomes }
    // Fires, skips and laps are delivered on the model's queue. Wait for that, because a pause would revoke them.
    for clock in clocks { waitForDueEvents(on: TimerClock(clock)) }
    messages.flush()
    return outcomes.map { outcome in
      var delivered = outcome
      delivered.after = timers[outcome.id]?.status ?? outcome.after
      return delivered
    }
  }

  /// Waits until the timers of a clock have delivered what is due now, by a timer that is due after them.
  ///
  /// To wait for the queue is not enough: timers deliver many events in several steps, so that they delay nothing
  /// else on their queue.
  private func waitForDueEvents(on clock: TimerClock) {
    let isDelivered = DispatchSemaphore(value: 0)
    let last = try? Repeater.once(after: .zero, clock: clock, queue: queue) { _, _ in
      isDelivered.signal()
    }
    if let last { withExtendedLifetime(last) { isDelivered.wait() } }
  }

  /// Triggers every timer that waits for triggers, `count` times.
  /// - Parameter done: Called on the model's queue afterwards.
  /// - Returns: True if there is any such timer.
  func trigger(times count: Int, then done: @escaping @Sendable () -> Void) -> Bool {
    let triggered = timers.filter { if case .triggered = $0.value.status { true } else { false } }
    Self.trigger(triggered, times: count, on: queue, messages, then: done)
    return !triggered.isEmpty
  }

  /// Triggers timers in batches, so that other timers can fire in between.
  private nonisolated static func trigger(
    _ timers: [TimerID: any LiveTimer], times count: Int, on queue: DispatchQueue,
    _ messages: MessageQueue<TimerMessage>, then done: @escaping @Sendable () -> Void
  ) {
    queue.async {
      let batch = min(count, 1000)
      for (id, timer) in timers {
        for _ in 0..<batch { timer.trigger() }
        messages.post(TimerMessage(id: id, sender: timer, event: .changed, status: timer.status))
      }
      if batch < count {
        trigger(timers, times: count - batch, on: queue, messages, then: done)
      } else {
        done()
      }
    }
  }

  /// Ends all timers after delivering their events. No timer fires between the reading of its status and its end.
  /// - Returns: The status of each timer before it was ended.
  func stop() -> [TimerID: TimerStatus] {
    while true {
      // A fire can start another timer, whose events follow.
      messages.flush()
      let timers = timers
      // Fires are delivered on the queue, so none can happen between the status and the end.
      let statuses: [TimerID: TimerStatus]? = queue.sync { [messages] in
        guard messages.isEmpty else { return nil }
        return timers.mapValues { timer in
          defer { timer.end() }
          return timer.status
        }
      }
      guard let statuses else { continue }
      self.timers = [:]
      return statuses
    }
  }

  func remove(_ id: TimerID) {
    timers.removeValue(forKey: id)?.end()
  }
}

extension ControlOutcome {
  /// A Boolean value that indicates whether the control causes an event on the timer's queue.
  fileprivate var causesEvent: Bool {
    switch result {
    case .changed(.fire), .changed(.skip), .changed(.lap): true
    default: false
    }
  }
}

/// A queue of messages from any thread to the main queue.
///
/// One block on the main queue delivers all messages that were posted before it, in order, so that a thousand
/// timers that fire together need only one block.
final class MessageQueue<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  @MainActor private var isDelivering = false
  private let deliver: @MainActor @Sendable ([Message]) -> Void

  /// - Parameter deliver: Called on the main queue with all messages since the last call.
  init(deliver: @escaping @MainActor @Sendable ([Message]) -> Void) {
    self.deliver = deliver
  }

  /// A Boolean value that indicates whether all messages have been delivered.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Adds a message to the queue, from any thread.
  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in MainActor.assumeIsolated { flush() } }
  }

  /// Delivers the messages that were posted so far. Does nothing during a delivery, to keep their order.
  @MainActor
  func flush() {
    guard !isDelivering else { return }
    let pending = messages.withLock { messages in
      let all = messages
      messages = []
      return all
    }
    guard !pending.isEmpty else { return }
    isDelivering = true
    deliver(pending)
    isDelivering = false
  }
}
