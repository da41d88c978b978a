package import Dispatch
package import TimerKit

/// The model of the program: the board and its live timers.
///
/// It has the ``Board``, performs the effects of its commands and events, and passes on what has changed, once. The
/// timers fire on their own serial queue and post their events, each with the timer's status at that time. So fires are
/// on time even while the owner of the model is drawing. The model itself is used on one thread, which is the main
/// queue in the program. There it calls the controls of the timers directly: they are safe to use from any thread and
/// act on their current state, not on the last state that the model has received. Only a control that causes a fire, a
/// skip or a lap waits, for its delivery.
package final class TimerModel {
  /// An event of a timer.
  private typealias TimerMessage = (
    id: TimerID, sender: any LiveTimer, event: Board.TimerEvent, status: TimerStatus
  )

  package internal(set) var board: Board
  package weak var services: (any TimerServices)?
  private let clocks: TimerClocks
  /// The queue of the timers; `nil` for virtual clocks, whose timers fire on the thread that advances them.
  private let queue: DispatchQueue?
  private let readClocks: () -> ClockReading
  private let messages: MessageQueue<TimerMessage>
  private var timers: [TimerID: any LiveTimer] = [:]
  private var reports: [Report] = []
  /// The parts of the board that a session saves, when they were last passed on.
  private var published: (revision: Int, isMuted: Bool)
  private var isReceiving = false

  /// - Parameters:
  ///   - clocks: The clocks of the timers.
  ///   - queue: The serial queue of the timers; `nil` for virtual clocks.
  ///   - readClocks: Returns the reading of all clocks.
  ///   - wake: Called on any thread when events arrive; it must cause a call of ``receive()``.
  package init(
    _ board: Board, clocks: TimerClocks = .system, queue: DispatchQueue?,
    readClocks: @escaping () -> ClockReading, wake: @escaping @Sendable () -> Void
  ) {
    self.board = board
    published = (0, board.isMuted)
    self.clocks = clocks
    self.queue = queue
    self.readClocks = readClocks
    messages = MessageQueue(wake: wake)
  }

  // MARK: Commands and events

  /// Performs a command and all that follows from it.
  /// - Parameter now: The time of the command; `nil` for the present.
  /// - Returns: The reports.
  package func perform(_ command: Board.Command, at now: ClockReading? = nil) -> [Report] {
    perform(board.handle(command, at: now ?? readClocks()))
    defer { publish(isOnlyFires: false) }
    return takeReports()
  }

  /// Applies the events of the timers since the last call. Does nothing during a call, to keep their order.
  package func receive() {
    if let isOnlyFires = applyEvents() { publish(isOnlyFires: isOnlyFires) }
  }

  /// A Boolean value that indicates whether events wait for ``receive()``.
  package var hasEvents: Bool { !messages.isEmpty }

  /// Ends the open stretches of the history, because the process ends without a saved session.
  package func endStretches() {
    board.endStretches(at: readClocks())
    publish(isOnlyFires: false)
  }

  /// Returns the timers that were added or changed since the last call.
  package func takeChanges() -> Set<TimerID> { board.timers.takeChanges() }

  /// Converts the instants of other clocks again if those clocks have jumped.
  package func reconvertInstantsIfClocksJumped(at now: ClockReading) {
    board.reconvertInstantsIfClocksJumped(at: now)
  }

  package func setMuted(_ isMuted: Bool) { board.isMuted = isMuted }

  /// Applies an event and performs all that follows from it.
  /// - Parameter now: The time of the event; `nil` for the present.
  package func receive(_ event: Board.Event, at now: ClockReading? = nil) {
    apply(event, at: now)
    publish(isOnlyFires: false)
  }

  private func apply(_ event: Board.Event, at now: ClockReading? = nil) {
    perform(board.apply(event, at: now ?? readClocks()))
  }

  private func takeReports() -> [Report] { exchange(&reports, with: []) }

  private func publish(isOnlyFires: Bool) {
    let state = (revision: board.timers.revision, isMuted: board.isMuted)
    var change = BoardChange()
    change.reports = takeReports()
    change.transitions = board.takeTransitions()
    change.history = board.takeHistory()
    change.isSaveNeeded = state != published
    change.isOnlyFires = isOnlyFires
    published = state
    services?.changed(change)
  }

  /// Performs effects in order.
  private func perform(_ effects: [Board.Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: Board.Effect) {
    switch effect {
    case .create(let id, let spec, let checkpoint):
      do throws(RestoreError) {
        apply(.timer(id, .changed, try create(id, spec, restoring: checkpoint)))
      } catch {
        apply(.notCreated(id, "\(error)"))
      }
    case .control(let action, let ids, let cause): control(action, ids, cause)
    case .remove(let id):
      if services?.dropWaitingCommands(of: id) != true { board.forgetCommand(ofDeleted: id) }
      remove(id)
    case .run(let command, let fire): services?.run(command, for: fire)
    case .ringOnce: services?.ringOnce()
    case .repeatBell(let isOn): services?.repeatBell(isOn)
    case .notify(let notification): services?.notify(notification)
    case .report(let report): reports.append(report)
    }
  }

  /// Applies the events that were posted so far, then the current status of each timer whose newest event is out of
  /// date: a control may have changed a timer while older events were waiting, and they must not hide its outcome.
  /// - Returns: True if only fires have changed the board; `nil` without events, and during another call.
  private func applyEvents() -> Bool? {
    let pending = isReceiving ? [] : messages.takeAll()
    guard !pending.isEmpty else { return nil }
    isReceiving = true
    defer { isReceiving = false }
    var isOnlyFires = true
    var latest: [TimerID: TimerMessage] = [:]
    for message in pending where isLive(message) {
      apply(.timer(message.id, message.event, message.status))
      if message.status.state != .running { isOnlyFires = false }
      latest[message.id] = message
    }
    for message in latest.values where isLive(message) {
      let status = message.sender.status
      if status != message.status { apply(.timer(message.id, .changed, status)) }
    }
    return isOnlyFires
  }

  // MARK: Live timers

  /// Returns true if a message is from a live timer; the messages of a removed one must not be applied.
  private func isLive(_ message: TimerMessage) -> Bool {
    timers[message.id] === message.sender && message.status.state != .cancelled
  }

  /// Creates a timer from a checkpoint. Removes an existing timer with the same identifier, even if it throws.
  /// - Returns: The status of the timer.
  private func create(
    _ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint
  ) throws(RestoreError) -> TimerStatus {
    remove(id)
    let make = {
      @Sendable [queue, clocks, messages] () throws(RestoreError) -> any LiveTimer in
      let timer = try spec.makeTimer(restoring: checkpoint, clocks: clocks, queue: queue)
      timer.observe { timer, event in
        let status = timer.status(with: event)
        messages.post((id, timer, event, status))
      }
      return timer
    }
    // It may be due at once, and must not fire before it has an observer.
    let made = queue.map { $0.sync { Result(catching: make) } } ?? Result(catching: make)
    let timer = try made.get()
    timers[id] = timer
    return timer.status
  }

  /// Performs an action on timers after applying earlier events, and applies its outcomes and the events that it causes.
  private func control(_ action: TimerAction, _ ids: [TimerID], _ cause: Board.Cause) {
    _ = applyEvents()
    var outcomes = action.perform(
      on: ids.compactMap { id in timers[id].map { (id, $0) } }, at: readClocks())
    // Fires, skips and laps are delivered on the model's queue. Wait for that, because a pause would revoke them.
    let clocks = Set(outcomes.filter(\.causesEvent).map(\.after.clock))
    if !clocks.isEmpty {
      for clock in clocks { waitForDueEvents(on: TimerClock(clock)) }
      for index in outcomes.indices {
        outcomes[index].after = timers[outcomes[index].id]?.status ?? outcomes[index].after
      }
    }
    // The outcome comes first: what an undo restores is the timer before the event.
    apply(.controlled(action, outcomes, cause))
    _ = applyEvents()
  }

  /// Waits until the timers of a clock have delivered what is due now, by a timer that is due after them.
  ///
  /// To wait for the queue is not enough: timers deliver many events in several steps, so that they delay nothing
  /// else on their queue.
  package func waitForDueEvents(on clock: TimerClock) {
    guard let queue else { return }
    let isDelivered = DispatchSemaphore(value: 0)
    let last = try? Repeater.once(after: .zero, clock: clock, queue: queue) { _, _ in
      isDelivered.signal()
    }
    if let last { withExtendedLifetime(last) { isDelivered.wait() } }
  }

  package func liveTimer(_ id: TimerID) -> (any LiveTimer)? { timers[id] }

  private func remove(_ id: TimerID) { timers.removeValue(forKey: id)?.end() }

  // MARK: The lines of an input

  /// Triggers every timer that waits for triggers, `count` times.
  /// - Parameter done: Called on the model's queue afterwards.
  /// - Returns: True if there is any such timer.
  package func trigger(times count: Int, then done: @escaping @Sendable () -> Void) -> Bool {
    let triggered = timers.filter { $0.value.status.calls != nil }
    guard let queue else { return false }
    queue.async { [messages] in
      for (id, timer) in triggered {
        for _ in 0..<count { timer.perform(.fire(pausing: false)) }
        messages.post((id, timer, .changed, timer.status))
      }
      done()
    }
    return !triggered.isEmpty
  }

  // MARK: The hand-over to another process

  /// Ends all live timers after applying their events; the board has the time that they have left. No timer fires
  /// between the reading of its status and its end.
  package func stop() {
    while true {
      // A fire can start another timer, whose events follow.
      _ = applyEvents()
      let timers = timers
      // Fires are delivered on the queue, so none can happen between the status and the end.
      let end: @Sendable () -> [TimerID: TimerStatus]? = { [messages] in
        guard messages.isEmpty else { return nil }
        return timers.mapValues { timer in
          defer { timer.end() }
          return timer.status
        }
      }
      guard let statuses = queue.map({ $0.sync(execute: end) }) ?? end() else { continue }
      self.timers = [:]
      for (id, status) in statuses { apply(.timer(id, .changed, status)) }
      publish(isOnlyFires: false)
      return
    }
  }

  /// Creates the timers again after ``stop()``.
  package func restart() {
    let now = readClocks()
    board.resetForRecreatedTimers()
    perform(board.timers.all.map { .create($0.id, $0.spec, restoring: $0.checkpoint(at: now)) })
    publish(isOnlyFires: false)
  }
}
