import TimerBoard
import TimerKit

/// The instant at which rows are built, and the forms of their times and symbols. Digits, bars and the lanes of what is
/// next depend on the start of the display step; times of day, recent fires and the timeline on the instant itself.
struct RowContext {
  let now: ClockReading
  /// The reading of the clocks at the start of the display step that contains `now`.
  let step: ClockReading
  let steps: DisplaySteps
  let symbols: Symbols
  let uses24Hours: Bool

  init(at now: ClockReading, _ steps: DisplaySteps, _ symbols: Symbols, uses24Hours: Bool) {
    (self.now, self.steps, self.symbols) = (now, steps, symbols)
    self.uses24Hours = uses24Hours
    step = steps.step(of: now)
  }

  /// The start of the display step.
  var stepStart: TimerClock.Instant { step.suspending }

  /// The start of the next display step; `nil` at the end of time.
  var nextStep: TimerClock.Instant? {
    let next = steps.next(after: stepStart)
    return next > now.suspending ? next : nil
  }
}

/// Times of day.
extension RowContext {
  /// Returns the local time of day of an instant.
  func timeOfDay(of instant: WallInstant, showsSeconds: Bool = false) -> String {
    LocalTime(instant, in: now.zone).timeOfDay(
      showsSeconds: showsSeconds, uses24Hours: uses24Hours)
  }

  /// Returns the time of a timer's next fire, with the day unless it is today; `nil` if there is none.
  func dueText(of timer: BoardTimer) -> String? {
    dueTime(of: timer)?.text(from: LocalTime(now), uses24Hours: uses24Hours)
  }

  /// Returns the time of a timer's next fire to the minute; for a paused timer, that if it were resumed now. If it can run
  /// for a day or more, the day is added unless that is today.
  func endText(of timer: BoardTimer) -> String? {
    let resumed = timer.machine.pausedTimeLeft.map {
      LocalTime(now.moved(to: now.suspending.advanced(by: $0)))
    }
    guard let due = resumed ?? dueTime(of: timer) else { return nil }
    return timer.endNeedsDay
      ? due.text(from: LocalTime(now), showsSeconds: false, uses24Hours: uses24Hours)
      : due.timeOfDay(showsSeconds: false, uses24Hours: uses24Hours)
  }

  private func dueTime(of timer: BoardTimer) -> LocalTime? {
    guard let due = timer.due(at: now) else { return nil }
    // Converted from the suspending clock, the time could be rounded into the second before.
    return LocalTime(timer.machine.wallDeadline ?? now.moved(to: due).wall, in: now.zone)
  }

  /// Returns the instant at which the time of day after a duration is in its next minute.
  func nextMinute(after duration: Duration) -> TimerClock.Instant {
    let minute: Int64 = 60_000_000_000
    let then = now.wall.advanced(by: duration)
    let second = Int64(LocalTime(then, in: now.zone).secondOfDay % 60)
    let fraction = then.nanosecondsSince1970.flooredDivision(by: 1_000_000_000).remainder
    return now.suspending.advanced(by: .nanoseconds(minute - second * 1_000_000_000 - fraction))
  }
}
