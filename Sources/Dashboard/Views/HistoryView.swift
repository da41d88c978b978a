import TerminalCore
package import TimerBoard
import TimerKit

extension DashboardView {
  static let history = DashboardView(
    scope: .history, key: "5", action: .showHistory,
    bindings: [
      Binding([.up, "k"], .up, "move up (newer)", footer: "day", rank: 2),
      Binding([.down, "j"], .down, "move down (older)", footer: "day", rank: 2),
      Binding([.left, "h"], .scrollLeft, "go back a week", footer: "week", rank: 3),
      Binding([.right, "l"], .scrollRight, "go forward a week", footer: "week", rank: 3),
      Binding(["g", .home], .top, "go to today"),
      Binding(["G", .end], .bottom, "go to oldest day"),
      Binding([.pageUp, "b", .control("u")], .pageUp, "page up"),
      Binding([.pageDown, .space, .control("d")], .pageDown, "page down"),
      Binding([.enter], .openDay, "open / close list of day", footer: "open", rank: 2),
      Binding(["/"], .filter, "filter", footer: "filter", rank: 2),
      Binding([.escape], .leave, "close list / clear filter / back", footer: "back", rank: 1),
    ],
    filter: \Dashboard.historyState.filter, place: { $0.placeTitleLine(of: $1) },
    draw: { $0.drawHistory() },
    nextChange: { $0.dashboard.historyState.matchingNames.isEmpty ? nil : $0.nextMidnight },
    perform: { $0.performInHistory($1, at: $2) },
    applies: { $0.appliesInHistory($1) },
    footerLabel: { dashboard, action in
      guard dashboard.historyState.listOffset != nil else { return nil }
      return action == .openDay ? "close" : action == .up || action == .down ? "scroll" : nil
    })
}

extension Dashboard {
  /// A Boolean value that indicates whether the history is shown and was not read yet.
  package var needsHistory: Bool { view == .history && historyState.history == nil }

  /// Adds lines that were written since the history was read.
  package mutating func addToHistory(_ lines: [HistoryLine], calendar: inout LocalCalendar) {
    historyState.history?.apply(lines, calendar: &calendar)
  }

  /// Returns true if an action of the history has an effect. Left and right select the day a week earlier or later,
  /// which they do not while the list of a day is open.
  func appliesInHistory(_ action: Action) -> Bool {
    historyState.listOffset == nil || (action != .scrollLeft && action != .scrollRight)
  }

  fileprivate mutating func performInHistory(_ action: Action, at now: ClockReading) -> [Effect] {
    guard appliesInHistory(action) else { return [] }
    let page = max(1, ScreenLayout(of: self).body.height)
    let today = LocalTime(now).date
    let length = historyLength(lastDay: today)
    if let lines = action.scrollDistance(page: page, length: length) {
      moveInHistory(by: lines, lastDay: today)
      return []
    }
    switch action {
    case .scrollLeft: moveInHistory(by: 7, lastDay: today)
    case .scrollRight: moveInHistory(by: -7, lastDay: today)
    case .openDay: historyState.listOffset = historyState.listOffset == nil ? 0 : nil
    case .filter: prompt = .filter
    default:
      if historyState.listOffset != nil {
        historyState.listOffset = nil
      } else if !historyState.filter.isEmpty {
        historyState.filter = .forFilter
      } else {
        show(.board)
      }
    }
    return []
  }

  /// Returns the number of days, or of the stretches in the open list of a day.
  private func historyLength(lastDay today: CivilDate) -> Int {
    guard historyState.listOffset != nil else { return historyState.dayCount(lastDay: today) }
    let daysAgo = historyState.selectedDaysAgo(lastDay: today)
    return historyState.stretches(on: today.advanced(by: -daysAgo)).count
  }

  /// Selects another day, or scrolls the open list of a day.
  private mutating func moveInHistory(by count: Int, lastDay today: CivilDate) {
    guard let offset = historyState.listOffset else {
      return historyState.moveSelection(by: count, lastDay: today)
    }
    let last = historyLength(lastDay: today) - ScreenLayout(of: self).body.height
    historyState.listOffset = min(max(0, last), max(0, offset + count))
  }
}

extension Frame {
  private var today: CivilDate { LocalTime(now).date }
  private var selectedDay: CivilDate {
    today.advanced(by: -dashboard.historyState.selectedDaysAgo(lastDay: today))
  }

  private var historyArea: Rect { layout.body.inset(by: inset) }

  /// Draws the history: the heat map of the year, the days as bars, the totals of each name and the stretches of the
  /// selected day, as far as there is room.
  func drawHistory() {
    let state = dashboard.historyState
    let total = Self.time(state.times.values.reduce(0, +))
    drawTitleLine(
      state.listOffset != nil && !state.matchingNames.isEmpty
        ? "history of \(dayText(selectedDay))"
        : state.history == nil ? "history" : "history, \(total) in the last year\(goalText(state))",
      state.filter, matchCount: state.matchingNames.count, of: state.history?.names.count ?? 0)
    let area = historyArea
    guard !area.isEmpty else { return }
    guard !state.matchingNames.isEmpty else {
      let text =
        state.history == nil
        ? "reading the history …"
        : state.history?.names.isEmpty ?? true ? dashboard.options.emptyHistoryText : "no matches"
      return write(text, .faint, in: area)
    }
    if let offset = state.listOffset {
      drawStretches(of: selectedDay, from: offset, in: area)
    } else {
      drawHistoryParts(state, in: area)
    }
  }

  /// Returns the areas of the days and, if there is room for them, of the heat map above and of the selected day beside
  /// them.
  private func historyParts(of area: Rect) -> (heat: Rect?, days: Rect, selected: Rect?) {
    let hasHeat = area.height >= 16 && area.width >= 44
    let (top, below) = area.splitTop(hasHeat ? HeatMapView.height + 1 : 0)
    let heat = hasHeat ? top : nil
    guard below.width >= 72, below.height >= 6 else { return (heat, below, nil) }
    let (left, right) = below.splitLeft(below.width / 2 - 1)
    return (heat, left, right.splitLeft(2).rest)
  }

  private func drawHistoryParts(_ state: HistoryState, in area: Rect) {
    let (heat, days, column) = historyParts(of: area)
    if let heat {
      HeatMapView(self, in: heat, until: today).draw(selected: selectedDay)
    }
    drawDays(state, in: days)
    guard let column else { return }
    let nameHeight = min(state.totals.count, (column.height - 2) / 2)
    let (names, list) = column.splitTop(nameHeight + 1)
    drawNames(state, in: names)
    let (rule, stretches) = list.splitTop(1)
    drawRule(dayText(selectedDay), in: rule)
    guard let goal = dashboard.options.dailyGoal else {
      return drawStretches(of: selectedDay, from: 0, in: stretches)
    }
    let (line, below) = stretches.splitTop(1)
    let time = state.times[selectedDay] ?? 0
    let text = TextLine(Self.time(time), .emphasized)
      .adding(" of \(DurationText.text(goal))", .faint)
    draw(text, time, of: max(1, goal.clampedNanoseconds / 1_000_000), in: line)
    drawStretches(of: selectedDay, from: 0, in: below)
  }

  /// Returns the day at a point of the heat map or of the list of days; `nil` if there is none.
  func historyDay(at point: Point) -> CivilDate? {
    let state = dashboard.historyState
    let area = historyArea
    guard dashboard.view == .history, state.listOffset == nil, !state.matchingNames.isEmpty,
      area.contains(point)
    else { return nil }
    let (heat, days, _) = historyParts(of: area)
    if let heat, heat.contains(point) {
      return HeatMapView(self, in: heat, until: today).day(at: point)
    }
    let ago = firstDayAgo(state, in: days) + point.y - days.y
    return days.contains(point) && ago < state.dayCount(lastDay: today)
      ? today.advanced(by: -ago) : nil
  }

  /// Returns the time of today with the daily goal, `, today 1:20:00 of 2h`; empty without a goal.
  private func goalText(_ state: HistoryState) -> String {
    guard let goal = dashboard.options.dailyGoal else { return "" }
    return ", today \(Self.time(state.times[today] ?? 0)) of \(DurationText.text(goal))"
  }

  /// Returns the number of days from the first one in the list to today.
  private func firstDayAgo(_ state: HistoryState, in area: Rect) -> Int {
    let index = state.selectedDaysAgo(lastDay: today)
    return min(
      max(0, index - area.height / 2), max(0, state.dayCount(lastDay: today) - area.height))
  }

  /// Draws the days as bars, the newest first.
  private func drawDays(_ state: HistoryState, in area: Rect) {
    let count = state.dayCount(lastDay: today)
    let index = state.selectedDaysAgo(lastDay: today)
    let first = firstDayAgo(state, in: area)
    let hasYear = area.width >= 50
    for line in 0..<min(area.height, count - first) {
      let day = today.advanced(by: -(first + line))
      let isSelected = first + line == index
      let time = state.times[day] ?? 0
      var text = TextLine()
      text.add(isSelected ? symbols.selection : "", .rowSymbol, filling: 2)
      text.add(
        hasYear ? dayText(day) : "\(day.weekdayName) \(day.text.dropFirst(5))",
        isSelected ? .selectedName : .text)
      text.add(
        time > 0 ? Self.time(time) : symbols.heat[0], time > 0 ? .text : .faint, filling: 10,
        alignedRight: true)
      draw(text, time, of: state.maximumDailyTime, in: area.line(line))
    }
  }

  /// Draws the names with their times, the longest time first.
  private func drawNames(_ state: HistoryState, in area: Rect) {
    let (rule, rest) = area.splitTop(1)
    drawRule("names", in: rule)
    let most = state.totals.first?.activeTime ?? 0
    let nameWidth = min(24, max(8, rest.width / 3))
    for (line, total) in state.totals.prefix(rest.height).enumerated() {
      var text = TextLine(total.name.truncated(to: nameWidth).padded(to: nameWidth))
      text.add(Self.time(total.activeTime), filling: 11, alignedRight: true)
      text.add("\(total.stretches)×", filling: 7, alignedRight: true)
      draw(text, total.activeTime, of: most, in: rest.line(line))
    }
  }

  /// Draws a text with the bar of its time.
  private func draw(_ text: TextLine, _ time: Int64, of most: Int64, in line: Rect) {
    draw(text, x: line.x, y: line.y, limit: line.width)
    let x = line.x + text.width + 2
    let width = line.maxX - x
    guard width > 0, time > 0, most > 0 else { return }
    let part = max(1 / Double(width), Double(time) / Double(most))
    drawBar(part, .bar, x: x, width: width, y: line.y)
  }

  /// Draws the stretches of a day, one on each line: start, name, time and ending.
  private func drawStretches(of day: CivilDate, from offset: Int, in area: Rect) {
    let stretches = dashboard.historyState.stretches(on: day)
    guard !stretches.isEmpty else {
      return write("nothing recorded on that day", .faint, in: area)
    }
    let hasEnd = area.width >= 60
    let nameWidth = max(6, min(28, area.width - (hasEnd ? 44 : 28)))
    for (line, stretch) in stretches.dropFirst(offset).prefix(area.height).enumerated() {
      let start = timeOfDayText(stretch.startInDay)
      let name = dashboard.historyState.name(of: stretch).truncated(to: nameWidth)
      var ending = stretch.ending.rawValue
      if stretch.interruptions > 0, hasEnd {
        ending += ", \(counted(Int(stretch.interruptions), "pause"))"
      }
      var text = TextLine(hasEnd ? "\(start) – \(timeOfDayText(stretch.endInDay))" : start, .faint)
      text.add("  ")
      text.add(name, filling: nameWidth)
      text.add(Self.time(stretch.activeTime), .emphasized, filling: 9, alignedRight: true)
      text.add("  ")
      text.add(ending, stretch.ending == .finished ? .finished : .paused)
      draw(text, x: area.x, y: area.y + line, limit: area.width)
    }
  }

  private func write(_ text: String, _ role: Role, in area: Rect) {
    write(text, role, x: area.x, y: area.y, limit: area.width)
  }

  /// Returns a day: `Sun 2026-11-22`.
  private func dayText(_ day: CivilDate) -> String { "\(day.weekdayName) \(day.text)" }

  private func timeOfDayText(_ millisecondOfDay: Int64) -> String {
    let second = Int(millisecondOfDay / 1000) % 86_400
    let time = TimeText.timeOfDay(second, uses24Hours: dashboard.options.uses24Hours)
    return time.padded(to: dashboard.options.uses24Hours ? 5 : 8, alignedRight: true)
  }

  /// Returns a time in hours, minutes and seconds.
  private static func time(_ milliseconds: Int64) -> String {
    HistoryTotals.timeText(milliseconds)
  }
}

extension Rect {
  /// Returns one of its lines, counted from 0.
  fileprivate func line(_ index: Int) -> Rect { Rect(x: x, y: y + index, width: width, height: 1) }
}
