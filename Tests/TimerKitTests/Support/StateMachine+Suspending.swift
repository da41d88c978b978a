@testable import TimerKit

/// State machines have no clock of their own; those of tests use the suspending clock.
extension TimerStateMachine {
  mutating func handleArmedAlarm(at now: Int64) -> Effect<Delivery> {
    handleArmedAlarm(at: now, on: ClockIdentity(.suspending))
  }

  mutating func takeReady(at now: Int64) -> Effect<Delivery> {
    takeReady(at: now, on: ClockIdentity(.suspending))
  }

  /// Ends the timer, as the storage does.
  /// - Returns: false if it has ended before.
  mutating func end() -> Bool {
    guard !isCancelled else { return false }
    cancel()
    return true
  }
}

extension RepeaterStateMachine {
  init(
    mode: Repeater.Mode, interval: Int64, missedTicks: Repeater.MissedTicks
  ) throws(TimerConfigurationError) {
    try self.init(
      Repeater.Configuration(
        .interval(.nanoseconds(interval)), mode: mode, missedTicks: missedTicks))
  }
}
