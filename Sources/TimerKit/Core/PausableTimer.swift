/// A timer whose time runs, stops and resumes: ``Repeater``, ``Countdown``, ``Cycle`` and
/// ``Stopwatch``.
///
/// You can call every control from any thread and from inside a handler. Controls do not throw: on a
/// cancelled timer they are ``ControlResult/refused(_:)``.
public protocol PausableTimer: ObservableTimer where State == TimerState {
  /// Starts the timer, resumes it from where it was paused, or runs a finished one anew.
  @discardableResult
  func start() -> ControlResult

  /// Stops its time and keeps what is left. Manual fires and skips that are not delivered yet are
  /// dropped; laps of a stopwatch are not.
  @discardableResult
  func pause() -> ControlResult

  /// Ends the timer for good, releases its handler and observers, and ends their streams. No handler
  /// starts after this has returned; called on the timer's queue, none is called. Deallocating the
  /// timer does the same.
  @discardableResult
  func cancel() -> ControlResult

  /// Cancels, and blocks until a handler that runs has returned. To call it on the timer's own queue
  /// is a programming error: it would wait for itself.
  func cancelAndWait()

  /// Cancels, and suspends until a handler that runs has returned. It blocks no thread.
  func cancelAndWait() async

  /// The events from now on, as a stream that ends when the timer finishes as well: behind the event
  /// `.state(from:to: .finished)`, or at once if the timer is finished already.
  ///
  /// In all else it is ``ObservableTimer/events(bufferingNewest:)``, whose stream goes on when a
  /// finished timer is started anew.
  /// - Parameters:
  ///   - limit: the number of unread events that are kept; older ones are dropped.
  ///   - endingOnFinish: false for a stream that goes on.
  func events(bufferingNewest limit: Int, endingOnFinish: Bool) -> AsyncStream<Event>

  /// Removes all observers, and the handler as well.
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
