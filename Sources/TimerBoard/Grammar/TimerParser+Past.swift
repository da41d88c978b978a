import TimerKit

/// Days in the past, for the options of commands.
extension CivilDate {
  /// Parses a day in words or in ISO 8601: `today`, `monday`, `24 dec`, `2026-11-22`, `2026-11` for the first day of that
  /// month, `last week` for its Monday, or a duration such as `7d` or `2 weeks ago`. Of several days, it is the last one
  /// that is not after today.
  /// - Returns: `nil` for another text.
  package static func inPast(_ text: String, today: CivilDate) -> CivilDate? {
    let midday = WallInstant(
      nanosecondsSince1970: (Int64(today.day) * 24 + 12) * 3_600_000_000_000)
    let context = TimerContext(
      now: ClockReading(wall: midday), defaults: TimerDefaults(presets: .none))
    guard var parser = try? TimerParser(arguments: [text], in: context) else { return nil }
    return parser.pastDay(today: today)
  }
}

extension TimerParser {
  /// Parses the whole text as a day.
  fileprivate mutating func pastDay(today: CivilDate) -> CivilDate? {
    let words = tokens.map { $0.plainKeyword ?? "" }
    switch words {
    case []: return nil
    case ["this", "week"]: return today.startOfWeek
    case ["last", "week"]: return today.startOfWeek.advanced(by: -7)
    default: break
    }
    if words.count == 1, let month = CivilDate("\(words[0])-01") { return month }
    let isBefore = words.count == 2 && words[0] == "last"
    if isBefore { position = 1 }
    if let days = WallTimeText.parseDays(words[position]), !days.isRepeating {
      let past = (0..<7).map { today.advanced(by: -$0 - (isBefore ? 1 : 0)) }
      return position + 1 < tokens.count
        ? nil : past.first { days.days == WallSchedule.Weekdays(rawValue: 1 << UInt8($0.weekday)) }
    }
    if tokens[0].looksLikeDuration, !isDate(at: 0) {
      // A time of day is no day.
      if tokens[0].looksLikeClock { return nil }
      guard let duration = try? duration() else { return nil }
      let rest = tokens[position...].map { $0.plainKeyword ?? "" }
      guard rest.isEmpty || rest == ["ago"] else { return nil }
      // A part of a day begins on the day before.
      let days = (duration.clampedNanoseconds + 86_399_999_999_999) / 86_400_000_000_000
      return today.advanced(by: -Int(days))
    }
    guard let day = try? day(), position == tokens.count, day.timeText == nil else { return nil }
    if day.dates.count == 1 {
      let date = CivilDate(
        year: day.dates[0].year, month: day.dates[0].month, day: day.dates[0].day)
      return date.flatMap { $0 <= today || day.word.looksLikeDate ? $0 : nil }
    }
    // A day without a year, which leap days have every eight years at least.
    return (0...8).lazy.compactMap {
      CivilDate(
        year: today.yearMonthDay.year - $0, month: day.dates[0].month, day: day.dates[0].day)
    }.first { $0 <= today }
  }
}
