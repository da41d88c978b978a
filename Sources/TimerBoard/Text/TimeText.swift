package import TimerKit

/// Times as the board shows them.
package enum TimeText {
  /// Returns a time in seconds or tenths as a clock: `0:03`, `1:02:41`, `2d 00:00:10`, `0:03.2`.
  /// - Parameter showsDays: False to count hours beyond a day.
  package static func clock(_ units: Int64, showsTenths: Bool, showsDays: Bool = true) -> String {
    let seconds = showsTenths ? units / 10 : units
    let tenth = showsTenths ? ".\(units % 10)" : ""
    let minutes = seconds / 60 % 60
    let hours = seconds / 3600
    let end = "\(twoDigits(seconds % 60))\(tenth)"
    if hours == 0 { return "\(minutes):\(end)" }
    if hours < 24 || !showsDays { return "\(hours):\(twoDigits(minutes)):\(end)" }
    return "\(hours / 24)d \(twoDigits(hours % 24)):\(twoDigits(minutes)):\(end)"
  }

  /// Returns the number of cells that ``clock(_:showsTenths:showsDays:)`` takes.
  package static func clockWidth(_ units: Int64, showsTenths: Bool) -> Int {
    clock(units, showsTenths: showsTenths).utf8.count
  }

  /// Returns a measured time with hundredths: `0:12.34`, `1:02:41.07`.
  package static func precise(_ duration: Duration) -> String {
    let hundredths = max(0, duration.clampedNanoseconds) / 10_000_000
    return "\(clock(hundredths / 100, showsTenths: false)).\(twoDigits(hundredths % 100))"
  }

  /// Returns a time until a fire in at most two units, rounded up: `2 d 3 h`, `9 h 12 m`, `45 s`; and how long the
  /// text stays the same while the time passes.
  package static func timeUntil(_ time: Duration) -> (text: String, validity: Duration) {
    let nanoseconds = max(1, time.clampedNanoseconds)
    let unit: Int64 =
      nanoseconds > 86_400_000_000_000 ? 3600 : nanoseconds > 60_000_000_000 ? 60 : 1
    let earlier = (nanoseconds - 1) / (unit * 1_000_000_000)
    let seconds = (earlier + 1) * unit
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"),
      (seconds % 60, "s"),
    ]
    return (
      parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " "),
      .nanoseconds(nanoseconds - earlier * unit * 1_000_000_000)
    )
  }

  /// Returns the lateness of a fire: `0.1 ms`, `45 ms`, `1.2 s`, or as a clock from a minute on.
  package static func lateness(_ lateness: Duration) -> String {
    let microseconds = max(0, lateness.clampedNanoseconds) / 1000
    switch microseconds {
    case ..<10_000: return "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
    case ..<1_000_000: return "\(microseconds / 1000) ms"
    case ..<10_000_000: return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    case ..<60_000_000: return "\(microseconds / 1_000_000) s"
    default: return clock(microseconds / 1_000_000, showsTenths: false)
    }
  }

  /// Returns a lateness with two decimals below ten milliseconds: `0.09 ms`.
  package static func preciseLateness(_ lateness: Duration) -> String {
    let microseconds = max(0, lateness.clampedNanoseconds) / 1000
    guard microseconds < 10_000 else { return self.lateness(lateness) }
    return "\(microseconds / 1000).\(twoDigits(microseconds / 10 % 100)) ms"
  }

  /// Returns a time of day with milliseconds, `14:29:38.001`, or with seconds, `2:29:38 pm`.
  package static func timeOfDay(milliseconds: Int, uses24Hours: Bool) -> String {
    let time = timeOfDay(milliseconds / 1000, showsSeconds: true, uses24Hours: uses24Hours)
    guard uses24Hours else { return time }
    return "\(time).\((milliseconds % 1000).padded(to: 3))"
  }

  /// Returns a time of day: `14:29` or `2:29 pm`, with seconds `14:29:05`.
  package static func timeOfDay(_ second: Int, showsSeconds: Bool = false, uses24Hours: Bool)
    -> String
  {
    let hour = second / 3600
    let seconds = showsSeconds ? ":\(twoDigits(second % 60))" : ""
    let end = "\(twoDigits(second / 60 % 60))\(seconds)"
    if uses24Hours { return "\(twoDigits(hour)):\(end)" }
    return "\((hour + 11) % 12 + 1):\(end) \(hour < 12 ? "am" : "pm")"
  }
}

/// Returns a number with at least two digits: `05`.
package func twoDigits(_ number: some BinaryInteger) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}

/// A local date and time of day.
package struct LocalTime: Hashable {
  /// The day, counted from 1970-01-01.
  package let dayNumber: Int
  /// The seconds since the day began.
  package let secondOfDay: Int
  /// The milliseconds since the second began.
  package let millisecond: Int

  package init(_ reading: ClockReading) {
    self.init(reading.wall, in: reading.zone)
  }

  package init(_ instant: WallInstant, in zone: LocalZone) {
    let offset = Int64(zone.secondsFromUTC(at: instant))
    let instant = instant.nanosecondsSince1970.flooredDivision(by: 1_000_000).quotient
    let (seconds, millisecond) = (instant + offset * 1000).flooredDivision(by: 1000)
    let (day, second) = seconds.flooredDivision(by: 86_400)
    (dayNumber, secondOfDay, self.millisecond) = (Int(day), Int(second), Int(millisecond))
  }

  package var date: CivilDate { CivilDate(day: dayNumber) }

  /// Returns the time of day: `14:29` or `2:29 pm`, with seconds `14:29:05`.
  package func timeOfDay(showsSeconds: Bool = true, uses24Hours: Bool) -> String {
    TimeText.timeOfDay(secondOfDay, showsSeconds: showsSeconds, uses24Hours: uses24Hours)
  }

  /// Returns the time of day, with the weekday unless it is `today`, or with the date if the weekday would be
  /// ambiguous: `14:29:05`, `tomorrow 14:29:05`, `Wed 14:29:05`,
  /// `2027-01-31 14:29:05`. A day beyond `dateLimit` has neither date nor time: `in 41000 days`.
  package func text(from today: LocalTime, showsSeconds: Bool = true, uses24Hours: Bool) -> String {
    let days = dayNumber - today.dayNumber
    guard days <= Self.dateLimit else { return "in \(days) days" }
    let time = timeOfDay(showsSeconds: showsSeconds, uses24Hours: uses24Hours)
    return switch days {
    case ..<1: time
    case 1: "tomorrow \(time)"
    case ..<7: "\(date.weekdayName) \(time)"
    default: "\(date.text) \(time)"
    }
  }

  /// The maximum number of days for which the date is shown.
  private static let dateLimit = 40_000
}

/// Returns a number with the noun that it counts: `1 timer`, `2 timers`.
/// - Parameter plural: The plural of the noun; `nil` if that only takes an `s`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns a number with its ending: `1st`, `2nd`, `3rd`, `11th`.
func ordinal(_ number: Int) -> String {
  let ending =
    switch (number % 100, number % 10) {
    case (11...13, _): "th"
    case (_, 1): "st"
    case (_, 2): "nd"
    case (_, 3): "rd"
    default: "th"
    }
  return "\(number)\(ending)"
}
