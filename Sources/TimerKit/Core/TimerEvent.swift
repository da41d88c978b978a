/// An event of a timer, as observers and streams receive it.
public enum TimerEvent<State: Sendable, Delivery: Sendable>: Sendable, CustomStringConvertible {
  /// The state has changed. A change by a delivery and its handlers, such as that to `finished` by the last tick, is one
  /// event, which follows the delivery.
  case state(from: State, to: State)
  /// A delivery to the handler and the observers.
  case delivery(Delivery)
  /// A fire that was rejected because a control had superseded it.
  case stale(generation: UInt64)

  /// A description for logs: `idle → running`, or that of the delivery.
  public var description: String {
    switch self {
    case .state(let old, let new): "\(old) → \(new)"
    case .delivery(let delivery): "\(delivery)"
    case .stale(let generation): "stale fire of generation \(generation)"
    }
  }
}

extension TimerEvent: Equatable where State: Equatable, Delivery: Equatable {}
extension TimerEvent: Hashable where State: Hashable, Delivery: Hashable {}

/// The state of a timer that starts, pauses and resumes.
public enum TimerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// Not started, or reset.
  case idle
  /// Running: the timer waits for its next deadline, or a stopwatch counts.
  case running
  /// Paused: the time left does not change.
  case paused
  /// Finished: the last tick was delivered. The timer can be started again.
  case finished
  /// Ended permanently.
  case cancelled

  /// True if the timer is finished or cancelled.
  var isOver: Bool { self == .finished || self == .cancelled }

  public var description: String { rawValue }

  /// The result of a control that needs a run: a refusal if there is none.
  var refusal: ControlResult? {
    switch self {
    case .running, .paused: nil
    case .idle: .refused(.idle)
    case .finished: .refused(.finished)
    case .cancelled: .refused(.cancelled)
    }
  }
}
