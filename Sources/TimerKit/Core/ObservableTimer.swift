/// A timer that reports its events to observers and streams.
///
/// Observers are called on the timer's queue, one at a time and in the order in which they were added, after
/// the handler that the timer was created with. You can use every member from any thread and from inside a
/// handler. Two timers are equal if they are the same object.
///
/// While the queue is suspended or busy, the newest 1,024 events other than deliveries wait. Older ones
/// are dropped and counted in ``droppedEventCount``, so that the last reported state is always the newest.
/// The first change of state after dropped events starts from a state that was not reported.
public protocol ObservableTimer: AnyObject, Sendable, Hashable, Identifiable {
  /// The state of the timer, as observers receive it.
  associatedtype State: Sendable, Hashable
  /// The value that handlers receive.
  associatedtype Delivery: Sendable
  /// An event of the timer.
  typealias Event = TimerEvent<State, Delivery>

  /// The current state. Inside a handler, a ``PausableTimer`` has its underlying state, such as `running`, and not
  /// `executing`: see ``isExecuting``.
  var state: State { get }

  /// True while the handler or observers run for a delivery.
  var isExecuting: Bool { get }

  /// Adds an observer, which receives all events from now on, on the timer's queue.
  /// - Returns: the token with which to remove the observer.
  @discardableResult
  func observe(_ observer: @escaping @Sendable (Self, Event) -> Void) -> ObserverToken

  /// Removes an observer. It is not called again, but a call that has begun continues.
  /// - Returns: false if the timer has no observer with this token.
  @discardableResult
  func remove(_ token: ObserverToken) -> Bool

  /// Removes all observers, including the handler and ``onStateChanged``, and ends the streams.
  func removeAllObservers()

  /// A closure called on the timer's queue when the state has changed. It is an observer like the others.
  var onStateChanged: (@Sendable (Self, _ from: State, _ to: State) -> Void)? { get set }

  /// Returns a stream of the events from now on. It ends when the timer is cancelled or deallocated, or when
  /// the reading task is cancelled.
  ///
  /// A slow reader never delays the timer: older events are dropped and counted in ``droppedEventCount``.
  /// - Parameter limit: the number of unread events that the stream buffers; the newest ones.
  func events(bufferingNewest limit: Int) -> AsyncStream<Event>

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
}

/// The implementation of ``ObservableTimer`` for timer types that have a ``TimerStorage``.
///
/// The protocol is internal so that a call from another module uses the witnesses of the public protocol,
/// which are compiled here for each kind of timer. In another module, these generic functions would run
/// unspecialized and take twenty times as long.
protocol ObservableOwner: TimerStorageOwner {}

extension ObservableOwner {
  public var state: Machine.Status { storage.read(\.status) }

  public var isExecuting: Bool { storage.readState(\.isDelivering) }

  @discardableResult
  public func observe(
    _ observer: @escaping @Sendable (Self, TimerEvent<Machine.Status, Machine.Delivery>) -> Void
  ) -> ObserverToken {
    storage.add(.observer(observer))
  }

  @discardableResult
  public func remove(_ token: ObserverToken) -> Bool {
    storage.remove { $0.token == token }
  }

  public func removeAllObservers() {
    storage.removeAll(self) { (_, _) in }
  }

  public var onStateChanged:
    (@Sendable (Self, _ from: Machine.Status, _ to: Machine.Status) -> Void)?
  {
    get {
      guard case .stateChanged(let handler)? = storage.find(where: \.isStateChanged) else {
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
  ) -> AsyncStream<TimerEvent<Machine.Status, Machine.Delivery>> {
    storage.stream(self, bufferingNewest: limit)
  }

  public var droppedEventCount: Int { storage.droppedEventCount }
}
