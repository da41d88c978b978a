extension WallSchedule {
  /// Returns the first occurrence after an instant, exclusive; `nil` if there is none.
  /// - Complexity: O(1).
  public func next(after instant: WallInstant) -> WallInstant? {
    next(after: instant.nanosecondsSince1970, in: .current())
      .map(WallInstant.init(nanosecondsSince1970:))
  }

  func next(after nanoseconds: Int64, in zone: LocalTimeZone) -> Int64? {
    let second = nanoseconds.flooredDivision(by: 1_000_000_000).quotient
    let seconds = firstOccurrence(afterSecond: second, in: zone)
    guard let seconds, !seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow else {
      return nil
    }
    return seconds * 1_000_000_000
  }

  /// Returns the number of occurrences after `due` up to `now`, and the first one after `now`; `Int64.max`
  /// if there is none.
  func occurrencesPassed(since due: Int64, at now: Int64) -> (count: Int, next: Int64) {
    let zone = LocalTimeZone.current()
    var count = 0
    var next = next(after: due, in: zone)
    while let occurrence = next, occurrence <= now {
      count += 1
      next = self.next(after: occurrence, in: zone)
    }
    return (count, next ?? .max)
  }

  /// Returns the first occurrence after a second, exclusive, in seconds since 1970.
  private func firstOccurrence(afterSecond second: Int64, in zone: LocalTimeZone) -> Int64? {
    if let dayNumber {
      let occurrence = zone.firstInstant(atLocalTime: time(on: Int64(dayNumber)))
      return occurrence > second ? occurrence : nil
    }
    let today = zone.localTime(at: second).flooredDivision(by: Calendar.secondsPerDay).quotient
    // Up to 14 days, because a time zone can omit the only weekday of a schedule.
    return (today...today + 14).lazy
      .filter { days.contains(Weekdays(day: $0)) }
      .compactMap { occurrence(on: $0, zone) }
      .first { $0 > second }
  }

  private func occurrence(on day: Int64, _ zone: LocalTimeZone) -> Int64? {
    let occurrence = zone.firstInstant(atLocalTime: time(on: day))
    if zone.localTime(at: occurrence) == time(on: day) { return occurrence }
    let startOfDay = zone.firstInstant(atLocalTime: day * Calendar.secondsPerDay)
    let isDayOmitted = zone.localTime(at: startOfDay) >= (day + 1) * Calendar.secondsPerDay
    return isDayOmitted ? nil : occurrence
  }

  private func time(on day: Int64) -> Int64 { day * Calendar.secondsPerDay + Int64(secondOfDay) }
}

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
  private func endOfOffset(_ offset: Int64, from instant: Int64) -> Int64 {
    var (unchanged, end) = (instant, instant + Self.step)
    guard self.offset(end) != offset else { return end }
    while end - unchanged > 1 {
      let middle = unchanged + (end - unchanged) / 2
      if self.offset(middle) == offset { unchanged = middle } else { end = middle }
    }
    return end
  }

  /// An upper bound of the offset from UTC, past and present, of all time zones.
  private static let maximumOffset: Int64 = 16 * 3600
  /// A time within which no time zone changes its offset twice.
  private static let step: Int64 = 4 * 3600
}
