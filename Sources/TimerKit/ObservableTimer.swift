/// A timer that tells what happens to it: all kinds are.
///
/// Observers are called on the timer's queue, one at a time and in the order they were added, the
/// handler a timer was made with first. All of this can be called from any thread and from inside a
/// handler.
///
/// While the queue is suspended or busy, events other than deliveries wait: the newest 1,024 of them.
/// Older ones are dropped and counted in ``droppedEventCount``. The last state that is reported is
/// therefore always the newest; after a gap, the next change starts from a state that was not reported.
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

  /// The events that were dropped: those that a stream had no room for, each time, and those that
  /// had to wait for the timer's queue behind more than 1,024 others.
  var droppedEventCount: Int { get }
}

extension ObservableTimer {
  /// The stream that keeps the newest 256 events: see ``ObservableTimer/events(bufferingNewest:)``.
  public func events() -> AsyncStream<Event> { events(bufferingNewest: 256) }
}

/// What makes an ``ObservableTimer`` of a shell.
///
/// It is internal through and through so that a call from another module goes by way of the public
/// protocol, whose witnesses are compiled here, for each kind of timer; these generic functions
/// themselves would run unspecialised there, twenty times slower.
protocol ObservableOwner: ShellOwner {}

extension ObservableOwner {
  public var state: Machine.Status { shell.read(\.status) }

  @discardableResult
  public func observe(
    _ observer: @escaping @Sendable (Self, TimerEvent<Machine.Status, Machine.Delivery>) -> Void
  ) -> ObserverToken {
    shell.add(.observer(observer))
  }

  @discardableResult
  public func remove(_ token: ObserverToken) -> Bool {
    shell.remove { $0.token == token }
  }

  public func removeAllObservers() {
    shell.removeAll(self) { (_, _) in }
  }

  public var onStateChanged:
    (@Sendable (Self, _ from: Machine.Status, _ to: Machine.Status) -> Void)?
  {
    get {
      guard case .stateChanged(let handler)? = shell.find(where: \.isStateChanged) else {
        return nil
      }
      return handler
    }
    set {
      if let newValue {
        shell.replace(where: \.isStateChanged, with: .stateChanged(newValue))
      } else {
        shell.remove { $0.callback.isStateChanged }
      }
    }
  }

  public func events(
    bufferingNewest limit: Int
  ) -> AsyncStream<TimerEvent<Machine.Status, Machine.Delivery>> {
    shell.stream(self, bufferingNewest: limit)
  }

  public var droppedEventCount: Int { shell.droppedEvents }
}
