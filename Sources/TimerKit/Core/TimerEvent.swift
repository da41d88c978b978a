/// An event of a timer, as observers and streams receive it.
public enum TimerEvent<State: Sendable, Delivery: Sendable>: Sendable {
  /// The state has changed.
  case state(from: State, to: State)
  /// A delivery to the handlers.
  case tick(Delivery)
  /// A fire that was rejected because a control had superseded it.
  case stale(generation: UInt64)
}

extension TimerEvent: Equatable where State: Equatable, Delivery: Equatable {}
extension TimerEvent: Hashable where State: Hashable, Delivery: Hashable {}
