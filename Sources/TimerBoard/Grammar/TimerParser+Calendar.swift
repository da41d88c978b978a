import TimerKit

/// The days of timers that repeat, and the dates at which they begin and end.
extension TimerParser {
  /// The days of a timer that repeats.
  struct RepeatingDays {
    var days: WallSchedule.Days
    /// The days or weeks between them; `nil` if each of the days counts.
    var step: WallSchedule.Step?
    /// The number of their words.
    var words: Int
  }

  /// The units that have days, with the words that mean `every` and the unit.
  enum DayUnit: String {
    case week, month, year

    init?(adverb: String) {
      switch adverb {
      case "weekly": self = .week
      case "monthly": self = .month
      case "yearly", "annually": self = .year
      default: return nil
      }
    }

    /// A timer that repeats on its days.
    var example: String {
      switch self {
      case .week: "every week on monday 9:00"
      case .month: "every month on the 1st 9:00"
      case .year: "every year on dec 24 9:00"
      }
    }
  }

  /// Returns the plain word at an index in lower case; empty for another one, and at the end.
  private func word(_ index: Int) -> String {
    index < tokens.count ? tokens[index].plainKeyword ?? "" : ""
  }

  /// Returns the days of a timer that repeats; `nil` for other words: `daily`, `every day`, `every monday`, `mon-fri`,
  /// `first monday of the month`, `every month on the 15th`, `every dec 24`, `every other tuesday`.
  func repeatingDays(at index: Int) -> RepeatingDays? {
    let keyword = word(index)
    if keyword.isEmpty { return nil }
    if keyword == Keyword.daily.rawValue { return RepeatingDays(days: .every, words: 1) }
    if let days = daysOfMonth(at: index) ?? daysOfUnit(at: index) { return days }
    guard keyword == Keyword.every.rawValue else {
      return WallTimeText.parseDays(keyword).flatMap {
        $0.isRepeating ? RepeatingDays(days: .weekdays($0.days), words: 1) : nil
      }
    }
    let next = index + 1
    if word(next) == "day" { return RepeatingDays(days: .every, words: 2) }
    if let days = WallTimeText.parseDays(word(next)) {
      return RepeatingDays(days: .weekdays(days.days), words: 2)
    }
    if var days = daysOfMonth(at: next) ?? daysOfYear(at: next) ?? daysOfStep(at: next) {
      days.words += 1
      return days
    }
    return nil
  }

  /// Returns the days of `first monday of the month`, `last day of the month` or `1st and 15th of each month`; `nil` for
  /// other words.
  func daysOfMonth(at index: Int) -> RepeatingDays? {
    guard let (days, end) = numberedDays(at: index), word(end) == "of",
      ["the", "each", "every"].contains(word(end + 1)), word(end + 2) == "month"
    else { return nil }
    return RepeatingDays(days: days, words: end + 3 - index)
  }

  /// Returns the days of `first monday`, `last day`, `15th` or `1st and 15th` in a month, and the index after them.
  private func numberedDays(at index: Int) -> (days: WallSchedule.Days, end: Int)? {
    if let week = TimeWord.weeks.firstIndex(of: word(index)) {
      let number = week == 0 ? -1 : week
      if word(index + 1) == "day" { return (.ofMonth([number]), index + 2) }
      if let day = WallTimeText.parseDays(word(index + 1)), !day.isRepeating {
        return (.nth(number, day.days), index + 2)
      }
    }
    var days: Set<Int> = []
    var end = index
    var next = index
    // At most all days of a month, so that the time is linear in the text.
    while end - index < 62, let day = Self.dayOfMonth(word(next)) {
      days.insert(day)
      end = next + 1
      next = end + (word(end) == "and" ? 1 : 0)
      if word(next) == "the" { next += 1 }
    }
    // The last day comes after the others.
    return days.isEmpty
      ? nil : (.ofMonth(days.sorted { ($0 < 0 ? 32 : $0) < ($1 < 0 ? 32 : $1) }), end)
  }

  /// Returns the day of `15th`, `first` or `last`, which is -1.
  private static func dayOfMonth(_ word: String) -> Int? {
    if word == TimeWord.weeks[0] { return -1 }
    if word.first?.isNumber == true { return numberWithSuffix(word) }
    return word == "other" ? nil : TimeWord[word]?.ordinal
  }

  /// Returns the number of `24th`, from 1 to 31.
  static func numberWithSuffix(_ word: String) -> Int? {
    let digits = word.prefix { ("0"..."9").contains($0) }
    guard digits.utf8.count <= 2, ["st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
    else { return nil }
    return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
  }

  /// Returns the day of `dec 24` and `24 dec`, without a year.
  private func daysOfYear(at index: Int) -> RepeatingDays? {
    guard index < tokens.count, let date = dayOfMonth(at: index), date.year == nil else {
      return nil
    }
    return RepeatingDays(days: .ofYear(month: date.month, day: date.day), words: date.words)
  }

  /// Returns the days of `every month on the 15th`, `yearly on dec 24` or `weekly on monday`.
  func daysOfUnit(at index: Int) -> RepeatingDays? {
    let isEvery = word(index) == Keyword.every.rawValue
    let unit = isEvery ? DayUnit(rawValue: word(index + 1)) : DayUnit(adverb: word(index))
    guard let unit else { return nil }
    var start = index + (isEvery ? 2 : 1)
    let hasPreposition = word(start) == "on"
    // `weekly monday 9:00`, but not `every week monday 9:00`, which are two timers.
    guard hasPreposition || unit == .week && !isEvery else { return nil }
    if hasPreposition { start += 1 }
    if word(start) == "the" { start += 1 }
    var found: RepeatingDays?
    switch unit {
    case .week:
      found = WallTimeText.parseDays(word(start)).map {
        RepeatingDays(days: .weekdays($0.days), words: 1)
      }
    case .month:
      found = numberedDays(at: start).map { RepeatingDays(days: $0.days, words: $0.end - start) }
    case .year: found = daysOfYear(at: start)
    }
    found?.words += start - index
    return found
  }

  /// Returns the days of `other tuesday` or `third friday` after `every`: those of each second or third week. `other
  /// weekday` can mean several days.
  private func daysOfStep(at index: Int) -> RepeatingDays? {
    guard let number = Self.ordinal(word(index)),
      let days = WallTimeText.parseDays(word(index + 1))?.days,
      days.rawValue.nonzeroBitCount == 1 || days == .weekend
    else { return nil }
    return RepeatingDays(days: .weekdays(days), step: .weeks(number), words: 2)
  }

  /// Returns the days of an interval of whole days at a word: `every 3 days`, `every 2 weeks on monday`. Alone, such an
  /// interval counts from the start of the timer.
  func daysOfInterval(at index: Int) -> RepeatingDays? {
    guard word(index) == Keyword.every.rawValue, index + 1 < tokens.count else { return nil }
    var parser = self
    parser.position = index
    let interval: Duration
    if let unit = DurationText.unit(named: word(index + 1)),
      DurationText.isSingular(word(index + 1))
    {
      interval = .milliseconds(unit.milliseconds)
      parser.position += 2
    } else {
      guard tokens[index + 1].looksLikeDuration, let duration = try? parser.duration(after: "every")
      else { return nil }
      interval = duration
    }
    guard let days = interval.wholeDays else { return nil }
    if let rule = try? parser.weekdays(ofWeeksIn: days) {
      return RepeatingDays(
        days: rule.days, step: rule.step, words: parser.position + rule.words - index)
    }
    return RepeatingDays(
      days: .every, step: days > 1 ? .days(days) : nil, words: parser.position - index)
  }

  /// Returns the days at which a timer repeats that has an interval before the current position: `at 9` after
  /// `every 3 days`, `on monday at 9` after `every 2 weeks`. Returns `nil` if the interval counts from the start of the
  /// timer.
  func repeatingDays(every interval: Duration) throws(TimerSyntaxError) -> RepeatingDays? {
    guard position < tokens.count, interval >= .days(1) else { return nil }
    let days = interval.wholeDays
    if let days, let rule = try weekdays(ofWeeksIn: days) { return rule }
    let hasTime = word(position) == "at" || beginsTime(at: position)
    guard hasTime || tokens[position].looksLikeClock && !isTimeBeforeDay(at: position) else {
      return nil
    }
    guard let days else {
      throw error(
        "no timer repeats every \(DurationText.text(interval)) at a time of day (expected whole days, such as every 2d at 9:00)",
        at: tokens[position])
    }
    return RepeatingDays(days: .every, step: days > 1 ? .days(days) : nil, words: 0)
  }

  /// Returns the days of `on monday`, or of `monday 9:00`, after an interval; `nil` for other words.
  private func weekdays(ofWeeksIn days: Int) throws(TimerSyntaxError) -> RepeatingDays? {
    let hasPreposition = word(position) == "on"
    let index = position + (hasPreposition ? 1 : 0)
    guard let weekdays = WallTimeText.parseDays(word(index))?.days,
      hasPreposition || days % 7 == 0 && hasTime(at: index + 1)
    else { return nil }
    guard days % 7 == 0 else {
      throw error(
        "no timer repeats every \(days)d on days of the week (expected weeks, such as every 2 weeks on \(tokens[index].text) 9:00)",
        at: tokens[position])
    }
    return RepeatingDays(
      days: .weekdays(weekdays), step: days > 7 ? .weeks(days / 7) : nil,
      words: index + 1 - position)
  }

  /// Throws an error for `every month`, `every 2 months` or `every other weekday`, whose days are missing or not clear.
  func checkHasDays(at index: Int) throws(TimerSyntaxError) {
    let text = word(index)
    let number = Self.ordinal(text)
    let unit = word(index + (number == nil ? 0 : 1))
    if number == nil, let unit = DayUnit(rawValue: unit), unit != .week {
      throw error(
        "missing day after 'every \(tokens[index].text)' (expected one, such as \(unit.example))",
        at: tokens[index])
    }
    guard number != nil,
      unit == "day" || WallTimeText.parseDays(unit) != nil || DayUnit(rawValue: unit) != nil
    else { return }
    let each = DayUnit(rawValue: unit)?.example ?? "every \(unit) 9:00"
    throw error(
      "no timer repeats every \(tokens[index].text) \(tokens[index + 1].text) (expected each, such as \(each))",
      at: tokens[index])
  }

  /// Advances past days, and returns their text for an error.
  mutating func take(_ days: RepeatingDays) -> String {
    position += days.words
    return tokens[(position - days.words)..<position].map(\.text).joined(separator: " ")
  }

  // MARK: The first and the last date

  /// The dates between which a timer repeats, and its time zone.
  struct Limits {
    typealias Date = (year: Int, month: Int, day: Int)
    var zone: TimeZoneRules?
    var first: Date?
    var last: Date?
  }

  /// Parses `in Europe/Berlin`, `from 2026-12-01` and `until 2026-12-25` in any order.
  /// - Parameter hasStep: A Boolean value that indicates whether the days are counted from a date.
  mutating func limits(
    in zone: TimeZoneRules?, hasStep: Bool
  ) throws(TimerSyntaxError) -> Limits {
    var limits = Limits(zone: zone)
    while position < tokens.count {
      if limits.zone == nil, let zone = try timeZone() {
        limits.zone = zone
      } else if limits.last == nil, let date = try date(after: Self.wordsBeforeLast) {
        limits.last = date
      } else if hasStep, limits.first == nil, let date = try date(after: Self.wordsBeforeFirst) {
        limits.first = date
      } else {
        break
      }
    }
    return limits
  }

  private static let wordsBeforeFirst = ["from", "starting"]
  private static let wordsBeforeLast = ["until", "till", "through", "thru"]

  /// Parses a date after one of some words; returns `nil` for other words. The next such day is meant if it has no year.
  private mutating func date(after words: [String]) throws(TimerSyntaxError) -> Limits.Date? {
    let next = position + 1
    guard words.contains(word(position)), next < tokens.count, beginsDay(at: next) else {
      return nil
    }
    position = next
    guard let day = try day() else { return nil }
    if let time = day.timeText {
      throw error("unexpected time in a date (expected none, such as \(day.word.text))", at: time)
    }
    let today = LocalTime(now).date
    var dates = day.dates.lazy.compactMap {
      CivilDate(year: $0.year, month: $0.month, day: $0.day)
    }
    .makeIterator()
    if let weekday = day.weekday {
      let next = (0..<7).first {
        weekday.rawValue >> UInt8(today.advanced(by: $0).weekday) & 1 == 1
      }
      return next.map { today.advanced(by: $0).yearMonthDay }
    }
    while let date = dates.next() {
      if day.dates.count == 1 || date >= today { return date.yearMonthDay }
    }
    throw error("no such date, or too far away", at: day.word)
  }

  /// Returns a schedule with its limits, which follow the current position. A schedule with a step counts from its first
  /// occurrence unless a date follows.
  /// - Parameter zone: The zone that stood before the current position; `nil` if none did.
  mutating func repeatingSchedule(
    step: WallSchedule.Step? = nil, in zone: TimeZoneRules? = nil,
    _ schedule: () throws(WallScheduleError) -> WallSchedule
  ) throws(TimerSyntaxError) -> WallSchedule {
    let start = position
    let local = try self.schedule(at: start - 1, schedule)
    let limits = try limits(in: zone, hasStep: step != nil)
    let inZone = limits.zone.map(local.inTimeZone) ?? local
    let now = now
    let limited = try self.schedule(at: position - 1) { () throws(WallScheduleError) in
      var limited = inZone
      if let step {
        guard let next = inZone.next(after: now.wall) else { throw .neverOccurs }
        let zone = limits.zone.map { LocalZone.rules($0) } ?? now.zone
        let first = limits.first ?? LocalTime(next, in: zone).date.yearMonthDay
        limited = try limited.every(
          step, fromYear: first.year, month: first.month, day: first.day)
      }
      guard let last = limits.last else { return limited }
      return try limited.until(year: last.year, month: last.month, day: last.day)
    }
    if limits.last != nil, !context.allowsPast, let now = context.now,
      limited.next(after: now.wall) == nil
    {
      throw error("date is in the past", at: tokens[position - 1])
    }
    return limited
  }

  /// Returns a schedule. An error is at a word.
  func schedule(
    at index: Int, _ schedule: () throws(WallScheduleError) -> WallSchedule
  ) throws(TimerSyntaxError) -> WallSchedule {
    do throws(WallScheduleError) { return try schedule() } catch {
      throw self.error(error.description, at: tokens[index])
    }
  }

  // MARK: The last time of an interval

  /// The words after an interval that limit it, `until 17:00` or `for an hour`, from which the number of fires is
  /// computed.
  struct Span {
    var word: Token
    /// The end of `until`; `nil` for a duration, which counts from the start.
    var end: Token?
  }

  /// Parses `until 17:00` or `for an hour` after an interval, and returns the number of fires until then; `nil` for other
  /// words.
  mutating func fires(every interval: Duration) throws(TimerSyntaxError) -> Int? {
    let next = position + 1
    guard next < tokens.count, tokens[next].equals == nil else { return nil }
    let word = tokens[position]
    let end = tokens[next]
    var time: Duration
    switch word.plainKeyword {
    case "for"? where end.looksLikeDuration:
      time = try duration(after: "for")
      span = Span(word: word)
    case "until"?, "till"?:
      guard isTime(at: next), !isDate(at: next) else {
        guard beginsDay(at: next) else { return nil }
        throw error(
          "day after an interval (expected a time of today, such as until 17:00)", at: end)
      }
      position = next
      let last = try self.time(after: "until")
      let zone = try timeZone()
      let today = LocalTime(now.wall, in: zone.map { .rules($0) } ?? now.zone).date.yearMonthDay
      let schedule = try schedule(at: next) { () throws(WallScheduleError) in
        try WallSchedule(
          .date(year: today.year, month: today.month, day: today.day), seconds: [last.secondOfDay]
        ).inTimeZone(zone)
      }
      guard let instant = schedule.next(after: now.wall) else {
        throw error(
          "'\(end.text)' has passed today (expected a later time, such as until 23:59)", at: end)
      }
      time = now.wall.duration(to: instant)
      span = Span(word: word, end: end)
    default: return nil
    }
    let count = time.clampedNanoseconds / max(1, interval.clampedNanoseconds)
    guard count > 0 else {
      throw error(
        "no fire in \(DurationText.text(time)) (expected a shorter interval)", at: word)
    }
    guard count <= Self.largestCount else {
      throw error("count must be at most \(Self.largestCount)", at: word)
    }
    return Int(count)
  }

  /// Adapts the number of fires to the settings of a timer with a span.
  func apply(_ span: Span, to spec: inout TimerSpec) throws(TimerSyntaxError) {
    // The first fire is at the start.
    if spec.startsNow, let count = spec.fireCount, let withCount = spec.kind.family.withCount {
      spec.kind = withCount(min(count + 1, Self.largestCount))
    }
    if let end = span.end, spec.isPaused {
      throw error(
        "'paused' with 'until \(end.text)', which counts from now (expected a count, such as x8)",
        at: span.word)
    }
  }
}

extension Duration {
  /// The number of days; `nil` if the duration is not of whole days.
  var wholeDays: Int? {
    let (days, rest) = clampedNanoseconds.quotientAndRemainder(dividingBy: 86_400_000_000_000)
    return rest == 0 && days > 0 ? Int(days) : nil
  }
}
