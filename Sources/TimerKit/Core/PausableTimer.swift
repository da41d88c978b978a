/// A timer that starts, pauses and resumes: ``Repeater``, ``Countdown``, ``Cycle`` and
/// ``Stopwatch``.
///
/// You can call every control from any thread and from inside a handler. Controls do not throw: on a
/// cancelled timer they are ``ControlResult/refused(_:)``.
public protocol PausableTimer: ObservableTimer where State == TimerState {
  /// Starts the timer, resumes a paused one with the time left, or starts a new run of a finished one.
  @discardableResult
  func start() -> ControlResult

  /// Pauses the timer and keeps the time left. Manual fires and skips that are not delivered yet are
  /// dropped; laps of a stopwatch are not.
  @discardableResult
  func pause() -> ControlResult

  /// Ends the timer for good. No handler starts after this has returned; called on the timer's queue,
  /// none is called. Deallocating the timer does the same.
  ///
  /// The handler, the observers and what they have captured are released, and streams end, as soon as
  /// observers have received the new state and a handler that runs has returned.
  @discardableResult
  func cancel() -> ControlResult

  /// Cancels the timer, and blocks until a running handler has returned. Calling it on the timer's own
  /// queue is a programming error: it would wait for itself.
  func cancelAndWait()

  /// Cancels the timer, and suspends the task until a running handler has returned. It blocks no thread.
  func cancelAndWait() async

  /// The events from now on, as a stream that also ends when the timer finishes: after the event
  /// `.state(from:to: .finished)`, or at once if the timer is finished already.
  ///
  /// Otherwise it is ``ObservableTimer/events(bufferingNewest:)``, whose stream continues when a finished
  /// timer is started again.
  /// - Parameters:
  ///   - limit: the number of unread events that are kept; older ones are dropped.
  ///   - endingOnFinish: false for a stream that continues.
  func events(bufferingNewest limit: Int, endingOnFinish: Bool) -> AsyncStream<Event>

  /// Removes all observers, including the handler.
  /// - Parameter thenPause: true to pause in the same step.
  func removeAllObservers(thenPause: Bool)
}

extension PausableTimer {
  /// The stream that keeps the newest 256 events: see
  /// ``PausableTimer/events(bufferingNewest:endingOnFinish:)``.
  public func events(endingOnFinish: Bool) -> AsyncStream<Event> {
    events(bufferingNewest: 256, endingOnFinish: endingOnFinish)
  }
}

/// The state machine of a ``PausableTimer``.
protocol PausableStateMachine: TimerStateMachine where Status == TimerState {
  /// The state without ``TimerState/executing``.
  var state: TimerState { get }
  mutating func start(at now: Int64) -> ControlResult
  mutating func pause(at now: Int64) -> ControlResult
}

/// The conformance to ``PausableTimer`` of a kind with storage.
protocol PausableOwner: ObservableOwner where Machine: PausableStateMachine {}

extension PausableOwner {
  public var state: TimerState { storage.read(\.state) }

  @discardableResult
  public func start() -> ControlResult {
    storage.control(self) { (machine, now) in machine.start(at: now) }
  }

  @discardableResult
  public func pause() -> ControlResult {
    storage.control(self) { (machine, now) in machine.pause(at: now) }
  }

  @discardableResult
  public func cancel() -> ControlResult { .changed(if: storage.end(self)) }

  public func cancelAndWait() { storage.cancelAndWait(self) }

  public func cancelAndWait() async { await storage.cancelAndWait(self) }

  public func events(
    bufferingNewest limit: Int, endingOnFinish: Bool
  ) -> AsyncStream<TimerEvent<Machine.Status, Machine.Delivery>> {
    storage.stream(self, bufferingNewest: limit, endingOn: endingOnFinish ? .finished : nil)
  }

  public func removeAllObservers(thenPause: Bool) {
    storage.removeAll(self) { (machine, now) in
      if thenPause { _ = machine.pause(at: now) }
    }
  }
}
