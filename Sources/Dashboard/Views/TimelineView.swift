import TerminalCore
import TimerBoard
import TimerKit

extension DashboardView {
  static let timeline = DashboardView(
    scope: .timeline, key: "3", action: .showTimeline,
    bindings: [
      Binding(["+"], .zoomIn, "zoom in", footer: "zoom", rank: 2),
      Binding(["-", "_"], .zoomOut, "zoom out", footer: "zoom", rank: 2),
      Binding(["="], .zoomToFit, "zoom to next ends", footer: "fit", rank: 3),
      Binding([.left], .cursorEarlier, "move cursor to past", footer: "cursor", rank: 2),
      Binding([.right], .cursorLater, "move cursor to future", footer: "cursor", rank: 2),
      Binding(["h"], .scrollLeft, "scroll to past", footer: "scroll", rank: 4),
      Binding(["l"], .scrollRight, "scroll to future", footer: "scroll", rank: 4),
      Binding(["0"], .scrollToNow, "go to now", footer: "now", rank: 3),
      Binding([.escape], .leave, "hide cursor / go to now / back", footer: "back", rank: 1),
    ],
    hasTimerRows: true, listsTimers: true, place: { $0.placeTimeline(of: $1) },
    draw: { TimelineView($0).draw() },
    nextChange: { TimelineView($0).nextChange },
    perform: { $0.performOnTimeline($1, at: $2) },
    wheelAction: { up, modifiers in
      if modifiers.contains(.control) { return up ? .zoomIn : .zoomOut }
      return modifiers.contains(.shift) ? (up ? .scrollLeft : .scrollRight) : nil
    })
}

extension Dashboard {
  /// Zooms the timeline so that the nearest end of each timer is visible, except those that are so far away that all
  /// others would be in one place. A timer without an end counts only if none has one.
  mutating func fitTimeline(at now: ClockReading) {
    let ends = rows.all.compactMap { $0.timeToEnd(at: now) }
    let timesLeft =
      (attached.map {
        ($0.page?.timers ?? []).filter(\.isRunning).compactMap { $0.left.map(Duration.nanoseconds) }
      }
      ?? (ends.isEmpty ? rows.all.compactMap { $0.timeLeft(at: now) } : ends)).sorted()
    let median = timesLeft.isEmpty ? .zero : timesLeft[timesLeft.count / 2]
    let last = timesLeft.last { $0 <= median * 20 }
    let width = TimelineView(Frame(self, at: now)).width
    let cells = width - TimelineView.defaultNowColumn(inWidth: width) - 2
    timeline.fit(last, into: max(1, cells))
  }

  fileprivate mutating func performOnTimeline(
    _ action: Action, at now: ClockReading
  ) -> [Effect] {
    switch action {
    case .zoomIn: timeline.zoom(by: -1)
    case .zoomOut: timeline.zoom(by: 1)
    case .scrollLeft: timeline.scroll(by: max(1, size.width / 8))
    case .scrollRight: timeline.scroll(by: -max(1, size.width / 8))
    case .zoomToFit: fitTimeline(at: now)
    case .cursorEarlier: timeline.moveCursor(by: -1, now: now.suspending)
    case .cursorLater: timeline.moveCursor(by: 1, now: now.suspending)
    case .leave where timeline.cursor != nil: timeline.cursor = nil
    case .leave where timeline.offset == 0: show(.board)
    default: timeline.scroll(to: 0)
    }
    return []
  }
}

/// The timeline: a lane for each timer, with past fires and runs left of now and future ones right of it.
struct TimelineView {
  let frame: Frame
  /// The lanes. Now is at a quarter of their width, and at a third once there is more past, unless they are scrolled.
  private let strip: LaneStrip
  private let nameX: Int
  private let nameWidth: Int
  /// The width of the time left beside the names; 0 if there is no room for it.
  private let timeWidth: Int

  init(_ frame: Frame) {
    self.frame = frame
    let total = frame.dashboard.size.width
    nameX = total >= 40 ? 3 : 2
    nameWidth = min(max(4, frame.dashboard.rowWidths.label), max(4, total / 5), 20)
    timeWidth = total >= 60 ? frame.timeWidth : 0
    let x = nameX + nameWidth + 1 + (timeWidth > 0 ? timeWidth + 2 : 0)
    let width = max(1, total - x - frame.inset)
    let (now, timeline) = (frame.now.suspending, frame.dashboard.timeline)
    let cell = LaneStrip.cellNumber(at: now.nanoseconds, cellDuration: timeline.cellDuration)
    let (past, overflow) = (cell - Int64(width / 4)).multipliedReportingOverflow(
      by: timeline.cellDuration)
    let hasPast = !overflow && frame.rows.contains { $0.row.events.earliest < past }
    strip = LaneStrip(
      frame, at: now, x: x, width: width, cellDuration: timeline.cellDuration,
      nowColumn: (hasPast ? Self.defaultNowColumn(inWidth: width) : width / 4) + timeline.offset)
  }

  var width: Int { strip.width }
  var cellDuration: Int64 { strip.cellDuration }

  /// Returns the column of now in lanes of a width, once there is a past.
  static func defaultNowColumn(inWidth width: Int) -> Int { width / 3 }

  func draw() {
    if let axis = frame.layout.axis { strip.drawAxis(y: axis.y, showsTimes: moves) }
    strip.drawNow(y: frame.layout.body.y, height: height)
    for (offset, (position, row)) in frame.rows.enumerated() {
      let y = frame.layout.body.y + offset * frame.layout.rowHeight
      frame.drawRowSymbols(of: row, at: position, x: strip.x >= 8 && frame.inset > 0 ? 1 : 0, y: y)
      frame.canvas.write(
        row.label.truncated(to: nameWidth), x: nameX, y: y, style: frame.theme[row.labelRole])
      if timeWidth > 0 {
        let time = row.time.text ?? "–"
        frame.canvas.write(
          time, x: nameX + nameWidth + 1 + timeWidth - time.cellWidth, y: y,
          style: frame.timeStyle(of: row))
      }
      strip.draw(row, y: y)
      frame.highlight(row, at: position, line(y))
      drawCursor(y: y)
    }
    drawReady()
    if let area = frame.layout.skyline { drawSkyline(y: area.y) }
    if let legend = frame.layout.legend { drawLegend(in: legend) }
    frame.drawPanes()
  }

  private func line(_ y: Int) -> Rect {
    Rect(x: 0, y: y, width: frame.layout.body.width, height: 1)
  }

  /// Draws the cursor in a lane: a line where the lane is blank, or its cell underlined.
  private func drawCursor(y: Int) {
    guard let cursorColumn else { return }
    let x = strip.x + cursorColumn
    if frame.canvas[x, y].base == " " {
      frame.write(String(Character(frame.symbols.timeline.cursor)), .key, x: x, y: y)
    } else {
      let key = frame.theme[.key].foreground
      frame.canvas.restyle(Rect(x: x, y: y, width: 1, height: 1)) {
        Style(key, on: $0.background, $0.attributes.union(.underline))
      }
    }
  }

  private func drawSkyline(y: Int) {
    var skyline = Skyline(width: width)
    for (_, row) in frame.rows {
      skyline.add(strip.lane(of: row.events))
    }
    frame.write("together", .faint, x: nameX, y: y, limit: max(0, strip.x - nameX - 1))
    let bars = frame.symbols.timeline.bars
    for column in 0..<width {
      guard let level = skyline.level(at: column, of: bars.count) else { continue }
      frame.write(String(Character(bars[level])), .bar, x: strip.x + column, y: y)
    }
    strip.drawNow(y: y, height: 1)
  }

  /// The number of the cell of the cursor; `nil` if there is none.
  private var cursorCell: Int64? {
    frame.dashboard.timeline.cursor.map { LaneStrip.cellNumber(at: $0, cellDuration: cellDuration) }
  }

  /// The column of the cursor; `nil` if it is not visible.
  private var cursorColumn: Int? {
    guard let cursorCell else { return nil }
    let column = cursorCell - strip.firstCell
    return (0..<Int64(width)).contains(column) ? Int(column) : nil
  }

  /// The number of lines from the first lane to the last one.
  private var height: Int {
    max(0, (frame.visible.count - 1) * frame.layout.rowHeight + min(1, frame.visible.count))
  }

  /// The instant at which the timeline can change: the start of the next cell while anything can move in the lanes, or a
  /// change of the time left beside the names.
  var nextChange: TimerClock.Instant? {
    let rows = frame.rows.map(\.row)
    let next = moves ? strip.start(ofCell: strip.currentCell + 1) : nil
    let now = frame.now.suspending
    var changes = rows.map { row in
      let change =
        timeWidth > 0 || frame.layout.detail != nil
        ? frame.nextChange(of: row) : frame.nextPulse(of: row)
      // A paused countdown says when it would ring.
      return change.earlier(or: row.state.timer == .paused ? row.plan.nextChange : nil)
    }
    // The day of a fire beyond the edge is left out once it is today.
    if timeWidth == 0, rows.contains(where: { $0.events.due != nil }) {
      changes.append(frame.nextMidnight)
    }
    return changes.earliest.earlier(
      or: next.map { now.advanced(by: .nanoseconds($0) - .nanoseconds(now.nanoseconds)) })
  }

  /// A Boolean value that indicates whether anything in the lanes can move.
  private var moves: Bool {
    // Everything moves to the left; two cells more than the visible ones allow for fires that were missed.
    let firstCell = strip.firstCell - 2
    let start = strip.start(ofCell: firstCell) ?? .min
    let hasCursor = cursorCell.map { frame.layout.legend != nil || $0 >= firstCell } ?? false
    return hasCursor
      || frame.rows.contains { $0.row.nextChange != nil || $0.row.events.latest >= start }
  }
}

extension TimelineView {
  /// The line of the timers that wait for their first trigger, below the lanes; `nil` without any.
  private var readyY: Int? {
    guard !frame.ready.isEmpty else { return nil }
    let body = frame.layout.body
    return min(body.maxY, body.y + frame.visible.count * frame.layout.rowHeight)
  }

  /// The names in that line: from the first one, or else so that the selected one is visible.
  private var readyNames: [(position: Int, text: String, x: Int)] {
    let start = strip.x + ((0..<width - 8).contains(strip.nowColumn) ? strip.nowColumn + 2 : 0)
    var names: [(position: Int, text: String, x: Int)] = []
    var x = start
    for position in frame.ready {
      let text = frame.dashboard.rows[position].label.truncated(to: nameWidth)
      if x + text.cellWidth > strip.x + width {
        let hasSelected = names.contains { $0.position == frame.dashboard.selected }
        guard frame.ready.contains(frame.dashboard.selected), !hasSelected else { break }
        (names, x) = ([], start)
      }
      names.append((position, text, x))
      x += text.cellWidth + 3
    }
    return names
  }

  private func drawReady() {
    guard let y = readyY else { return }
    frame.write(
      "\(frame.ready.count) ready", .faint, x: nameX, y: y, limit: max(0, strip.x - nameX - 1))
    strip.drawNow(y: y, height: 1)
    let names = readyNames
    for (index, name) in names.enumerated() {
      let isSelected = name.position == frame.dashboard.selected
      if index > 0 { frame.write("·", .faint, x: name.x - 2, y: y) }
      frame.write(
        name.text, isSelected ? .selectedName : .faint, x: name.x, y: y,
        limit: max(0, strip.x + width - name.x))
    }
    let key = frame.dashboard.bindings.keyName(of: .fire, in: .board, frame.symbols)
    let hint = TextLine(key, .key).adding(" triggers", .faint)
    let end = names.last.map { $0.x + $0.text.cellWidth } ?? 0
    let start = strip.x + width - hint.width
    if !key.isEmpty, end + 2 <= start { frame.draw(hint, x: start, y: y) }
    guard let selected = frame.ready.first(where: { $0 == frame.dashboard.selected }),
      let row = frame.row(at: selected)
    else { return }
    frame.drawRowSymbols(of: row, at: selected, x: strip.x >= 8 && frame.inset > 0 ? 1 : 0, y: y)
    frame.highlight(row, at: selected, line(y))
  }

  /// Returns the position of the timer in that line at a point; `nil` outside of it.
  func readyRow(at point: Point) -> Int? {
    guard point.y == readyY else { return nil }
    let names = readyNames
    return (names.last { $0.x <= point.x } ?? names.first)?.position
  }
}

extension TimelineView {
  /// Draws the time of the cursor with the selected timer's event at that time; without a cursor, what comes next.
  func drawLegend(in area: Rect) {
    let limit = max(0, area.width - 2 * frame.inset)
    let line = frame.dashboard.timeline.cursor.map(cursorLine) ?? comingLine(within: limit)
    frame.draw(line, x: frame.inset, y: area.y, limit: limit)
  }

  /// Returns what comes next in the lanes, as far as it fits: `14:31 tea   14:32 sets done   14:54 pom rest`.
  private func comingLine(within limit: Int) -> TextLine {
    let rows = frame.rows.map(\.row).filter { $0.state.timer == .running && $0.events.due != nil }
    let awaited = rows.filter { !$0.events.isBackground }
    let coming = (awaited.isEmpty ? rows : awaited).flatMap { Self.coming(of: $0) }
      .sorted { $0.at < $1.at }
    var line = TextLine()
    for (index, event) in coming.enumerated() {
      let now = frame.now.suspending
      let distance = event.at.subtractingSaturated(now.nanoseconds)
      let instant = now.advanced(by: .nanoseconds(distance))
      let time =
        event.day.flatMap { distance > 86_400_000_000_000 ? $0 : nil }
        ?? frame.timeOfDay(at: instant)
      let gap = line.width > 0 ? "   " : ""
      guard line.width + gap.count + time.cellWidth + 1 + event.text.cellWidth <= limit else {
        break
      }
      line.add(gap + time + " ", .faint)
      line.add(event.text, index == 0 ? .title : .text)
    }
    return line.width > 0 ? line : TextLine("nothing is due", .faint)
  }

  /// Returns the next event of a row, and its last one.
  private static func coming(of row: Row) -> [(at: Int64, text: String, day: String?)] {
    let events = row.events
    guard let due = events.due else { return [] }
    let end = events.runEnd
    let phase = events.currentPhase.flatMap { current in
      events.phases.isEmpty ? nil : events.phases[(current + 1) % events.phases.count].name
    }
    let isLast = end == due
    let text =
      isLast && !row.plan.isOnce && !events.phases.isEmpty
      ? "\(row.label) done" : [row.label, phase].compactMap(\.self).joined(separator: " ")
    guard let end, !isLast else { return [(due, text, row.plan.due)] }
    return [(due, text, row.plan.due), (end, "\(row.label) done", nil)]
  }

  /// Returns the line of the cursor, such as `14:28:20  −1m   sets fired 14:28:21, late 0.1 ms`: the start of its cell,
  /// the distance from now, and the event.
  private func cursorLine(_ cursor: Int64) -> TextLine {
    let number = LaneStrip.cellNumber(at: cursor, cellDuration: cellDuration)
    var line = TextLine()
    guard let begin = strip.start(ofCell: number) else { return line }
    line.add(timeOfDay(begin), .title)
    let cells = number - strip.currentCell
    let distance = DurationText.text(.nanoseconds(cellDuration &* abs(cells)))
    if cells != 0 { line.add("  \(cells < 0 ? "−" : "+")\(distance)", .faint) }
    guard let row = frame.selectedRow else { return line }
    // The last cell ends with the range of instants.
    let (end, isBeyond) = begin.addingReportingOverflow(cellDuration)
    line.add("   \(row.label) ", .selectedName)
    line.add(text(of: row.events, in: begin..<(isBeyond ? .max : end)))
    return line
  }

  private func text(of events: Row.Events, in range: Range<Int64>) -> String {
    let fires = events.fires.filter { range.contains($0.at.nanoseconds) }
    if fires.count > 1 { return "fired \(fires.count) times" }
    if let fire = fires.first {
      let late = fire.lateness.map { ", late \(TimeText.lateness($0))" } ?? ", manual"
      return "fired \(timeOfDay(fire.at.nanoseconds))\(late)"
    }
    if let due = events.due, range.contains(due) {
      return "fires \(timeOfDay(due))"
    }
    let content = Lane(
      of: events, from: range.lowerBound, count: 1, cellDuration: cellDuration
    ).contents.first
    switch content {
    case .running?: return "runs"
    case .future?: return "fires"
    case .dense?: return "fires \(events.rateText)"
    case .missed?: return "missed"
    case .phase(let index)?:
      let phases = events.phases
      return phases.indices.contains(index) ? phases[index].name : "runs"
    case .fired?, .late?: return "fired"
    case .none?, nil: return "not running"
    }
  }

  private func timeOfDay(_ nanoseconds: Int64) -> String {
    let distance =
      Duration.nanoseconds(nanoseconds) - .nanoseconds(frame.now.suspending.nanoseconds)
    return frame.timeOfDay(at: frame.now.suspending.advanced(by: distance), showsSeconds: true)
  }
}
