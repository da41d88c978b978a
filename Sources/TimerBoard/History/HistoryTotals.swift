import TimerKit

/// The totals of a history: for each day, week and name.
///
/// A stretch is counted on the day on which it began; its time is counted on the days on which it passed. So the times
/// are exact to the millisecond across midnight and daylight saving.
package struct HistoryTotals {
  package struct Total: Hashable, Sendable {
    /// The time in milliseconds.
    package var activeTime: Int64 = 0
    package var stretches = 0
    package var finished = 0
    package var interruptions = 0

    package mutating func add(_ other: Total) {
      activeTime = activeTime.addingSaturated(other.activeTime)
      stretches += other.stretches
      finished += other.finished
      interruptions = interruptions.addingSaturated(other.interruptions)
    }
  }

  package let filter: HistoryFilter
  package private(set) var all = Total()
  package private(set) var days: [CivilDate: Total] = [:]
  package private(set) var names: [String: Total] = [:]
  /// The stretch with the most time.
  package private(set) var longest: StretchRecord?
  private var calendar: LocalCalendar

  package init(_ filter: HistoryFilter, calendar: LocalCalendar) {
    self.filter = filter
    self.calendar = calendar
  }

  package mutating func add(_ record: StretchRecord) {
    guard filter.includes(record) else { return }
    var total = Total()
    let start = calendar.segment(at: record.start).day
    if filter.includes(start) {
      total.stretches = 1
      total.finished = record.ending == .finished ? 1 : 0
      total.interruptions = record.interruptions
      days[start, default: Total()].add(total)
      if record.activeTime > longest?.activeTime ?? -1 { longest = record }
    }
    record.forEachActivePart { part in
      calendar.split(part) { day, time in
        guard filter.includes(day) else { return }
        days[day, default: Total()].add(Total(activeTime: time))
        total.add(Total(activeTime: time))
      }
    }
    guard total != Total() else { return }
    names[record.timer, default: Total()].add(total)
    all.add(total)
  }

  /// The totals of the weeks, by their Mondays.
  package var weeks: [CivilDate: Total] {
    days.reduce(into: [:]) { $0[$1.key.startOfWeek, default: Total()].add($1.value) }
  }

  /// The days on which any time was counted, the first one first.
  package var activeDays: [CivilDate] { days.filter { $0.value.activeTime > 0 }.keys.sorted() }

  /// Returns a time rounded to seconds: `5:03`, `412:03:20`. Hours are not converted to days.
  package static func timeText(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0)
    return TimeText.clock(seconds, showsTenths: false, showsDays: false)
  }
}

/// Consecutive days on which any time was counted.
package struct Streaks: Hashable, Sendable {
  /// The number of days up to today, or up to yesterday if nothing was counted today yet.
  package private(set) var current = 0
  package private(set) var longest = 0
  /// The first day of the longest streak.
  package private(set) var longestStart: CivilDate?

  /// - Parameter days: The days in order.
  package init(_ days: [CivilDate], today: CivilDate) {
    var length = 0
    for (index, day) in days.enumerated() {
      length = index > 0 && days[index - 1].advanced(by: 1) == day ? length + 1 : 1
      if length > longest {
        longest = length
        longestStart = day.advanced(by: 1 - length)
      }
      if day == today || day == today.advanced(by: -1) { current = length }
    }
  }
}
