package import Fuzzing
package import TimerBoard
package import TimerKit

extension WallSchedule {
  /// Returns a schedule for a valid time of day.
  package static func daily(
    _ hour: Int, _ minute: Int = 0, _ second: Int = 0, on days: Weekdays = .all
  ) -> WallSchedule {
    do {
      return try .weekdays(days, hour: hour, minute: minute, second: second)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns a schedule for a valid date.
  package static func date(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
  ) -> WallSchedule {
    do {
      return try .at(year: year, month: month, day: day, hour: hour, minute: minute)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension WallSchedule {
  /// Returns a schedule that the grammar can write, and that repeats; `nil` if the random one never occurs.
  fileprivate static func random(using random: inout SplitMix) -> WallSchedule? {
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let weekday = Weekdays(rawValue: 1 << UInt8(number(0..<7)))
    let week = [1, 2, 3, 4, 5, -1][number(0..<6)]
    let days: Days =
      switch number(0..<6) {
      case 4: .ofYear(month: number(1..<13), day: number(1..<32))
      case 5: .ofMonth(Set((0..<3).map { _ in number(1..<32) }).sorted())
      case 0: .weekdays(.all)
      case 1: .weekdays(Weekdays(rawValue: UInt8(number(1..<128))))
      case 2: .nth(week, weekday)
      default: .ofMonth([week])
      }
    let times = (0..<number(1..<4)).map { _ in (hour: number(0..<24), minute: number(0..<60)) }
    let zones = ["UTC", "Europe/Berlin", "Pacific/Apia"].map { try? TimeZoneRules($0) }
    let zone = number(0..<2) == 0 ? nil : zones[number(0..<3)]
    let schedule =
      switch number(0..<3) {
      case 0: try? WallSchedule(days, at: times)
      case 1:
        try? WallSchedule(days, every: .minutes(number(1..<700)), from: times[0], through: (23, 59))
      default:
        try? WallSchedule(cron: "*/\(number(1..<60)) \(number(0..<24)) * \(number(1..<13)) *")
      }
    guard var schedule else { return nil }
    let first = Calendar.date(number(10_000..<30_000))
    let step: Step? =
      switch (schedule.days, number(0..<2)) {
      case (.weekdays(.all), 0) where schedule.interval == nil: .days(number(2..<400))
      case (.weekdays, 0) where schedule.interval == nil: .weeks(number(2..<60))
      default: nil
      }
    if let step,
      let stepped = try? schedule.every(
        step, fromYear: first.year, month: first.month, day: first.day)
    {
      schedule = stepped
    }
    let last = Calendar.date(number(30_000..<50_000))
    if number(0..<3) == 0,
      let limited = try? schedule.until(year: last.year, month: last.month, day: last.day)
    {
      schedule = limited
    }
    return schedule.inTimeZone(zone)
  }
}

extension TimerSpec {
  /// Returns a timer with random settings that the grammar accepts for its kind.
  package static func random(using random: inout SplitMix) -> TimerSpec {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func text() -> String {
      let pieces = [
        "a", "tea", "noon", "min", "@", ":", "pomodoro", "'", "\"", "\\", " ", "=", "x8", "3m",
        "note", "\n", "\u{301}", "é", "每", "👍🏽",
        "\u{1b}",
      ]
      return (0..<Int.random(in: 1...5, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    // Neither blank nor with a line break.
    func name() -> String {
      let name = text()
      return TimerSpec.problem(ofName: name) == nil ? name : "tea"
    }
    func interval() -> Duration {
      .milliseconds(Int64.random(in: 1...10_000_000_000, using: &random))
    }
    let count = chance(2) ? nil : Int.random(in: 1...1_000, using: &random)
    let kind: TimerSpec.Kind
    let dayTime = Int.random(in: 0..<86_400, using: &random)
    switch Int.random(in: 0..<15, using: &random) {
    case 13...14:
      guard let schedule = WallSchedule.random(using: &random) else { fallthrough }
      kind = .daily(schedule, count: count)
    case 10:
      let day = WallSchedule.Weekdays(rawValue: 1 << UInt8.random(in: 0..<7, using: &random))
      kind = .at(
        .daily(dayTime / 3600, dayTime / 60 % 60, dayTime % 60, on: chance(2) ? .all : day))
    case 11:
      kind = .at(
        .date(
          Int.random(in: 1700...2200, using: &random), Int.random(in: 1...12, using: &random),
          Int.random(in: 1...28, using: &random), dayTime / 3600, dayTime / 60 % 60))
    case 12:
      let days = WallSchedule.Weekdays(rawValue: UInt8.random(in: 1...127, using: &random))
      kind = .daily(
        .daily(dayTime / 3600, dayTime / 60 % 60, chance(2) ? dayTime % 60 : 0, on: days),
        count: count)
    case 0...1: kind = .once(interval())
    case 2...3: kind = .every(interval(), count: count)
    case 4:
      let phases = Int.random(in: 1...4, using: &random)
      let cycle = TimerSpec.Kind.cycle(
        (0..<phases).map { index in
          Cycle.Phase(
            chance(2) ? text() : phases > 2 ? "phase \(index + 1)" : ["work", "rest"][index],
            interval())
        }, rounds: count)
      if phases == 2, count ?? 1 <= 100, chance(2), case .cycle(var family) = cycle {
        family.longRest = interval()
        kind = .cycle(family)
      } else {
        kind = cycle
      }
    case 5: kind = .stopwatch
    case 6:
      kind = .debounce(
        interval(), maxWait: chance(2) ? interval() : nil,
        edges: DebounceEdges.allCases.randomElement(using: &random) ?? .both)
    case 7:
      kind = .throttle(
        interval(), mode: chance(2) ? .fromDelivery : .deferred, keeps: chance(2) ? .first : .latest
      )
    case 8: kind = .coalesce(interval())
    default: kind = .idle(interval())
    }
    var spec = TimerSpec(kind)
    spec.name = chance(2) ? name() : nil
    spec.note = chance(3) ? (chance(5) ? "" : text()) : nil
    if case .triggered = kind {} else { spec.isPaused = chance(3) }
    if let repeater = kind.repeater, !(repeater.isOnce && repeater.schedule != nil) {
      spec.missedTicks = chance(3) ? .delay : chance(3) ? .burst(limit: 7) : .skip
    }
    if let repeater = kind.repeater, !repeater.isOnce {
      spec.startsNow = repeater.schedule == nil && chance(3)
      if chance(3) { spec.jitter = min(.seconds(1), repeater.interval ?? .seconds(1)) }
    }
    let end = spec.fireCount
    if kind != .stopwatch {
      if chance(3), spec.clock == .continuous { spec.countsOnlyAwake = true }
      if chance(3) { spec.tolerance = .milliseconds(Int64.random(in: 1...100_000, using: &random)) }
      spec.command = chance(3) ? "!" + text() : nil
      spec.sound =
        chance(2) ? .standard : TimerSpec.Sound.allCases.randomElement(using: &random) ?? .ring
    }
    if let interval = kind.repeater?.interval, !kind.hasOvertime, spec.command != nil, chance(2) {
      spec.backoff = interval * 2
    }
    if chance(3) { spec.hooks.append(TimerSpec.Hook(event: .paused, command: "!" + text())) }
    if chance(5) { spec.hooks.append(TimerSpec.Hook(event: .finished, command: "!" + text())) }
    if end != nil, chance(3) {
      spec.successor = text()
      if chance(2) { spec.chainCount = Int.random(in: 1...1_000, using: &random) }
    }
    // No group has the name of a timer.
    if chance(4) { spec.group = (chance(3) ? "5m" : "laundry") + name() }
    if spec.acceptsWait, chance(4) { spec.waits = true }
    return spec
  }
}
