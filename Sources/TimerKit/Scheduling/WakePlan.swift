/// The schedule of a driver's dispatch source, as a pure value that can be tested without a clock.
///
/// Scheduling a source also wakes Dispatch's own thread; a source that repeats fires without that. Therefore the source
/// repeats, and is not rescheduled if its next fire is within the bounds of the next wake-up. Its interval is the time
/// between its last two fires if that has been the same twice, as it is for a single timer that repeats. Otherwise the source
/// fires a second time for the alarm after the next one, so that many timers that fire one by one reschedule it for every
/// other fire.
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

  /// The time of the last fire.
  private var last = Int64.min

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
  /// - Parameters:
  ///   - bounds: the bounds of its time; `nil` if no alarm is armed.
  ///   - following: the time of the alarm after the next one, or of an outdated one; `nil` if there is none.
  /// - Returns: the new schedule; `nil` if the source need not be rescheduled.
  package mutating func schedule(
    within bounds: (earliest: Int64, latest: Int64)?, following: Int64? = nil, now: Int64
  ) -> Schedule? {
    let planned = next.at
    let isFired = planned <= now
    let lastGap = last > .min ? planned.subtractingSaturated(last) : 0
    if isFired {
      last = planned
      // The source has fired. If it repeats, it fires again one or more intervals later.
      let missed = next.interval > 0 ? (now - planned) / next.interval : 0
      next.at = next.interval > 0 ? planned.addingSaturated((missed + 1) * next.interval) : .max
    }
    guard let bounds else {
      return next.at == .max ? nil : reschedule(at: .max, interval: 0)
    }
    let latest = max(bounds.latest, now.addingSaturated(Self.coalescingWindow))
    if bounds.earliest <= next.at, next.at <= latest { return nil }
    guard isFired, latest < .max else { return reschedule(at: latest, interval: 0) }
    let gap = latest - planned
    if gap != lastGap, bounds.earliest == latest, let following,
      following < .max / 2, following - latest > Self.coalescingWindow
    {
      return reschedule(at: latest, interval: following - latest)
    }
    return reschedule(at: latest, interval: gap)
  }

  private mutating func reschedule(at time: Int64, interval: Int64) -> Schedule {
    next = Schedule(at: time, interval: interval)
    return next
  }
}
