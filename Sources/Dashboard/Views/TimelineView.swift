import TerminalCore
import TimerBoard
import TimerKit

/// The timeline: a lane for each timer, with past fires and runs left of now and future ones right of it.
struct TimelineView {
  private let frame: Frame
  private let cell: Int64
  /// The first column of the lanes.
  private let x: Int
  private let width: Int
  /// The column of now within the lanes.
  private let middle: Int
  /// The number of the cell of now, counted from the start of the suspending clock.
  private let currentCell: Int64

  init(_ frame: Frame) {
    self.frame = frame
    let total = frame.dashboard.size.width
    cell = frame.dashboard.timeline.cell
    let mark = total >= 40 ? 3 : 2
    let names = min(max(4, frame.dashboard.metrics.label.widest), max(4, total / 5), 20)
    x = mark + names + 1
    width = max(1, total - x - frame.inset)
    middle = width / 2 + frame.dashboard.timeline.offset
    let now = frame.now.uptime.nanoseconds
    currentCell = now / cell - (now % cell < 0 ? 1 : 0)
  }

  func draw(on canvas: inout Canvas) -> TimerClock.Instant? {
    if let axis = frame.layout.axis { drawAxis(on: &canvas, y: axis.y) }
    for (offset, index) in frame.visible.enumerated() {
      let row = frame.dashboard.rows[index]
      let y = frame.layout.body.y + offset
      let isSelected = index == frame.dashboard.selected
      let mark = x >= 8 && frame.inset > 0 ? 1 : 0
      frame.drawMark(ofRowAt: index, x: mark, y: y, on: &canvas)
      let nameX = mark + (frame.dashboard.size.width >= 40 ? 2 : 1)
      canvas.write(
        row.label.truncated(to: max(1, x - nameX - 1)), x: nameX, y: y,
        style: frame.theme[frame.showsAlert(of: row) ? .call : isSelected ? .selectedName : .text])
      draw(marks(of: row, at: currentCell), on: &canvas, y: y)
    }
    if let legend = frame.layout.legend { drawLegend(on: &canvas, in: legend) }
    let rows = frame.visible.map { frame.dashboard.rows[$0] }
    return ([nextLaneChange(of: rows)] + rows.map { frame.nextBlink(of: $0) }).earliest
  }

  private func draw(_ marks: [Lane.Mark], on canvas: inout Canvas, y: Int) {
    var column = 0
    while column < width {
      var end = column + 1
      // The future is fainter than the past.
      while end < width, marks[end] == marks[column], end != middle + 1 { end += 1 }
      if let (sign, role) = sign(of: marks[column], isPast: column <= middle) {
        canvas.fill(
          Rect(x: x + column, y: y, width: end - column, height: 1), with: sign,
          style: frame.theme[role])
      }
      column = end
    }
    if (0..<width).contains(middle) {
      canvas.fill(
        Rect(x: x + middle, y: y, width: 1, height: 1), with: frame.symbols.timeline.now,
        style: frame.theme[.title])
    }
  }

  private func sign(of mark: Lane.Mark, isPast: Bool) -> (Unicode.Scalar, Role)? {
    let signs = frame.symbols.timeline
    switch mark {
    case .none: return nil
    case .running: return (signs.line, .faint)
    case .phase(let index):
      let isEven = index % 2 == 0
      guard isPast else { return (isEven ? signs.workToCome : signs.restToCome, .faint) }
      return isEven ? (signs.work, .bar) : (signs.rest, .finishedBar)
    case .fired: return (signs.fired, .running)
    case .late: return (signs.late, .paused)
    case .missed: return (signs.missed, .refusal)
    case .future: return (signs.toCome, .text)
    }
  }

  /// Returns the marks of a row while now is in a cell: none at now itself, and no future ones of a stopwatch.
  private func marks(of row: BoardTimer, at number: Int64) -> [Lane.Mark] {
    var marks = Lane(
      of: row, first: number &- Int64(middle), count: width, cell: cell
    ).marks
    if case .stopwatch = row.status {
      for index in marks.indices where index > middle && marks[index] == .running {
        marks[index] = .none
      }
    }
    if marks.indices.contains(middle) { marks[middle] = .none }
    return marks
  }

  private func drawAxis(on canvas: inout Canvas, y: Int) {
    let step = width >= 100 ? 20 : 10
    var free = 0
    let before = middle / step + 1
    for tick in -before...(max(0, width - middle) / step + 1) {
      let column = middle + tick * step
      let text =
        tick == 0
        ? "now"
        : (tick < 0 ? "−" : "+")
          + DurationText.text(.nanoseconds(cell * Int64(abs(tick) * step)))
      let start = column - text.cellWidth / 2
      guard start >= free, start + text.cellWidth <= width else { continue }
      canvas.write(
        text, x: x + start, y: y, style: frame.theme[tick == 0 ? .title : .faint])
      free = start + text.cellWidth + 1
    }
  }

  private func drawLegend(on canvas: inout Canvas, in area: Rect) {
    let signs = frame.symbols.timeline
    var line = TextLine()
    for (sign, role, meaning) in [
      (signs.fired, .running, "fired"), (signs.late, .paused, "late by a cell or more"),
      (signs.missed, .refusal, "missed"), (signs.toCome, .text, "will fire"),
    ] as [(Unicode.Scalar, Role, String)] {
      if line.width > 0 { line.add("   ") }
      line.add(String(Character(sign)), role)
      line.add(" \(meaning)", .faint)
    }
    if case .cycle(let cycle)? = frame.dashboard.selectedRow?.status {
      for (index, phase) in cycle.configuration.phases.prefix(4).enumerated() {
        if let (sign, role) = sign(of: .phase(index), isPast: true) {
          line.add("   ")
          line.add(String(Character(sign)), role)
        }
        line.add(" \(phase.name)", .faint)
      }
    }
    line.draw(
      on: &canvas, x: frame.inset, y: area.y, theme: frame.theme,
      limit: max(0, area.width - frame.inset))
  }

  /// Returns the instant at which the lanes next change: the start of the next cell, or, if all visible cells are
  /// equal, the instant at which a mark becomes visible at the right.
  private func nextLaneChange(of rows: [BoardTimer]) -> TimerClock.Instant? {
    let seen = rows.map { marks(of: $0, at: currentCell) }
    let now = frame.now.uptime
    func begin(of number: Int64) -> TimerClock.Instant? {
      let (nanoseconds, overflow) = number.multipliedReportingOverflow(by: cell)
      return overflow
        ? nil : now.advanced(by: .nanoseconds(nanoseconds) - .nanoseconds(now.nanoseconds))
    }
    func differs(at number: Int64) -> Bool {
      zip(rows, seen).contains { marks(of: $0, at: number) != $1 }
    }
    // The column of now can hide a mark for one cell.
    for next in [currentCell + 1, currentCell + 2] where differs(at: next) {
      return begin(of: next)
    }
    let entries = rows.flatMap(Lane.changes).filter { $0 < .max }
      .map { $0 / cell &- Int64(width - 1 - middle) }
    let candidates = Set(entries.flatMap { [$0 - 1, $0, $0 + 1] }).filter { $0 > currentCell + 2 }
    for next in candidates.sorted() where differs(at: next) { return begin(of: next) }
    return nil
  }
}
