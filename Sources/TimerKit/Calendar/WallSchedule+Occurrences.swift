extension WallSchedule {
  /// Returns the first occurrence after an instant, exclusive; `nil` if there is none.
  /// - Parameter instant: the instant after which it is.
  /// - Complexity: O(1) for a schedule on days of the week; otherwise O(n) in the number of months until then.
  public func next(after instant: WallInstant) -> WallInstant? {
    next(after: instant.nanosecondsSince1970).map(WallInstant.init(nanosecondsSince1970:))
  }

  func next(after nanoseconds: Int64) -> Int64? {
    let second = nanoseconds.flooredDivision(by: Self.nanosecondsPerSecond).quotient
    return next(afterSecond: second, in: localTimeZone).map { $0 * Self.nanosecondsPerSecond }
  }

  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// The time zone of the schedule, or else the current one of the process.
  private var localTimeZone: LocalTimeZone { rules.timeZone?.localTime ?? .current() }

  /// Returns the number of occurrences after `due` up to `now`, and the first one after `now`; `nil` if there is none.
  /// - Complexity: O(n) in the number of days with an occurrence.
  func occurrencesPassed(since due: Int64, at now: Int64) -> (count: Int, next: Int64?) {
    let zone = localTimeZone
    let now = now.flooredDivision(by: Self.nanosecondsPerSecond).quotient
    var last = due.flooredDivision(by: Self.nanosecondsPerSecond).quotient
    var count = 0
    while let next = next(afterSecond: last, in: zone) {
      if next > now { return (count, next * Self.nanosecondsPerSecond) }
      (count, last) = (count + 1, next)
      // The rest of the day, if it has passed with the same offset from UTC.
      let second = zone.localTime(at: next).flooredDivision(by: Calendar.secondsPerDay).remainder
      let rest = rules.times.count - rules.times.firstIndex(notBefore: Int32(second) + 1)
      let end = next + Calendar.secondsPerDay - 1 - second
      let steps = stride(from: next, to: end, by: Int(LocalTimeZone.step))
      if rest > 0, end <= now, steps.allSatisfy({ zone.offset($0) == zone.offset(end) }) {
        (count, last) = (count + rest, end)
      }
    }
    return (count, nil)
  }

  /// Returns the occurrence that comes `count` occurrences after an instant, exclusive; `nil` if it is after `limit`.
  /// - Complexity: O(n) in the number of days until `limit`.
  func occurrence(_ count: Int, after instant: Int64, by limit: Int64) -> Int64? {
    guard count > 0 else { return instant }
    guard occurrencesPassed(since: instant, at: limit).count >= count else { return nil }
    // It comes after `begin`, and not after `end`. A schedule has at most one occurrence a second.
    var begin = instant
    var end = limit
    var left = count
    while end.subtractingSaturated(begin) > Self.nanosecondsPerSecond {
      let middle = begin.addingSaturated(end.subtractingSaturated(begin) / 2)
      let passed = occurrencesPassed(since: begin, at: middle).count
      if passed < left {
        begin = middle
        left -= passed
      } else {
        end = middle
      }
    }
    return next(after: begin)
  }

  /// Returns the first occurrence after a second, exclusive, in seconds since 1970. Nanoseconds can represent it,
  /// because it is on a date in the years 1678 to 2261.
  private func next(afterSecond second: Int64, in zone: LocalTimeZone) -> Int64? {
    rules.followsClock
      ? firstClockTime(afterSecond: second, in: zone)
      : firstFixedTime(afterSecond: second, in: zone)
  }

  /// Returns the first occurrence of fixed times of day after a second, exclusive, in seconds since 1970.
  private func firstFixedTime(afterSecond second: Int64, in zone: LocalTimeZone) -> Int64? {
    var next = rules.localTime(from: zone.localTime(at: second) + 1)
    while let time = next {
      let occurrence = zone.firstInstant(atLocalTime: time)
      let startOfDay = time - time.flooredDivision(by: Calendar.secondsPerDay).remainder
      let isOmitted =
        zone.localTime(at: occurrence) != time && date == nil
        && isOmitted(dayFrom: startOfDay, zone)
      // When clocks are set back, times that have passed come again.
      if !isOmitted, occurrence > second { return occurrence }
      next = rules.localTime(
        from: isOmitted ? startOfDay + Calendar.secondsPerDay : time + 1)
    }
    return nil
  }

  /// Returns true if a time zone omits the whole day that begins at a local time.
  private func isOmitted(dayFrom start: Int64, _ zone: LocalTimeZone) -> Bool {
    zone.localTime(at: zone.firstInstant(atLocalTime: start)) >= start + Calendar.secondsPerDay
  }

  /// Returns the first instant after a second, exclusive, at which a clock shows a time of the schedule.
  private func firstClockTime(afterSecond second: Int64, in zone: LocalTimeZone) -> Int64? {
    // No time zone sets clocks back by more than this.
    let longestShift = 3 * Calendar.secondsPerDay
    var instant = second + 1
    while true {
      let offset = zone.offset(instant)
      let occurrence = rules.localTime(from: instant + offset).map { $0 - offset }
      let end = zone.endOfOffset(offset, from: instant)
      if let occurrence, occurrence < end { return occurrence }
      let isFar = instant >= second + longestShift
      if isFar, occurrence == nil { return nil }
      instant = isFar ? max(end, (occurrence ?? end) - longestShift) : end
    }
  }
}
