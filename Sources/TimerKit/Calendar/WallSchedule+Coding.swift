extension WallSchedule: Codable, CustomStringConvertible {
  /// The days and the times of day: `2027-01-01 07:30:00`, `Monday, Friday 07:30:00`, or the cron expression.
  public var description: String {
    let rules = rules
    let days =
      switch rules.dayKind {
      case .date: Calendar.text(ofDay: Int(rules.firstDay))
      case .weekdays(let weekdays): weekdays.description
      case .ofMonth(let numbers): "days \(numbers) of the month"
      case .nth(let number, let weekdays): "\(weekdays) number \(number) of the month"
      case .ofYear(let month, let day): "\(month.padded(to: 2))-\(day.padded(to: 2)) of the year"
      case nil: ""
      }
    let texts = rules.times.map { Calendar.text(ofSecond: Int($0)) }
    let times =
      interval.map { " every \($0) from \(texts[0]) to \(texts[texts.count - 1])" }
      ?? " " + texts.joined(separator: ", ")
    let step = rules.step.map {
      let unit = if case .days = $0.of { "days" } else { "weeks" }
      return " every \($0.of.count) \(unit) from \(Calendar.text(ofDay: Int($0.first)))"
    }
    return (rules.cron.map { "cron \($0)" } ?? days + times) + (step ?? "")
      + (lastDay.map { " until \(Calendar.text(ofDay: Int($0)))" } ?? "")
      + rules.excludedDays.map { " except \(Calendar.text(ofDay: Int($0)))" }.joined()
      + (timeZone.map { " in \($0)" } ?? "")
  }

  /// The encoded form of a schedule: a date or days of the week, and a time of day; or a cron expression; or days and
  /// times. Without a step, limits and a time zone, these are missing.
  private struct Form: Codable {
    var year, month, day, hour, minute, second: Int?
    var weekdays: Weekdays?
    var days: Days?
    var followsClock: Bool?
    var times, excludedDays: [Int32]?
    var step: Step?
    /// The day from which the step counts.
    var firstDay: Int32?
    var lastDay: Int32?
    var cron, timeZone: String?
  }

  /// Decodes a schedule and validates its values, which may come from a file.
  /// - Throws: `DecodingError.dataCorrupted` if a value is invalid, or a time zone cannot be read.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    do throws(WallScheduleError) {
      let schedule: WallSchedule
      if let cron = form.cron {
        schedule = try WallSchedule(cron: cron)
      } else if let days = form.days, let times = form.times {
        schedule = try WallSchedule(days, seconds: times, followsClock: form.followsClock ?? false)
      } else {
        let second = try Self.second(form.hour ?? -1, form.minute ?? -1, form.second ?? -1)
        var days = Days.weekdays(form.weekdays ?? [])
        if let year = form.year, let month = form.month, let day = form.day, form.weekdays == nil {
          days = .date(year: year, month: month, day: day)
        }
        schedule = try WallSchedule(days, seconds: [second])
      }
      self = try schedule.with {
        $0.step = form.step.map { Rules.Step(of: $0, from: form.firstDay ?? 0) }
        $0.lastDay = min($0.lastDay, form.lastDay ?? .max)
        $0.excludedDays = Set(form.excludedDays ?? []).sorted()
      }
      if let timeZone = form.timeZone { rules.timeZone = try TimeZoneRules(timeZone) }
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let rules = rules
    var form = Form(
      step: step, firstDay: rules.step?.first, lastDay: lastDay, cron: rules.cron,
      timeZone: timeZone?.identifier)
    if !rules.excludedDays.isEmpty { form.excludedDays = rules.excludedDays }
    if rules.times.count == 1, date != nil || weekdays != nil {
      (form.year, form.month, form.day) = (date?.year, date?.month, date?.day)
      (form.weekdays, form.hour, form.minute, form.second) = (weekdays, hour, minute, second)
    } else if rules.cron == nil {
      (form.days, form.times, form.followsClock) = (days, rules.times, rules.followsClock)
    }
    try form.encode(to: encoder)
  }
}
