/// What clocks on the wall show: UTC, and an offset that changes now and then. All in seconds since
/// 1970.
///
/// It asks for nothing but the offset at a moment. `mktime` would go the other way, but what it makes
/// of a time that is skipped or comes twice depends on the system.
struct LocalClock {
  /// What is shown at a moment of UTC, less that moment.
  let offset: (_ moment: Int64) -> Int64

  /// That of the process's time zone, as it is now: `TZ`, or the system's, may have been changed.
  static func current() -> LocalClock {
    reloadTimeZone()
    return LocalClock(offset: localOffset)
  }

  func shown(at moment: Int64) -> Int64 { moment + offset(moment) }

  /// The first moment at which clocks show `time`, or, where they skip it, show a later one.
  func firstMoment(showing time: Int64) -> Int64 {
    var moment = time - Self.farthest
    var offset = offset(moment)
    while moment + offset < time {
      let end = endOfOffset(offset, from: moment)
      // Up to there, clocks run as UTC does.
      if time - offset < end { return time - offset }
      moment = end
      offset = self.offset(end)
    }
    return moment
  }

  /// When the offset changes; or a later moment, at which it has not changed yet.
  private func endOfOffset(_ offset: Int64, from moment: Int64) -> Int64 {
    var (unchanged, end) = (moment, moment + Self.step)
    guard self.offset(end) != offset else { return end }
    while end - unchanged > 1 {
      let middle = unchanged + (end - unchanged) / 2
      if self.offset(middle) == offset { unchanged = middle } else { end = middle }
    }
    return end
  }

  /// No clock is or was ever farther from UTC.
  private static let farthest: Int64 = 16 * 3600
  /// No clock changes twice in that time.
  private static let step: Int64 = 4 * 3600
}
