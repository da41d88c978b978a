/// An event of a timer, as observers and streams receive it.
public enum TimerEvent<State: Sendable, Delivery: Sendable>: Sendable {
  /// The state has changed. A change by a delivery and its handlers, such as that to `finished` by the last tick, is one
  /// event, which follows the delivery.
  case state(from: State, to: State)
  /// A delivery to the handler and the observers.
  case delivery(Delivery)
  /// A fire that was rejected because a control had superseded it.
  case stale(generation: UInt64)
}

extension TimerEvent: Equatable where State: Equatable, Delivery: Equatable {}
extension TimerEvent: Hashable where State: Hashable, Delivery: Hashable {}

extension TimerEvent: CustomStringConvertible {
  /// A description for logs: `idle → running`, or that of the delivery.
  public var description: String {
    switch self {
    case .state(let old, let new): "\(old) → \(new)"
    case .delivery(let delivery): "\(delivery)"
    case .stale(let generation): "stale fire of generation \(generation)"
    }
  }
}
