/// A timer whose time runs, stops and goes on: ``Repeater``, ``Countdown``, ``Cycle`` and
/// ``Stopwatch``.
///
/// Every control can be called from any thread and from inside a handler. One that is marked so
/// throws ``TimerError/cancelled`` on a cancelled timer.
public protocol PausableTimer: ObservableTimer {
  /// Starts, goes on from where it was paused, or runs a finished timer anew.
  /// - Returns: false if it was running already.
  @discardableResult
  func start() throws(TimerError) -> Bool

  /// Stops its time and keeps what is left. Fires and skips that were asked for and are not delivered
  /// yet are dropped; laps of a stopwatch are not.
  /// - Returns: false if it was not running.
  @discardableResult
  func pause() throws(TimerError) -> Bool

  /// Ends it for good: no handler starts after this has returned, and on the timer's queue none is
  /// called. Streams end. Dropping the timer does the same.
  /// - Returns: false if it was cancelled before.
  @discardableResult
  func cancel() -> Bool

  /// Cancels, and waits for a handler that runs. Calling it on the timer's own queue is a
  /// programming error.
  func cancelAndWait()

  /// Removes all observers, the handler as well.
  /// - Parameter thenPause: also pauses, in one step.
  func removeAllObservers(thenPause: Bool)
}

/// The machine of a ``PausableTimer``.
protocol PausableStateMachine: TimerStateMachine {
  mutating func start(at now: Int64) throws(TimerError) -> Bool
  mutating func pause(at now: Int64) throws(TimerError) -> Bool
}

/// What makes a ``PausableTimer`` of a storage.
protocol PausableOwner: ObservableOwner where Machine: PausableStateMachine {}

extension PausableOwner {
  @discardableResult
  public func start() throws(TimerError) -> Bool {
    try storage.control(self) { (machine, now) throws(TimerError) in try machine.start(at: now) }
  }

  @discardableResult
  public func pause() throws(TimerError) -> Bool {
    try storage.control(self) { (machine, now) throws(TimerError) in try machine.pause(at: now) }
  }

  @discardableResult
  public func cancel() -> Bool { storage.end(self) }

  public func cancelAndWait() {
    storage.cancelAndWait(self)
  }

  public func removeAllObservers(thenPause: Bool) {
    storage.removeAll(self) { (machine, now) in
      if thenPause, !machine.isCancelled { _ = try? machine.pause(at: now) }
    }
  }
}
