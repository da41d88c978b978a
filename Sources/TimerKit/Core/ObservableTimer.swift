/// A timer that reports its events to observers and streams.
///
/// Observers are called on the timer's queue, one at a time and in the order in which they were added, after
/// the handler that the timer was created with. You can use every member from any thread and, except the blocking
/// `cancelAndWait()`, from inside a handler. Two timers are equal if they are the same object.
///
/// While the queue is suspended or busy, the newest 1,024 events other than deliveries wait. Older ones
/// are dropped and counted in ``droppedEventCount``, so that the last reported state is always the newest.
/// The first change of state after dropped events starts from a state that was not reported.
public protocol ObservableTimer: AnyObject, Drainable, Hashable, Identifiable,
  CustomStringConvertible
{
  /// The state of the timer, as observers receive it.
  associatedtype State: Sendable, Hashable
  /// The value that handlers receive.
  associatedtype Delivery: Sendable
  /// An event of the timer.
  typealias Event = TimerEvent<State, Delivery>

  /// The current state. Inside a handler, it is the state after the delivery, such as `finished` for the last tick, and
  /// ``isExecuting`` is true.
  var state: State { get }

  /// True while the handler or observers run for a delivery.
  var isExecuting: Bool { get }

  /// True if the caller runs on the timer's queue, in one of its callbacks, or in the body of
  /// ``BackgroundTimer/performExclusively(_:)``. On a serial queue, no callback of the timer then runs on another
  /// thread, so that the controls are exact: `precondition(timer.isCallerIsolated)`.
  ///
  /// On a ``VirtualClock``, a timer has no queue. In an asynchronous operation, it is false: ask the actor there.
  var isCallerIsolated: Bool { get }

  /// Adds an observer, which receives all events from now on, on the timer's queue.
  /// - Returns: the token with which to remove the observer.
  @discardableResult
  func observe(_ observer: @escaping @Sendable (Self, Event) -> Void) -> ObserverToken

  /// Adds an observer that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The timer must run on the main queue, as do timers that were created with
  ///     `isolation:`. Calling this for a timer on another queue is a programming error and traps. Advancing the
  ///     timer's ``VirtualClock`` outside the main actor traps too.
  ///   - observer: the closure that receives all events from now on.
  /// - Returns: the token with which to remove the observer.
  @discardableResult
  func observe(
    isolation: MainActor, _ observer: @escaping @MainActor (Self, Event) -> Void
  ) -> ObserverToken

  /// Removes an observer. It is not called again, but a call that has begun continues.
  /// - Returns: false if the timer has no observer with this token.
  @discardableResult
  func removeObserver(_ token: ObserverToken) -> Bool

  /// Removes all observers, including the handler and ``onStateChanged``, and ends the streams. The timer's
  /// `setHandler` adds a handler again.
  func removeAllObservers()

  /// A closure called on the timer's queue when the state has changed. It is an observer like the others.
  var onStateChanged: (@Sendable (Self, _ from: State, _ to: State) -> Void)? { get set }

  /// Returns a stream of the events from now on. It ends when the timer is cancelled or deallocated, or when
  /// the reading task is cancelled.
  ///
  /// A slow reader never delays the timer: older events are dropped and counted in ``droppedEventCount``.
  /// - Parameter limit: the number of unread events that the stream buffers; the newest ones.
  func events(bufferingNewest limit: Int) -> AsyncStream<Event>

  /// Ends the timer permanently. After it has returned, no handler starts. A handler that is already running on
  /// another thread continues; if you call this on the timer's serial queue, there is none. Deallocating the timer
  /// does the same.
  ///
  /// When the observers have received the new state and a running handler has returned, the handler and the
  /// observers are released with everything that they have captured, and streams end. Pending values and work
  /// are dropped at once.
  /// - Returns: ``ControlResult/unchanged`` if the timer was cancelled before.
  @discardableResult
  func cancel() -> ControlResult

  /// Cancels the timer, and blocks until a running handler or asynchronous operation has returned. Calling it inside the
  /// timer's own handler, observers or operation is a programming error and traps, because it would wait for itself. On
  /// the timer's serial queue outside of them, it returns at once: no handler is running.
  func cancelAndWait()

  /// Cancels the timer, and suspends the task until a running handler or asynchronous operation has returned. It does not
  /// block a thread.
  ///
  /// Calling it inside the timer's own operation is a programming error and traps, and so are operations that wait for
  /// one another in a circle. A child task of the operation, such as `async let`, is not recognized as a part of it, and waits
  /// forever. A task that the operation starts with `Task { }` can call it, as long as the operation does not wait for
  /// that task.
  nonisolated(nonsending) func cancelAndWait() async

  /// The number of events that were dropped: by a stream whose buffer was full, once for each stream, or
  /// because more than 1,024 events waited for the timer's queue.
  var droppedEventCount: Int { get }
}

extension ObservableTimer {
  /// Returns a stream of the events from now on, which buffers the newest 256 events: see
  /// ``ObservableTimer/events(bufferingNewest:)``.
  public func events() -> AsyncStream<Event> { events(bufferingNewest: 256) }

  public static func == (left: Self, right: Self) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The kind of timer and its state, for logs: `Repeater (running)`.
  public var description: String { "\(Self.self) (\(state))" }
}

/// The implementation of ``ObservableTimer`` for timer types that have a ``TimerStorage``.
///
/// The protocol is internal so that a call from another module uses the witnesses of the public protocol,
/// which are compiled here for each kind of timer. In another module, these generic functions would run
/// unspecialized and take twenty times as long.
protocol ObservableStorageOwner: TimerStorageOwner, Drainable {}

extension ObservableStorageOwner {
  public var state: Machine.State { storage.readMachine { $0.state } }

  public var isExecuting: Bool { storage.readGuardedState { $0.isDelivering } }

  public var isCallerIsolated: Bool { storage.isCallerIsolated(self) }

  @discardableResult
  public func observe(
    _ observer: @escaping @Sendable (Self, TimerEvent<Machine.State, Machine.Delivery>) -> Void
  ) -> ObserverToken {
    storage.add(.observer(observer))
  }

  @discardableResult
  public func observe(
    isolation: MainActor,
    _ observer: @escaping @MainActor (Self, TimerEvent<Machine.State, Machine.Delivery>) -> Void
  ) -> ObserverToken {
    storage.add(.observer(storage.onMainActor(self, observer)))
  }

  @discardableResult
  public func removeObserver(_ token: ObserverToken) -> Bool {
    storage.remove { $0.token == token }
  }

  public func removeAllObservers() {
    storage.removeAll(self) { (_, _) in }
  }

  public var onStateChanged: (@Sendable (Self, _ from: Machine.State, _ to: Machine.State) -> Void)?
  {
    get {
      let callbacks = storage.readGuardedState(\.observers.all)
      guard case .stateChanged(let handler)? = callbacks.first(where: \.isStateChanged) else {
        return nil
      }
      return handler
    }
    set {
      if let newValue {
        storage.replace(where: \.isStateChanged, with: .stateChanged(newValue))
      } else {
        storage.remove { $0.callback.isStateChanged }
      }
    }
  }

  public func events(
    bufferingNewest limit: Int
  ) -> AsyncStream<TimerEvent<Machine.State, Machine.Delivery>> {
    storage.stream(self, bufferingNewest: limit)
  }

  @discardableResult
  public func cancel() -> ControlResult { .changed(if: storage.end(self)) }

  public func cancelAndWait() {
    cancel()
    storage.waitForHandler()
  }

  public nonisolated(nonsending) func cancelAndWait() async {
    cancel()
    await storage.waitForHandler()
  }

  @discardableResult
  public nonisolated(nonsending) func drain(until deadline: TimerClock.Instant?) async
    -> DrainResult
  {
    await storage.drain(self, until: deadline)
  }

  public var droppedEventCount: Int { storage.droppedEventCount }

  /// Runs a control that a closed timer refuses.
  /// - Returns: the result of `body`; `nil` if the timer is cancelled, or drains.
  func controlUnlessClosed<Result: Sendable>(
    _ body: (inout Machine, _ now: Int64) -> Result
  ) -> Result? {
    storage.control(self) { (machine, now) in machine.isClosed ? nil : body(&machine, now) }
  }
}
