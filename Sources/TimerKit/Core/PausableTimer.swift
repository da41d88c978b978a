/// A timer that starts, pauses and resumes: ``Repeater``, ``Countdown``, ``Cycle`` and
/// ``Stopwatch``.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler.
/// The controls of this protocol do not throw: a cancelled timer refuses all of them except
/// ``ObservableTimer/cancel()``.
public protocol PausableTimer: ObservableTimer where State == TimerState {
  /// Starts the timer, resumes a paused timer with the time left, or starts a new run of a finished timer.
  @discardableResult
  func start() -> ControlResult

  /// Pauses the timer and keeps the time left. Manual fires and calls of ``Cycle/skip()`` that have not been
  /// delivered are dropped; laps of a stopwatch are not. An idle or finished timer refuses to pause.
  @discardableResult
  func pause() -> ControlResult

  /// Makes the timer idle, at the start of a run: with all its iterations, steps or rounds, a whole interval or
  /// phase, and no elapsed time. Pending deliveries are dropped, and a delivery in progress calls no further callback.
  /// - Returns: ``ControlResult/unchanged`` if it is idle there already, with nothing to drop.
  @discardableResult
  func reset() -> ControlResult

  /// Resets the timer and starts it, whether or not it was running. Deliveries are dropped as in ``reset()``.
  /// - Returns: a refusal if the timer cannot start; it is not reset then.
  @discardableResult
  func restart() -> ControlResult

  /// Returns a stream of the events from now on, which can also end when the timer finishes: after the event
  /// `.state(from:to: .finished)`, or at once if the timer is already finished.
  ///
  /// A stream of ``ObservableTimer/events(bufferingNewest:)`` does not end then, and continues if the timer
  /// is started again.
  /// - Parameters:
  ///   - limit: the number of unread events that the stream buffers; older ones are dropped.
  ///   - endingOnFinish: true to end the stream when the timer finishes.
  func events(bufferingNewest limit: Int, endingOnFinish: Bool) -> AsyncStream<Event>

  /// Removes all observers, including the handler, and ends the streams.
  /// - Parameter pausing: true to pause the timer in the same step.
  func removeAllObservers(pausing: Bool)
}

extension PausableTimer {
  /// Returns a stream of the events from now on, which buffers the newest 256 events: see
  /// ``PausableTimer/events(bufferingNewest:endingOnFinish:)``.
  public func events(endingOnFinish: Bool) -> AsyncStream<Event> {
    events(bufferingNewest: 256, endingOnFinish: endingOnFinish)
  }
}

/// The state of a ``PausableTimer``, and the generations of its deadlines and deliveries.
@usableFromInline
struct RunState: Hashable, Sendable {
  private(set) var generation: UInt64 = 0
  /// The oldest generation whose deliveries are not revoked.
  private(set) var oldestValidGeneration: UInt64 = 0
  private(set) var state: TimerState

  init(_ state: TimerState = .idle) {
    self.state = state
  }

  /// Sets the state, and begins a new generation.
  mutating func enter(_ newState: TimerState) {
    state = newState
    generation += 1
  }

  /// Begins a new generation in the same state.
  mutating func supersedeAlarm() { generation += 1 }

  /// Revokes the delivery in progress, and those that have been requested.
  mutating func revokeDeliveries() { oldestValidGeneration = generation }

  /// Returns a Boolean value that indicates whether the deliveries of a generation are revoked.
  func isRevoked(_ generation: UInt64) -> Bool { generation < oldestValidGeneration }
}

/// A state machine with a ``RunState``. It is the part of a ``PausableStateMachine`` that inlined code uses.
@usableFromInline
protocol RunStateMachine: TimerStateMachine where State == TimerState {
  var runState: RunState { get set }
}

extension RunStateMachine {
  @usableFromInline var state: TimerState { runState.state }
  @usableFromInline var generation: UInt64 { runState.generation }
  /// It changes when the delivery in progress is revoked.
  @usableFromInline var revocationNumber: UInt64 { runState.oldestValidGeneration }
  @usableFromInline var isCancelled: Bool { state == .cancelled }
}

/// The state machine of a ``PausableTimer``.
protocol PausableStateMachine: RunStateMachine {
  mutating func start(at now: Int64) -> ControlResult
  mutating func pause(at now: Int64) -> ControlResult
  /// Resets the timer to the start of a run.
  /// - Parameter restart: true to start it, false to make it idle.
  mutating func reset(restart: Bool, at now: Int64) -> ControlResult
  /// True if it is idle at the start of a run, and a reset has nothing to drop.
  var isReset: Bool { get }
  /// Returns the time until the deadline, which does not change during a pause; zero if it is due.
  func timeLeft(at now: Int64) -> Int64?

  /// Passes the deadlines up to `now` without a delivery, all but the last `left` of them. The grid does not move.
  /// - Returns: the number of deadlines passed.
  mutating func catchUp(to now: Int64, leaving left: Int) -> Int

  /// Returns the last deadline of the run; `nil` if it is after `limit`, or the run does not end by itself.
  func end(by limit: Int64) -> Int64?
}

extension PausableStateMachine {
  mutating func reset(at now: Int64) -> ControlResult {
    isReset && !isClosed ? .unchanged : reset(restart: false, at: now)
  }

  mutating func restart(at now: Int64) -> ControlResult { reset(restart: true, at: now) }
}

/// The implementation of ``PausableTimer`` for timer types that have a ``TimerStorage``.
protocol PausableStorageOwner: ObservableStorageOwner where Machine: PausableStateMachine {}

extension PausableStorageOwner {
  @discardableResult
  public func start() -> ControlResult {
    storage.control(self) { (machine, now) in machine.start(at: now) }
  }

  @discardableResult
  public func pause() -> ControlResult {
    storage.control(self) { (machine, now) in machine.pause(at: now) }
  }

  @discardableResult
  public func reset() -> ControlResult {
    storage.control(self) { (machine, now) in machine.reset(at: now) }
  }

  @discardableResult
  public func restart() -> ControlResult {
    storage.control(self) { (machine, now) in machine.restart(at: now) }
  }

  public func events(
    bufferingNewest limit: Int, endingOnFinish: Bool
  ) -> AsyncStream<TimerEvent<Machine.State, Machine.Delivery>> {
    storage.stream(self, bufferingNewest: limit, endingOn: endingOnFinish ? .finished : nil)
  }

  public func removeAllObservers(pausing: Bool) {
    storage.removeAll(self) { (machine, now) in
      if pausing { _ = machine.pause(at: now) }
    }
  }
}
