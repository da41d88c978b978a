import TimerKit

/// Schedules with several times a day, on days of the month, or from a cron expression, and their time zones.
extension TimerParser {
  /// Parses `9:00`, `at 8:00 and 20:00` or `every 15m from 9 to 17` after the days of a timer that repeats.
  mutating func repeating(
    on days: WallSchedule.Days, after word: String
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    if position < tokens.count, tokens[position].keyword == "every" {
      return try repeating(every: try duration(after: "every"), on: days)
    }
    var seconds = [try time(after: word).secondOfDay]
    while position + 1 < tokens.count, tokens[position].keyword == "and", isTime(at: position + 1) {
      position += 1
      seconds.append(try time(after: "and").secondOfDay)
    }
    return .daily(try schedule(try WallSchedule(days, seconds: seconds)), count: nil)
  }

  /// Parses `from 9 to 17` after an interval. Without it, and without days, the interval counts from the start of the
  /// timer.
  mutating func repeating(
    every interval: Duration, on days: WallSchedule.Days? = nil
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    var (from, to) = (WallTimeText.TimeOfDay(hour: 0), WallTimeText.TimeOfDay(hour: 23, minute: 59))
    if position + 1 < tokens.count, tokens[position].keyword == "from", isTime(at: position + 1) {
      position += 1
      from = try time(after: "from")
      guard position < tokens.count, ["to", "until", "till"].contains(tokens[position].keyword)
      else { throw errorHere("missing end of the hours (expected one, such as from 9 to 17)") }
      position += 1
      to = try time(after: "to")
    } else if days == nil {
      return .every(interval, count: nil)
    }
    let (start, end) = ((from.hour, from.minute), (to.hour, to.minute))
    let grid = try schedule(
      try WallSchedule(days ?? .every, every: interval, from: start, through: end))
    return .daily(grid, count: nil)
  }

  /// Returns a schedule with the time zone that follows the current position, if there is one: `in Europe/Berlin`.
  mutating func schedule(
    _ schedule: @autoclosure () throws(WallScheduleError) -> WallSchedule
  ) throws(TimerSyntaxError) -> WallSchedule {
    do throws(WallScheduleError) {
      let schedule = try schedule()
      guard position + 1 < tokens.count, tokens[position].keyword == "in",
        tokens[position].equals == nil, !tokens[position + 1].looksLikeDuration
      else { return schedule }
      position += 2
      return schedule.inTimeZone(try TimeZoneRules(tokens[position - 1].text))
    } catch {
      throw self.error(error.description, at: tokens[position - 1])
    }
  }

  /// Returns true for `cron '*/15 9-17 * * 1-5'` and `cron @daily`. Before other words, `cron` is a name.
  func isCron(at index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index].keyword == "cron" else { return false }
    let next = tokens[index + 1]
    return next.equals == nil && (next.isQuoted || next[0] == "@")
  }

  /// Returns the days of `first monday of the month` or `last day of the month`; `nil` for other words.
  func daysOfMonth(at index: Int) -> WallSchedule.Days? {
    let words = tokens[index...].prefix(Self.wordsOfMonth).map {
      $0.equals == nil ? $0.keyword : nil
    }
    guard words.count == Self.wordsOfMonth,
      let week = WallTimeText.weeks.firstIndex(where: { $0 == words[0] }),
      words[2] == "of", ["the", "each", "every"].contains(words[3]), words[4] == "month"
    else { return nil }
    let number = week == 0 ? -1 : week
    if words[1] == "day" { return .ofMonth([number]) }
    let day = words[1].flatMap(WallTimeText.parseDays)
    return day.flatMap { $0.isRepeating ? nil : .nth(number, $0.days) }
  }

  static let wordsOfMonth = 5
}
