import TerminalCore
import TimerBoard
import TimerKit

extension Frame {
  private var today: CivilDate { CivilDate(day: LocalTime(now).dayNumber) }
  private var selectedDay: CivilDate {
    today.advanced(by: -dashboard.historyState.selectedDaysAgo(lastDay: today))
  }

  /// Draws the history: the heat map of the year, the days as bars, the totals of each name and the stretches of the
  /// selected day, as far as there is room.
  func drawHistory(on canvas: inout Canvas) {
    let state = dashboard.historyState
    if let area = layout.titleLine, !area.isEmpty { drawHistoryTitle(state, on: &canvas, in: area) }
    let body = layout.body
    let area = Rect(
      x: body.x + inset, y: body.y, width: body.width - 2 * inset, height: body.height)
    guard !area.isEmpty else { return }
    guard !state.matchingNames.isEmpty else {
      let text =
        state.history == nil
        ? "reading the history …"
        : state.history?.names.isEmpty ?? true ? dashboard.options.emptyHistoryText : "no matches"
      return write(text, .faint, on: &canvas, in: area)
    }
    if let offset = state.listOffset {
      drawStretches(of: selectedDay, from: offset, on: &canvas, in: area)
    } else {
      drawHistoryParts(state, on: &canvas, in: area)
    }
  }

  private func drawHistoryTitle(_ state: HistoryState, on canvas: inout Canvas, in area: Rect) {
    if dashboard.isTypingFilter || !state.filter.isEmpty {
      let count = "\(state.matchingNames.count) of \(state.history?.names.count ?? 0)"
      return drawFilter(state.filter, countText: count, on: &canvas, y: area.y)
    }
    let total = state.times.values.reduce(0, +)
    let title =
      state.listOffset != nil && !state.matchingNames.isEmpty
      ? "history of \(dayText(selectedDay))"
      : state.history == nil ? "history" : "history, \(Self.time(total)) in the last year"
    let line = Rect(x: inset, y: area.y, width: area.width - 2 * inset, height: 1)
    drawRule(title, on: &canvas, in: line)
  }

  private func drawHistoryParts(_ state: HistoryState, on canvas: inout Canvas, in area: Rect) {
    var rest = area
    if area.height >= 16, area.width >= 44 {
      let (top, below) = area.splitTop(9)
      drawHeatMap(state, on: &canvas, in: top)
      rest = below
    }
    guard rest.width >= 72, rest.height >= 6 else {
      return drawDays(state, on: &canvas, in: rest)
    }
    let (left, right) = rest.splitLeft(rest.width / 2 - 1)
    drawDays(state, on: &canvas, in: left)
    let column = right.splitLeft(2).rest
    let nameHeight = min(state.totals.count, (column.height - 2) / 2)
    let (names, list) = column.splitTop(nameHeight + 1)
    drawNames(state, on: &canvas, in: names)
    let (rule, stretches) = list.splitTop(1)
    drawRule(dayText(selectedDay), on: &canvas, in: rule)
    drawStretches(of: selectedDay, from: 0, on: &canvas, in: stretches)
  }

  /// Draws the weeks as columns, the last one on the right, with the selected day highlighted.
  private func drawHeatMap(_ state: HistoryState, on canvas: inout Canvas, in area: Rect) {
    let cellWidth = area.width - 5 >= 106 ? 2 : 1
    let weeks = min(53, (area.width - 5) / cellWidth)
    let map = HeatMap(weeks: weeks, until: today, times: state.times)
    let x = area.x + 5
    canvas.write(map.monthLine(cellWidth: cellWidth), x: x, y: area.y, style: theme[.faint])
    for weekday in 0..<7 {
      let y = area.y + 1 + weekday
      canvas.write(
        map.day(week: 0, weekday: weekday).weekdayName, x: area.x, y: y, style: theme[.faint])
      for week in 0..<map.weekCount {
        guard let level = map.level(week: week, weekday: weekday) else { continue }
        let isSelected = map.day(week: week, weekday: weekday) == selectedDay
        let style = isSelected ? theme[.key] : theme[level == 0 ? .faint : .bar]
        canvas.write(symbols.heat[level], x: x + week * cellWidth, y: y, style: style)
      }
    }
  }

  /// Draws the days as bars, the newest first.
  private func drawDays(_ state: HistoryState, on canvas: inout Canvas, in area: Rect) {
    let count = state.dayCount(lastDay: today)
    let index = state.selectedDaysAgo(lastDay: today)
    let first = min(max(0, index - area.height / 2), max(0, count - area.height))
    let hasYear = area.width >= 50
    for line in 0..<min(area.height, count - first) {
      let day = today.advanced(by: -(first + line))
      let y = area.y + line
      let isSelected = first + line == index
      if isSelected {
        canvas.write(symbols.selection, x: area.x, y: y, style: theme[.rowSymbol])
      }
      let text = hasYear ? dayText(day) : "\(day.weekdayName) \(day.text.dropFirst(5))"
      canvas.write(
        text, x: area.x + 2, y: y, style: theme[isSelected ? .selectedName : .text],
        limit: max(0, area.width - 2))
      let time = state.times[day] ?? 0
      let timeText = time > 0 ? Self.time(time) : symbols.noTime
      let timeEnd = area.x + 2 + text.utf8.count + 10
      let timeX = timeEnd - timeText.cellWidth
      canvas.write(
        timeText, x: timeX, y: y, style: theme[time > 0 ? .text : .faint],
        limit: max(0, area.maxX - timeX))
      drawBar(
        time, of: state.maximumDailyTime, x: timeEnd + 2, width: area.maxX - timeEnd - 2, y: y,
        on: &canvas)
    }
  }

  private func drawBar(
    _ time: Int64, of most: Int64, x: Int, width: Int, y: Int, on canvas: inout Canvas
  ) {
    guard width > 0, time > 0, most > 0 else { return }
    let halves = min(2 * width, max(1, Int(Double(time) / Double(most) * Double(width * 2))))
    drawBar(halves: halves, role: .bar, x: x, width: width, y: y, on: &canvas)
  }

  private func drawNames(_ state: HistoryState, on canvas: inout Canvas, in area: Rect) {
    let (rule, rest) = area.splitTop(1)
    drawRule("names", on: &canvas, in: rule)
    let most = state.totals.first?.activeTime ?? 0
    let nameWidth = min(24, max(8, rest.width / 3))
    for (line, total) in state.totals.prefix(rest.height).enumerated() {
      let y = rest.y + line
      canvas.write(
        total.name.truncated(to: nameWidth), x: rest.x, y: y, style: theme[.text], limit: nameWidth)
      let columns = [(Self.time(total.activeTime), 11), ("\(total.stretches)×", 7)]
      var x = rest.x + nameWidth
      for (text, width) in columns {
        x += width
        canvas.write(text, x: x - text.cellWidth, y: y, style: theme[.text])
      }
      drawBar(total.activeTime, of: most, x: x + 2, width: rest.maxX - x - 2, y: y, on: &canvas)
    }
  }

  /// Draws the stretches of a day, one on each line: start, name, time and ending.
  private func drawStretches(
    of day: CivilDate, from offset: Int, on canvas: inout Canvas, in area: Rect
  ) {
    let stretches = dashboard.historyState.stretches(on: day)
    guard !stretches.isEmpty else {
      return write("nothing recorded on that day", .faint, on: &canvas, in: area)
    }
    let hasEnd = area.width >= 60
    let nameWidth = max(6, min(28, area.width - (hasEnd ? 44 : 28)))
    for (line, stretch) in stretches.dropFirst(offset).prefix(area.height).enumerated() {
      let y = area.y + line
      var x = area.x
      let start = timeOfDayText(stretch.startInDay)
      let times = hasEnd ? "\(start) – \(timeOfDayText(stretch.endInDay))" : start
      canvas.write(times, x: x, y: y, style: theme[.faint], limit: area.maxX - x)
      x += times.cellWidth + 2
      canvas.write(
        dashboard.historyState.name(of: stretch).truncated(to: nameWidth), x: x, y: y,
        style: theme[.text], limit: max(0, min(nameWidth, area.maxX - x)))
      x += nameWidth + 9
      let time = Self.time(stretch.activeTime)
      canvas.write(
        time, x: x - time.utf8.count, y: y, style: theme[.emphasized],
        limit: max(0, area.maxX - x + time.utf8.count))
      x += 2
      var ending = stretch.ending.rawValue
      if stretch.interruptions > 0, hasEnd {
        ending += ", \(counted(Int(stretch.interruptions), "pause"))"
      }
      canvas.write(
        ending, x: x, y: y, style: theme[stretch.ending == .finished ? .finished : .paused],
        limit: max(0, area.maxX - x))
    }
  }

  private func write(_ text: String, _ role: Role, on canvas: inout Canvas, in area: Rect) {
    canvas.write(text, x: area.x, y: area.y, style: theme[role], limit: area.width)
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

extension HistoryState {
  func name(of stretch: HistoryIndex.Stretch) -> String {
    guard let names = history?.names, names.indices.contains(Int(stretch.nameIndex)) else {
      return ""
    }
    return names[Int(stretch.nameIndex)]
  }
}
