/// A timer that reports its events to observers and streams.
///
/// Observers are called on the timer's queue, one at a time and in the order they were added, after
/// the handler that the timer was created with. You can use all of this from any thread and from
/// inside a handler. Timers are equal if they are identical.
///
/// While the queue is suspended or busy, events other than deliveries wait: the newest 1,024 of them.
/// Older ones are dropped and counted in ``droppedEventCount``. The last state that is reported is
/// therefore always the newest; after a gap, the next change starts from a state that was not reported.
public protocol ObservableTimer: AnyObject, Sendable, Hashable, Identifiable {
  /// The state of the timer, as observers receive it.
  associatedtype State: Sendable, Hashable
  /// The value that handlers receive.
  associatedtype Delivery: Sendable
  /// An event of the timer.
  typealias Event = TimerEvent<State, Delivery>

  /// The current state. Inside a handler it is the state behind the execution, such as `running`: see
  /// ``isExecuting``.
  var state: State { get }

  /// True while handlers or observers run.
  var isExecuting: Bool { get }

  /// Adds an observer, which receives the events from now on.
  @discardableResult
  func observe(_ observer: @escaping @Sendable (Self, Event) -> Void) -> ObserverToken

  /// Removes an observer: it is not called again, except by a call that has begun.
  /// - Returns: false if there is no such observer.
  @discardableResult
  func remove(_ token: ObserverToken) -> Bool

  /// Removes all observers: also the handler, ``onStateChanged`` and the streams.
  func removeAllObservers()

  /// A closure called when the state has changed. It is an observer like the others.
  var onStateChanged: (@Sendable (Self, _ from: State, _ to: State) -> Void)? { get set }

  /// Returns the events from now on, as a stream that ends when the timer is cancelled or deallocated, or
  /// when the reading task is cancelled.
  ///
  /// A slow reader never delays the timer: the stream buffers the newest `limit` events. Those that it
  /// drops are counted in ``droppedEventCount``.
  func events(bufferingNewest limit: Int) -> AsyncStream<Event>

  /// The number of events that were dropped: those that a stream had no room for, each time, and those
  /// that had to wait for the timer's queue behind more than 1,024 others.
  var droppedEventCount: Int { get }
}

extension ObservableTimer {
  /// Returns the events from now on, as a stream that buffers the newest 256: see
  /// ``ObservableTimer/events(bufferingNewest:)``.
  public func events() -> AsyncStream<Event> { events(bufferingNewest: 256) }

  public static func == (left: Self, right: Self) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The conformance to ``ObservableTimer`` of a kind with storage.
///
/// It is internal through and through so that a call from another module goes by way of the public
/// protocol, whose witnesses are compiled here, for each kind of timer; these generic functions
/// themselves would run unspecialized there, twenty times slower.
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

  public var droppedEventCount: Int { storage.droppedEvents }
}
