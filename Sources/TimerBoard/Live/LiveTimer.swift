package import Dispatch
package import TimerKit

/// A live timer of any kind.
package protocol LiveTimer: AnyObject, Sendable {
  var status: TimerStatus { get }

  /// Performs a command. A command that does not apply to the kind has no effect.
  @discardableResult
  func perform(_ command: TimerCommand) -> ControlResult

  /// Calls a handler on the timer's queue with each later event.
  func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void)

  /// Ends the timer; it cannot be started again.
  func end()
}

extension LiveTimer {
  /// Returns the status with an event: that of a fire is the status after it.
  package func status(with event: Board.TimerEvent) -> TimerStatus {
    guard case .fired = event else { return status }
    switch status {
    case .repeater(var snapshot):
      snapshot.isExecuting = false
      return .repeater(snapshot)
    case .cycle(var snapshot):
      snapshot.isExecuting = false
      return .cycle(snapshot)
    case .triggered(var snapshot):
      snapshot.isExecuting = false
      return .triggered(snapshot)
    case .stopwatch: return status
    }
  }
}

extension TimerSpec {
  /// Creates the live timer from a checkpoint.
  package func makeTimer(
    restoring checkpoint: TimerCheckpoint, clocks: TimerClocks = .system, queue: DispatchQueue?
  ) throws(RestoreError) -> any LiveTimer {
    try checkpoint.content.makeTimer(in: (self, clocks[clock], queue))
  }
}

extension PausableTimer where Self: LiveTimer {
  /// Performs a command that all timers with a state have in common.
  func control(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .start: start()
    case .pause: pause()
    case .reset(let restart): restart ? self.restart() : reset()
    default: .unchanged
    }
  }
}

/// A live timer that TimerKit's timer of one kind is itself.
package protocol ObservableLiveTimer: LiveTimer, ObservableTimer {
  /// Returns the event of a delivery.
  static func event(of delivery: Delivery) -> Board.TimerEvent
}

extension ObservableLiveTimer {
  package func end() {
    removeAllObservers()
    cancel()
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    observe { timer, event in handler(timer, event.onBoard(Self.event)) }
  }
}

extension TimerKit.TimerEvent {
  /// Returns the event as one of the board.
  /// - Parameter event: Converts a delivery.
  func onBoard(_ event: (Delivery) -> Board.TimerEvent) -> Board.TimerEvent {
    switch self {
    case .state: .changed
    case .delivery(let delivery): event(delivery)
    case .stale: .stale
    }
  }
}
