/// What an observer of a timer is told, in the order it happened.
public enum TimerEvent<State: Sendable, Delivery: Sendable>: Sendable {
  /// The state that the timer shows has changed.
  case state(from: State, to: State)
  /// One delivery.
  case tick(Delivery)
  /// A fire that was delivered or asked for, and then refused because a control had superseded it.
  case stale(generation: UInt64)
}

extension TimerEvent: Equatable where State: Equatable, Delivery: Equatable {}
extension TimerEvent: Hashable where State: Hashable, Delivery: Hashable {}
