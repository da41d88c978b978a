import TimerKit

extension TimerAction {
  /// Returns the step by which a key adds or removes time: one minute, ten seconds if less than five minutes are
  /// left, one second if less than thirty seconds are left.
  package static func timeStep(for left: Duration) -> Duration {
    left < .seconds(30) ? .seconds(1) : left < .minutes(5) ? .seconds(10) : .minutes(1)
  }

  /// The name of a step that adds or removes time.
  static let timeChange = "time change"

  /// The time for which a key snoozes a finished timer.
  static let snoozeTime = Duration.minutes(5)

  /// The intervals of ``stepInterval(longer:)``.
  package static let intervals: [Duration] =
    [1, 2, 5, 10, 15, 20, 30, 45].map { .seconds($0) }
    + [1, 2, 5, 10, 15, 20, 30, 45].map { .minutes($0) }
    + [1, 2, 5, 10, 15, 20].map { .hours($0) } + [1, 2, 5, 10, 20, 50, 100].map { .days($0) }

  /// Returns the reason for which the timer in its current state refuses the action; `nil` if it does not.
  package func refusal(of timer: BoardTimer, at now: ClockReading) -> ControlRefusal? {
    do throws(ControlRefusal) {
      _ = try timer.machine.command(of: self, baseInterval: timer.intervalBeforeBackoff, at: now)
      return nil
    } catch {
      return error
    }
  }
}
