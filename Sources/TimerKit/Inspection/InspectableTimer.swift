import Dispatch

/// A timer or a limit that an inspector can describe and control. The default implementations are those of a limit of
/// rates, which has no alarm.
@usableFromInline
package protocol InspectableTimer: AnyObject, Sendable {
  /// The timer to show: this one, or the one that it is implemented with.
  var inspected: any InspectableTimer { get }
  /// The word for its kind, such as `repeater`.
  var kindName: String { get }

  /// Returns its description. It locks the timer's mutex.
  func describe() -> TimerDescription

  /// Performs an action.
  /// - Returns: `nil` if timers of its kind do not have this action.
  func perform(_ action: InspectorAction) -> ControlResult?
}

/// An action that an inspector can request.
@usableFromInline
package enum InspectorAction: String, Sendable {
  case pause, resume, fire, reset
}

/// The state of a timer at one moment, for an inspector. Times are in nanoseconds.
@usableFromInline
package struct TimerDescription: Sendable {
  /// The number of the timer in the order of creation; `nil` if it has none.
  package var number: UInt64?
  /// A state of ``TimerState`` or ``CallState``.
  package var state = "idle"
  /// The number of iterations left; `nil` if there is no limit.
  package var remaining: Int?
  /// The number of iterations of a run; `nil` if there is no limit.
  package var iterations: Int?
  /// The interval, the delay or the lifetime.
  package var interval: Int64?
  /// The deadline on the timer's clock.
  package var deadline: Int64?
  /// The time to the deadline, negative if it has passed, or the time left of a paused timer.
  package var timeLeft: Int64?
  /// The lateness of the newest fire.
  package var lateness: Int64?
  package var firedCount: Int?
  package var missedCount: Int?
  package var staleCount: Int?
  var driver: AlarmDriver?

  /// The label of the queue; empty on a virtual clock.
  package var queue: String { driver?.queue?.label ?? "" }
}

extension InspectableTimer {
  @usableFromInline package var inspected: any InspectableTimer { self }
  @usableFromInline package var kindName: String { "rate" }
  @usableFromInline package func describe() -> TimerDescription { TimerDescription() }
  @usableFromInline package func perform(_ action: InspectorAction) -> ControlResult? { nil }
}

extension RateLimiter: InspectableTimer {
  @usableFromInline package func describe() -> TimerDescription {
    TimerDescription(
      remaining: available, iterations: burst,
      interval: period.clampedNanoseconds / Int64(limit))
  }
}

extension KeyedRateLimiter: InspectableTimer {}

extension TimerStorageOwner {
  @usableFromInline package var kindName: String {
    Self.self == Countdown.self ? "countdown" : Machine.kindName
  }

  @usableFromInline package func describe() -> TimerDescription {
    let now = storage.timeSource.now
    return storage.readGuardedState { state in
      var description = TimerDescription(
        number: state.creationNumber, deadline: state.machine.deadline,
        firedCount: state.deliveredCount, staleCount: state.staleCount,
        driver: state.driver(of: self))
      state.machine.describe(&description)
      if let deadline = description.deadline {
        description.timeLeft = deadline.subtractingSaturated(now)
      }
      return description
    }
  }

  @usableFromInline package func perform(_ action: InspectorAction) -> ControlResult? {
    switch action {
    case .pause: (self as? any PausableTimer)?.pause()
    case .resume: (self as? any PausableTimer)?.start()
    case .reset: (self as? any PausableTimer)?.reset()
    case .fire: storage.control(self) { (machine, now) in machine.fireNow(at: now) }
    }
  }
}
