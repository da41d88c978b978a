import TimerKit

/// A change of a timer, which is reported to hooks, and to clients that watch, in the order of the changes.
package struct Transition: Hashable, Sendable {
  package enum Event: String, CaseIterable, Hashable, Sendable {
    case added, started, paused, resumed, restarted, reset
    /// Its time left, its interval, its iterations, its laps, its name or another setting changed.
    case changed
    case fired
    /// Another phase of a cycle began.
    case phase
    /// The last fire of a run, or its end without one.
    case finished
    case deleted
    /// Fires were due while no process ran the timer.
    case missed
    case acknowledged
  }

  package var event: Event
  package var id: TimerID
  package var spec: TimerSpec
  /// The status after the change.
  package var status: TimerStatus
  /// The fire; `nil` for an event that is not one.
  package var fire: Fire?
}

extension Transition {
  init(_ event: Event, of timer: BoardTimer, _ fire: Fire? = nil) {
    self.init(event: event, id: timer.id, spec: timer.spec, status: timer.status, fire: fire)
  }

  /// Returns the time left as a board shows it; `nil` if there is none.
  package func timeLeftText(at now: ClockReading) -> String? {
    if case .stopwatch = status { return nil }
    let checkpoint = status.content.checkpoint(at: now, intervalBeforeBackoff: nil)
    return SavedTimer(spec, checkpoint).timeText(at: now)
  }
}

extension Transition.Event {
  /// Returns the event of a change of state without a fire; `nil` if there is none.
  init?(from before: TimerStatus, to after: TimerStatus) {
    switch (before.state, after.state) {
    case (let old, let new) where old == new: return nil
    case (.paused, .running): self = .resumed
    case (_, .running): self = .started
    case (_, .paused): self = .paused
    case (_, .idle): self = .reset
    default: return nil
    }
  }
}
