/// The schedule of a driver's one source: a pure value, so that it can be tested without a clock.
///
/// Scheduling a source costs wake-ups of its own, and a repeating one costs none. So the source repeats
/// with the last gap, and is not rescheduled if its next fire is a wanted one.
struct WakePlan {
  /// The next fire of the source, and the gap between its fires; 0 does not repeat.
  struct Schedule: Equatable {
    var at: Int64
    var gap: Int64
  }

  /// Deadlines closer than this to the end of a wake, in nanoseconds, are served together: where they
  /// are that dense, a wake for each would cost more than all their work.
  static let coalescingWindow: Int64 = 50_000

  /// The next fire of the source, or the last one if it is past; at the farthest instant, none.
  private(set) var next = Schedule(at: .max, gap: 0)

  /// Records that a source that does not repeat has fired, whatever the clock shows: it may have been
  /// set since.
  mutating func sourceFired() { next.at = .max }

  /// Plans a wake-up between wakes, at `latest`.
  mutating func wake(by latest: Int64) -> Schedule? {
    // No clock of the system is negative.
    latest < next.at ? reschedule(at: max(0, latest), gap: 0) : nil
  }

  /// Plans the next wake-up at the end of a wake, within these bounds, or none.
  mutating func wake(
    within wanted: (earliest: Int64, latest: Int64)?, now: Int64
  ) -> Schedule? {
    let last = next.at
    if last <= now {
      // It has fired: a repeating source continues along its gap, another one is unarmed.
      let missed = next.gap > 0 ? (now - last) / next.gap : 0
      next.at = next.gap > 0 ? last.addingSaturated((missed + 1) * next.gap) : .max
    }
    guard let wanted else {
      return next.at == .max ? nil : reschedule(at: .max, gap: 0)
    }
    let latest = max(wanted.latest, now.addingSaturated(Self.coalescingWindow))
    if wanted.earliest <= next.at, next.at <= latest { return nil }
    return reschedule(at: latest, gap: last <= now && latest < .max ? latest - last : 0)
  }

  private mutating func reschedule(at time: Int64, gap: Int64) -> Schedule {
    next = Schedule(at: time, gap: gap)
    return next
  }
}
