extension Repeater {
  /// Replaces the handler the timer was made with, and keeps its place among the observers.
  public func setHandler(_ handler: @escaping Handler) {
    shell.replace(where: \.isHandler, with: .handler(handler))
  }

  /// Adds an observer. Observers are called in the order they were added, the handler first.
  @discardableResult
  public func observe(_ observer: @escaping @Sendable (Repeater, Event) -> Void) -> ObserverToken {
    shell.add(.observer(observer))
  }

  /// Removes an observer: it is not called again, except by a call that has begun.
  /// - Returns: false if it was not there.
  @discardableResult
  public func remove(_ token: ObserverToken) -> Bool {
    shell.remove { $0.token == token }
  }

  /// Removes all of them: the handler, ``onStateChanged`` and the streams as well.
  /// - Parameter thenPause: also pauses, in one step.
  public func removeAllObservers(thenPause: Bool = false) {
    shell.removeAll(self) { (machine, now) in
      if thenPause, !machine.isCancelled { _ = try? machine.pause(at: now) }
    }
  }

  /// Called when the state that is shown has changed; an observer like the others.
  public var onStateChanged: (@Sendable (Repeater, _ from: State, _ to: State) -> Void)? {
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

  /// What happens from now on, as a stream that ends when the timer is cancelled or dropped, or its
  /// consumer is.
  ///
  /// A slow consumer never holds the timer up: the stream keeps the newest `limit` events, and those
  /// that it has to drop are counted in ``droppedEventCount``.
  public func events(bufferingNewest limit: Int = 256) -> AsyncStream<Event> {
    shell.stream(self, bufferingNewest: limit)
  }

  /// Events that streams had no room for.
  public var droppedEventCount: Int { shell.droppedEvents }
}
