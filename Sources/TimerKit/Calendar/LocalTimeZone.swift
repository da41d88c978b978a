/// Local time: UTC and an offset that changes with daylight saving. All times are seconds since 1970.
///
/// It uses only the offset at an instant. `mktime` converts in the other direction, but its result for a
/// time that is skipped or occurs twice depends on the system.
struct LocalTimeZone {
  /// Returns local time minus UTC, at an instant of UTC.
  let offset: (_ instant: Int64) -> Int64

  /// Returns the process's current time zone, which it reads from `TZ` or the system.
  static func current() -> LocalTimeZone {
    reloadTimeZone()
    return LocalTimeZone(offset: localOffset)
  }

  func localTime(at instant: Int64) -> Int64 { instant + offset(instant) }

  /// Returns the first instant at which the local time is `time`; if `time` is skipped, the first one after
  /// the gap.
  func firstInstant(atLocalTime time: Int64) -> Int64 {
    var instant = time - Self.maximumOffset
    var offset = offset(instant)
    while instant + offset < time {
      let end = endOfOffset(offset, from: instant)
      // The offset is constant from `instant` to `end`.
      if time - offset < end { return time - offset }
      instant = end
      offset = self.offset(end)
    }
    return instant
  }

  /// Returns the next instant at which the offset changes; if it does not change within a step, the end of
  /// the step.
  func endOfOffset(_ offset: Int64, from instant: Int64) -> Int64 {
    var (unchanged, end) = (instant, instant + Self.step)
    guard self.offset(end) != offset else { return end }
    while end - unchanged > 1 {
      let middle = unchanged + (end - unchanged) / 2
      if self.offset(middle) == offset { unchanged = middle } else { end = middle }
    }
    return end
  }

  /// The largest offset from UTC that RFC 9636 allows.
  static let maximumOffset: Int64 = 26 * 3600
  /// A time within which no time zone changes its offset twice.
  static let step: Int64 = 4 * 3600
}
