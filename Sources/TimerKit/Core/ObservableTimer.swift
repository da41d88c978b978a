/// A timer that tells what happens to it: all kinds are.
///
/// Observers are called on the timer's queue, one at a time and in the order they were added, the
/// handler a timer was made with first. All of this can be called from any thread and from inside a
/// handler.
public protocol ObservableTimer: AnyObject, Sendable {
  /// What it shows to observers.
  associatedtype State: Sendable, Equatable
  /// What handlers are given.
  associatedtype Delivery: Sendable
  /// What an observer is told, in the order it happened.
  typealias Event = TimerEvent<State, Delivery>

  /// What it shows at this moment.
  var state: State { get }

  /// Adds an observer. It is told what happens from now on.
  @discardableResult
  func observe(_ observer: @escaping @Sendable (Self, Event) -> Void) -> ObserverToken

  /// Removes an observer: it is not called again, except by a call that has begun.
  /// - Returns: false if it was not there.
  @discardableResult
  func remove(_ token: ObserverToken) -> Bool

  /// Removes all of them: the handler, ``onStateChanged`` and the streams as well.
  func removeAllObservers()

  /// Called when the state that is shown has changed; an observer like the others.
  var onStateChanged: (@Sendable (Self, _ from: State, _ to: State) -> Void)? { get set }

  /// What happens from now on, as a stream that ends when the timer is cancelled for good or
  /// dropped, or its consumer is.
  ///
  /// A slow consumer never holds the timer up: the stream keeps the newest `limit` events, and those
  /// that it has to drop are counted in ``droppedEventCount``.
  func events(bufferingNewest limit: Int) -> AsyncStream<Event>

  /// Events that streams had no room for.
  var droppedEventCount: Int { get }
}

extension ObservableTimer {
  /// The stream that keeps the newest 256 events: see ``ObservableTimer/events(bufferingNewest:)``.
  public func events() -> AsyncStream<Event> { events(bufferingNewest: 256) }
}

/// What makes an ``ObservableTimer`` of a storage.
///
/// It is internal through and through so that a call from another module goes by way of the public
/// protocol, whose witnesses are compiled here, for each kind of timer; these generic functions
/// themselves would run unspecialised there, twenty times slower.
protocol ObservableOwner: TimerStorageOwner {}

extension ObservableOwner {
  public var state: Machine.Status { storage.read(\.status) }

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
