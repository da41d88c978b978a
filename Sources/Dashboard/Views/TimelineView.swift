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
  /// The lanes. Now is at a third of their width, unless they are scrolled.
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
    strip = LaneStrip(
      frame, at: frame.now.suspending, x: x, width: width,
      cellDuration: frame.dashboard.timeline.cellDuration,
      nowColumn: Self.defaultNowColumn(inWidth: width) + frame.dashboard.timeline.offset)
  }

  var width: Int { strip.width }
  var cellDuration: Int64 { strip.cellDuration }

  /// Returns the column of now in lanes of a width.
  static func defaultNowColumn(inWidth width: Int) -> Int { width / 3 }

  func draw() {
    if let axis = frame.layout.axis { drawAxis(y: axis.y) }
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
      strip.draw(strip.contents(of: row.events), of: row.events, on: &frame.canvas, y: y)
      if row.events.isPaused, (-1..<width - 1).contains(strip.nowColumn) {
        strip.drawPaused(from: strip.nowColumn + 1, y: y)
      }
      let line = Rect(x: 0, y: y, width: frame.layout.body.width, height: 1)
      frame.highlight(row, at: position, line)
    }
    if let cursorColumn {
      let column = Rect(x: strip.x + cursorColumn, y: frame.layout.body.y, width: 1, height: height)
      // The selected row can be reversed already.
      frame.canvas.restyle(column) {
        Style($0.foreground, on: $0.background, $0.attributes.symmetricDifference(.reverse))
      }
    }
    if let legend = frame.layout.legend { drawLegend(in: legend) }
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

  private func drawAxis(y: Int) {
    let step = width >= 100 ? 20 : 10
    var free = 0
    let before = strip.nowColumn / step + 1
    for number in -before...(max(0, width - strip.nowColumn) / step + 1) {
      let column = strip.nowColumn + number * step
      let text =
        number == 0
        ? "now"
        : (number < 0 ? "−" : "+")
          + DurationText.text(.nanoseconds(cellDuration * Int64(abs(number) * step)))
      let start = column - text.cellWidth / 2
      guard start >= free, start + text.cellWidth <= width else { continue }
      frame.write(text, number == 0 ? .key : .faint, x: strip.x + start, y: y)
      free = start + text.cellWidth + 1
    }
  }

  /// The instant at which the timeline can change: the start of the next cell while anything can move in the lanes, or a
  /// change of the time left beside the names.
  var nextChange: TimerClock.Instant? {
    let rows = frame.rows.map(\.row)
    // Everything moves to the left; two cells more than the visible ones allow for fires that were missed.
    let firstCell = strip.firstCell - 2
    let start = strip.start(ofCell: firstCell) ?? .min
    let hasCursor = cursorCell.map { frame.layout.legend != nil || $0 >= firstCell } ?? false
    let moves =
      hasCursor || rows.contains { $0.nextChange != nil || $0.events.latest >= start }
    let next = moves ? strip.start(ofCell: strip.currentCell + 1) : nil
    let now = frame.now.suspending
    let changes = rows.map { timeWidth > 0 ? frame.nextChange(of: $0) : frame.nextPulse(of: $0) }
    return changes.earliest.earlier(
      or: next.map { now.advanced(by: .nanoseconds($0) - .nanoseconds(now.nanoseconds)) })
  }
}

extension TimelineView {
  /// Draws the time of the cursor with the selected timer's event at that time; without a cursor, the meaning of the
  /// symbols.
  func drawLegend(in area: Rect) {
    let line = frame.dashboard.timeline.cursor.map(cursorLine) ?? legendLine
    frame.draw(line, x: frame.inset, y: area.y, limit: max(0, area.width - frame.inset))
  }

  private var legendLine: TextLine {
    let symbols = frame.symbols.timeline
    var line = TextLine()
    for (symbol, role, meaning) in [
      (symbols.fired, .running, "fired"), (symbols.late, .warning, "late"),
      (symbols.missed, .failure, "missed"), (symbols.future, .text, "will fire"),
      (symbols.dense, .running, "fires often"),
    ] as [(Unicode.Scalar, Role, String)] {
      if line.width > 0 { line.add("   ") }
      line.add(String(Character(symbol)), role)
      line.add(" \(meaning)", .faint)
    }
    return line
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
