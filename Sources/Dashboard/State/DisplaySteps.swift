import TimerBoard
import TimerKit

/// The steps in which digits and bars change: every second, or every tenth of a second.
///
/// All rows share the same steps, so that fifty timers take one frame a second and not fifty. A frame depends on the
/// start of its step, never on the instant within it, so that it does not change until the next step. The length of a
/// step is also the *unit* of the times that rows show.
struct DisplaySteps: Hashable, Sendable {
  /// A tolerance for timers that are started together: they differ by microseconds and show the same digits.
  private static let slack = Duration.milliseconds(10)

  let showsTenths: Bool
  /// The length of a step in nanoseconds.
  private let stepLength: Int64
  /// The shift of the steps in nanoseconds. It aligns them with a timer that runs alone, whose digits then
  /// change exactly at its whole seconds.
  private var offset: Int64 = 0

  init(showsTenths: Bool) {
    self.showsTenths = showsTenths
    stepLength = showsTenths ? 100_000_000 : 1_000_000_000
  }

  mutating func align(to due: TimerClock.Instant) {
    offset = due.nanoseconds % stepLength
  }

  /// Returns the start of the step that contains an instant.
  func stepStart(of now: TimerClock.Instant) -> TimerClock.Instant {
    let into = (now.nanoseconds % stepLength - offset) % stepLength
    return now.advanced(by: .nanoseconds(-(into < 0 ? into + stepLength : into)))
  }

  /// Returns the reading of the clocks at the start of the step that contains a reading.
  func step(of now: ClockReading) -> ClockReading { now.moved(to: stepStart(of: now.suspending)) }

  func next(after start: TimerClock.Instant) -> TimerClock.Instant {
    start.advanced(by: .nanoseconds(stepLength))
  }

  /// Returns the whole units until a deadline, as shown within a step: 0 only if it is overdue. The error is
  /// less than one unit plus ``slack``.
  func units(until due: TimerClock.Instant, from start: TimerClock.Instant) -> Int64 {
    guard due >= start else { return 0 }
    return max(1, start.duration(to: due.advanced(by: Self.slack)).clampedNanoseconds / stepLength)
  }

  /// Returns a duration in units, rounded up.
  func units(in duration: Duration) -> Int64 {
    let nanoseconds = max(0, duration.clampedNanoseconds)
    return nanoseconds / stepLength + (nanoseconds % stepLength > 0 ? 1 : 0)
  }

  /// Returns a time in units as a clock: `1:02:41`, `0:03.2`.
  func text(_ units: Int64) -> String { TimeText.clock(units, showsTenths: showsTenths) }

  /// Returns the whole units of a duration.
  func wholeUnits(in duration: Duration) -> Int64 { duration.clampedNanoseconds / stepLength }

  /// Returns a duration in units, rounded to the nearest one, or 0 if it is negative.
  func roundedUnits(in duration: Duration) -> Int64 {
    max(0, (duration + .nanoseconds(stepLength / 2)).clampedNanoseconds / stepLength)
  }
}
