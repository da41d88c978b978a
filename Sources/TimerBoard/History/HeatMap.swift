/// A calendar of weeks as columns and days of the week as rows, each day with a level of its time.
package struct HeatMap: Hashable, Sendable {
  /// The number of levels: 0 for no time, then the quarters of the most time of a day.
  package static let levelCount = 5

  /// The first day of the first week.
  package let start: CivilDate
  package let weekCount: Int
  private let end: CivilDate
  private let levels: [CivilDate: Int]

  /// - Parameters:
  ///   - weeks: The number of weeks, of which the last one contains `end`.
  ///   - times: The milliseconds of each day.
  package init(weeks: Int, until end: CivilDate, times: [CivilDate: Int64]) {
    weekCount = max(1, weeks)
    self.end = end
    let start = end.startOfWeek.advanced(by: -7 * (weekCount - 1))
    self.start = start
    let shown = times.filter { $0.key >= start && $0.key <= end && $0.value > 0 }
    let most = Double(shown.values.max() ?? 1)
    levels = shown.mapValues { min(4, max(1, Int((Double($0) / most * 4).rounded(.up)))) }
  }

  package func day(week: Int, weekday: Int) -> CivilDate { start.advanced(by: 7 * week + weekday) }

  /// Returns the level of a day; `nil` for a day after the end.
  package func level(week: Int, weekday: Int) -> Int? {
    let day = day(week: week, weekday: weekday)
    return day > end ? nil : levels[day] ?? 0
  }

  /// Returns the names of the months, each over the week in which it begins. A week is `cellWidth` cells wide.
  package func monthLine(cellWidth: Int) -> String {
    var line = ""
    for week in 0..<weekCount {
      // The month of a week is that of its first day in a new month, if there is one.
      let (first, last) = (day(week: week, weekday: 0), day(week: week, weekday: 6))
      let begins = first.yearMonthDay.day == 1 || last.monthName != first.monthName || week == 0
      guard begins, line.utf8.count <= week * cellWidth else { continue }
      // A month of a few days would leave no room for the name of the next one.
      let next = week == 0 ? 1..<max(1, min(weekCount, (3 + cellWidth) / cellWidth)) : 0..<0
      if next.contains(where: { day(week: $0, weekday: 6).monthName != last.monthName }) {
        continue
      }
      let name = week == 0 && last.monthName == first.monthName ? first.monthName : last.monthName
      guard week * cellWidth + name.utf8.count <= weekCount * cellWidth + 1 else { continue }
      line += String(repeating: " ", count: week * cellWidth - line.utf8.count) + name + " "
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
