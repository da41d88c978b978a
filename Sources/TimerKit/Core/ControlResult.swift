/// The outcome of a control: a method that changes a timer, such as `start()` or `pause()`.
///
/// A control that is not possible in the timer's state, or whose argument is invalid, is refused. Ignore the result if
/// you do not need it, or use it to distinguish a control that had nothing to do from one that was not possible.
public enum ControlResult: Sendable, Hashable, CustomStringConvertible {
  /// The control had an effect.
  case changed
  /// The control had nothing to do: the timer is in the requested state already. `cancel()` returns it on a
  /// cancelled timer, which refuses every other control.
  case unchanged
  /// The control had no effect because it is not possible, for a reason that the value contains.
  case refused(Refusal)

  /// The reason why a control was refused.
  public enum Refusal: Sendable, Hashable, Error, CustomStringConvertible {
    /// The timer was cancelled, or drains (``Drainable/drain(until:)``); create a new one.
    case cancelled
    /// The timer is idle; start it first.
    case idle
    /// The timer is finished; start or reset it first.
    case finished
    /// The timer fires until it is cancelled: it has no iterations to change.
    case notFinite
    /// The timer's schedule has no further occurrence.
    case noOccurrence
    /// The timer follows a ``WallSchedule``: it has no interval, and you cannot move its fires. If the schedule has one
    /// time of day on one date, the timer fires once, and you cannot change its iterations.
    case followsSchedule
    /// An argument of the control is invalid.
    case invalid(TimerConfigurationError)
    /// 1,024 requests of this kind wait for their delivery, for example because the queue is suspended.
    case tooManyPending

    /// The maximum number of requests that wait for their delivery: manual ticks, steps, skips, laps, or calls of a
    /// ``Throttler`` with an interval of zero.
    @usableFromInline static var pendingLimit: Int { 1024 }

    public var description: String {
      switch self {
      case .cancelled: "the timer was cancelled"
      case .idle: "the timer is idle"
      case .finished: "the timer is finished"
      case .notFinite: "the timer is infinite"
      case .noOccurrence: "the schedule has no further occurrence"
      case .followsSchedule: "the timer follows a schedule"
      case .invalid(let error): error.description
      case .tooManyPending: "too many requests are pending"
      }
    }
  }

  /// True if the control had an effect.
  public var isChanged: Bool { self == .changed }

  /// Returns the outcome of a control that only a cancelled timer refuses.
  /// - Parameter isChanged: true if the control had an effect; `nil` if the timer is cancelled.
  static func changed(if isChanged: Bool?) -> ControlResult {
    isChanged.map { $0 ? .changed : .unchanged } ?? .refused(.cancelled)
  }

  /// Returns the outcome of a control with an argument: that of `body`, or a refusal if the argument is invalid.
  static func refusingInvalid<Argument>(
    _ argument: @autoclosure () throws(TimerConfigurationError) -> Argument,
    _ body: (Argument) -> ControlResult
  ) -> ControlResult {
    do throws(TimerConfigurationError) {
      return body(try argument())
    } catch {
      return .refused(.invalid(error))
    }
  }

  public var description: String {
    switch self {
    case .changed: "changed"
    case .unchanged: "unchanged"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }
}
