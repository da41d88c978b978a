import TimerBoard

/// The state of the history view: its data, the selected day and the filter.
struct HistoryState: Sendable {
  /// The history of the last year; `nil` until it was read.
  var history: HistoryIndex? {
    didSet { refresh() }
  }
  /// The number of days from the chosen day to today. A filter can leave fewer days.
  private var daysAgo = 0
  /// The number of stretches by which the list of the selected day is scrolled; `nil` while the list is closed.
  var listOffset: Int?
  var filter = LineEditor.forFilter {
    didSet {
      listOffset = listOffset.map { _ in 0 }
      refresh()
    }
  }
  /// The indices of the names that match the filter.
  private(set) var matchingNames: Set<Int32> = []
  /// The time without pauses of the matching names on each day, in milliseconds, and its maximum.
  private(set) var times: [CivilDate: Int64] = [:]
  private(set) var maximumDailyTime: Int64 = 0
  /// The totals of each matching name, the longest time first.
  private(set) var totals: [(name: String, activeTime: Int64, stretches: Int)] = []

  private mutating func refresh() {
    guard let history else { return }
    matchingNames = history.names(matching: SearchQuery(filter.text))
    times = history.times(of: matchingNames)
    maximumDailyTime = times.values.max() ?? 0
    totals = history.totals(of: matchingNames, in: history.firstDay...CivilDate(day: .max))
  }

  /// Returns the stretches of matching names that began on a day.
  func stretches(on day: CivilDate) -> [HistoryIndex.Stretch] {
    history?.stretches(on: day, of: matchingNames) ?? []
  }

  /// Returns the number of days from the first one with any time to today, both included; at most
  /// ``HistoryIndex/dayLimit``.
  func dayCount(lastDay today: CivilDate) -> Int {
    let first = times.keys.min() ?? today
    return min(HistoryIndex.dayLimit, max(0, today.day - first.day) + 1)
  }

  /// Returns the number of days from the selected day, among those that match the filter, to today.
  func selectedDaysAgo(lastDay today: CivilDate) -> Int {
    min(daysAgo, dayCount(lastDay: today) - 1)
  }

  /// Selects another of the days that match the filter.
  mutating func moveSelection(by days: Int, lastDay today: CivilDate) {
    let last = dayCount(lastDay: today) - 1
    daysAgo = min(last, max(0, selectedDaysAgo(lastDay: today) + days))
  }

  func name(of stretch: HistoryIndex.Stretch) -> String {
    guard let names = history?.names, names.indices.contains(Int(stretch.nameIndex)) else {
      return ""
    }
    return names[Int(stretch.nameIndex)]
  }
}
