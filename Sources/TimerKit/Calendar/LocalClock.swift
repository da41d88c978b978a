/// Local time: UTC and an offset that changes with daylight saving. All times are seconds since 1970.
///
/// It needs only the offset at an instant. `mktime` converts in the other direction, but its result for a
/// time that is skipped or comes twice depends on the system.
struct LocalClock {
  /// Returns local time minus UTC, at an instant of UTC.
  let offset: (_ moment: Int64) -> Int64

  /// Returns the local time of the process's current time zone: `TZ`, or the system's, may have changed.
  static func current() -> LocalClock {
    reloadTimeZone()
    return LocalClock(offset: localOffset)
  }

  func shown(at moment: Int64) -> Int64 { moment + offset(moment) }

  /// Returns the first instant at which the local time is `time`, or a later one if `time` is skipped.
  func firstMoment(showing time: Int64) -> Int64 {
    var moment = time - Self.farthest
    var offset = offset(moment)
    while moment + offset < time {
      let end = endOfOffset(offset, from: moment)
      // Until then local time runs as UTC does.
      if time - offset < end { return time - offset }
      moment = end
      offset = self.offset(end)
    }
    return moment
  }

  /// Returns the instant at which the offset changes, or a later one at which it has not changed yet.
  private func endOfOffset(_ offset: Int64, from moment: Int64) -> Int64 {
    var (unchanged, end) = (moment, moment + Self.step)
    guard self.offset(end) != offset else { return end }
    while end - unchanged > 1 {
      let middle = unchanged + (end - unchanged) / 2
      if self.offset(middle) == offset { unchanged = middle } else { end = middle }
    }
    return end
  }

  /// The greatest offset from UTC that any zone has or had, rounded up.
  private static let farthest: Int64 = 16 * 3600
  /// A time in which no zone changes its offset twice.
  private static let step: Int64 = 4 * 3600
}
