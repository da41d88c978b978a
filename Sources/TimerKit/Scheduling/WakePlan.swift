/// The schedule of a driver's dispatch source, as a pure value that can be tested without a clock.
///
/// Scheduling a source also wakes Dispatch's own thread; a source that repeats fires without that. Therefore the source
/// repeats with the time between its last two fires, and is not rescheduled if its next fire is within the bounds of the next
/// wake-up.
package struct WakePlan: Sendable {
  /// The time of the next fire, and the interval between fires, in nanoseconds. A source with interval 0 does not
  /// repeat.
  package struct Schedule: Equatable, Sendable {
    package var at: Int64
    var interval: Int64
  }

  /// The time after the end of a wake-up within which deadlines share the next one, in nanoseconds. At
  /// that density, a wake-up for each deadline costs more than the handlers.
  static let coalescingWindow: Int64 = 50_000

  /// The next fire of the source, or the last one if it has passed; at `Int64.max` if there is none.
  package private(set) var next = Schedule(at: .max, interval: 0)

  package init() {}

  /// Records that a source that does not repeat has fired. The clock does not show that: it may have been
  /// set since.
  mutating func sourceFired() { next.at = .max }

  /// Plans a wake-up no later than `latest`, while none is in progress.
  /// - Returns: the new schedule; `nil` if the source need not be rescheduled.
  package mutating func schedule(by latest: Int64) -> Schedule? {
    // System clocks are never negative.
    latest < next.at ? reschedule(at: max(0, latest), interval: 0) : nil
  }

  /// Plans the next wake-up at the end of a wake-up.
  /// - Parameter bounds: the bounds of its time; `nil` if no alarm is armed.
  /// - Returns: the new schedule; `nil` if the source need not be rescheduled.
  package mutating func schedule(
    within bounds: (earliest: Int64, latest: Int64)?, now: Int64
  ) -> Schedule? {
    let planned = next.at
    if planned <= now {
      // The source has fired. If it repeats, it fires again one or more intervals later.
      let missed = next.interval > 0 ? (now - planned) / next.interval : 0
      next.at = next.interval > 0 ? planned.addingSaturated((missed + 1) * next.interval) : .max
    }
    guard let bounds else {
      return next.at == .max ? nil : reschedule(at: .max, interval: 0)
    }
    let latest = max(bounds.latest, now.addingSaturated(Self.coalescingWindow))
    if bounds.earliest <= next.at, next.at <= latest { return nil }
    return reschedule(at: latest, interval: planned <= now && latest < .max ? latest - planned : 0)
  }

  private mutating func reschedule(at time: Int64, interval: Int64) -> Schedule {
    next = Schedule(at: time, interval: interval)
    return next
  }
}
