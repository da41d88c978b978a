/// When the one source of a driver fires: pure, so that it can be tested without a clock.
///
/// Scheduling a source costs wake-ups of its own, and a repeating one costs none. So the source
/// repeats with the last gap, and is left alone where its next fire is one that is wanted.
struct WakePlan {
  /// What the source is to be told: a gap of 0 does not repeat.
  struct Schedule: Equatable {
    var at: Int64
    var gap: Int64
  }

  /// Deadlines closer than this to the end of a wake are served together: where they are that
  /// dense, a wake for each would cost more than all the work they do.
  static let floor: Int64 = 50_000

  /// When the source fires next, or has fired if that is past; the farthest instant: not at all.
  private(set) var next = Schedule(at: .max, gap: 0)

  /// A source that does not repeat has rung, whatever the clock says: it may have been set since.
  mutating func sourceFired() { next.at = .max }

  /// Between wakes: something has to ring at `latest`.
  mutating func wake(by latest: Int64) -> Schedule? {
    // No clock of the system stands below zero.
    latest < next.at ? reschedule(at: max(0, latest), gap: 0) : nil
  }

  /// At the end of a wake: the next one is wanted between these bounds, or not at all.
  mutating func wake(
    within wanted: (earliest: Int64, latest: Int64)?, now: Int64
  ) -> Schedule? {
    let last = next.at
    if last <= now {
      // It has fired: a repeating source goes on along its gap, another one is unarmed.
      let missed = next.gap > 0 ? (now - last) / next.gap : 0
      next.at = next.gap > 0 ? last.addingSaturated((missed + 1) * next.gap) : .max
    }
    guard let wanted else {
      return next.at == .max ? nil : reschedule(at: .max, gap: 0)
    }
    let latest = max(wanted.latest, now.addingSaturated(Self.floor))
    if wanted.earliest <= next.at, next.at <= latest { return nil }
    return reschedule(at: latest, gap: last <= now && latest < .max ? latest - last : 0)
  }

  private mutating func reschedule(at time: Int64, gap: Int64) -> Schedule {
    next = Schedule(at: time, gap: gap)
    return next
  }
}
