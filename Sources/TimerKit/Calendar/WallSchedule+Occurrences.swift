extension WallSchedule {
  /// The first occurrence strictly after an instant; `nil` if there is none.
  public func next(after instant: WallInstant) -> WallInstant? {
    next(after: instant.nanosecondsSince1970, on: .current())
      .map(WallInstant.init(nanosecondsSince1970:))
  }

  func next(after nanoseconds: Int64, on clock: LocalClock) -> Int64? {
    let moment = nanoseconds.flooredQuotient(1_000_000_000)
    let seconds = firstOccurrence(after: moment, on: clock)
    guard let seconds, !seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow else {
      return nil
    }
    return seconds * 1_000_000_000
  }

  /// Counts the occurrences after `due` up to `now`, and finds the one after that; the farthest instant if
  /// there is none.
  func passed(since due: Int64, at now: Int64) -> (count: Int, next: Int64) {
    let clock = LocalClock.current()
    var count = 0
    var next = next(after: due, on: clock)
    while let occurrence = next, occurrence <= now {
      count += 1
      next = self.next(after: occurrence, on: clock)
    }
    return (count, next ?? .max)
  }

  private func firstOccurrence(after moment: Int64, on clock: LocalClock) -> Int64? {
    if let dayNumber {
      let occurrence = clock.firstMoment(showing: time(on: Int64(dayNumber)))
      return occurrence > moment ? occurrence : nil
    }
    let today = clock.shown(at: moment).flooredQuotient(Calendar.secondsPerDay)
    // Yesterday's may be skipped to today; and a zone may have left out the one day of a week.
    return (today - 1...today + 14).lazy
      .filter { days.contains(Weekdays(day: $0)) }
      .compactMap { occurrence(on: $0, clock) }
      .first { $0 > moment }
  }

  private func occurrence(on day: Int64, _ clock: LocalClock) -> Int64? {
    let occurrence = clock.firstMoment(showing: time(on: day))
    if clock.shown(at: occurrence) == time(on: day) { return occurrence }
    let firstOfDay = clock.firstMoment(showing: day * Calendar.secondsPerDay)
    let isLeftOut = clock.shown(at: firstOfDay) >= (day + 1) * Calendar.secondsPerDay
    return isLeftOut ? nil : occurrence
  }

  private func time(on day: Int64) -> Int64 { day * Calendar.secondsPerDay + Int64(secondOfDay) }
}

extension WallSchedule.Weekdays {
  /// That of a day, in days since 1970-01-01, which was a Thursday.
  fileprivate init(day: Int64) {
    self.init(rawValue: 1 << UInt8((day + 3) - (day + 3).flooredQuotient(7) * 7))
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
