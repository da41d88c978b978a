import TerminalCore
import TimerBoard
import TimerKit

/// A timer of another process as a frame shows it.
struct AttachedRow {
  let frame: AttachedFrame
  let timer: AttachedTimer
  let time: String
  let timeRole: Role
  let period: String
  /// The texts of the columns.
  let cells: [(text: String, role: Role)]
  /// The time to the next fire in nanoseconds.
  private let left: Double?

  init(_ timer: AttachedTimer, in frame: AttachedFrame) {
    (self.frame, self.timer) = (frame, timer)
    let due = timer.left.flatMap { frame.board.pageTime?.advanced(by: .nanoseconds($0)) }
    // The time left of a running timer passes; that of one that was not started is its interval.
    let fixed = timer.left ?? (timer.state == .idle && timer.repeats ? timer.interval : nil)
    left =
      timer.isRunning
      ? due.map { frame.now.duration(to: $0) / .nanoseconds(1) } : fixed.map(Double.init)
    // Most timers of programs have short times.
    let isShort = left.map { $0 < 10e9 } ?? false
    let steps = DisplaySteps(showsTenths: isShort)
    let units =
      timer.isRunning
      ? due.map { steps.units(until: $0, from: steps.stepStart(of: frame.now)) }
      : fixed.map { steps.units(in: .nanoseconds($0)) }
    time = units.map { TimeText.clock($0, showsTenths: isShort) } ?? "–"
    let isUrgent = timer.state == .running && isShort && timer.interval ?? 0 >= 30_000_000_000
    timeRole =
      isUrgent ? .urgent : timer.isRunning ? .time : timer.state == .paused ? .paused : .faint
    period = timer.interval.map { DurationText.text(.nanoseconds($0)) } ?? ""
    let words: [Role: String] = [
      .running: "runs", .finished: "done", .executing: "pending",
    ]
    let symbol = isUrgent ? frame.symbols.alert : frame.symbols[timer.state]
    let endless = timer.repeats ? frame.symbols.endless : "–"
    cells = [
      (timer.name, .selectedName), (time, timeRole),
      ("\(symbol) \(words[timer.state] ?? timer.state.name)", isUrgent ? .urgent : timer.state),
      ("", .text),
      (timer.remaining.map { "\($0) of \(timer.iterations ?? $0)" } ?? endless, .text),
      (timer.late.map { TimeText.lateness(.nanoseconds($0)) } ?? "–", .faint),
      ("\(timer.missed)", timer.missed > 0 ? .warning : .faint),
      ("\(timer.stale)", timer.stale > 0 ? .warning : .faint),
      (timer.queue, .faint), (timer.place, .faint), (timer.label.isEmpty ? "" : timer.kind, .faint),
    ]
  }

  func drawBar(x: Int, width: Int, y: Int) {
    guard let interval = timer.interval, interval > 0, width > 0 else { return }
    let ended = timer.state == .finished || timer.state == .cancelled
    let role = ended ? Role.finishedBar : timeRole == .urgent ? .urgent : .bar
    frame.drawBar(
      ended ? 1 : 1 - (left ?? Double(interval)) / Double(interval),
      timer.isRunning || ended ? role : .pausedBar,
      x: x, width: width, y: y)
  }

  /// Draws the lane of the timer from now on: the fires that the time left and the interval give. Nothing is known of
  /// those before the page.
  /// - Parameter cell: The nanoseconds of a cell.
  func drawLane(x: Int, width: Int, y: Int, cell: Double) {
    let symbols = frame.symbols.timeline
    let period = max(1, Double(timer.interval ?? 0))
    let last = timer.repeats ? max(0, Double(timer.remaining ?? .max) - 1) : 0
    for column in 0..<max(0, width) {
      var (symbol, role): (Unicode.Scalar, Role) = (column == 0 ? symbols.now : " ", .key)
      if timer.state == .paused, column > 0 {
        (symbol, role) = (frame.symbols.bar.dots, .faint)
      } else if timer.isRunning, let left, column > 0 {
        // The number of the first fire in the cell or after it; that of the next one is 0.
        let start = Double(column) * cell
        let fire = max(0, ((start - left) / period).rounded(.up))
        if left + fire * period < start + cell && fire <= last {
          let isDense = timer.repeats && period < 2 * cell
          (symbol, role) = isDense ? (symbols.dense, .faint) : (symbols.future, .text)
        } else if fire <= last {
          (symbol, role) = (symbols.line, .faint)
        }
      }
      let point = Rect(x: x + column, y: y, width: 1, height: 1)
      frame.canvas.fill(point, with: symbol, style: frame.theme[role])
    }
  }
}

/// The rows of the table and of the timeline.
extension AttachedFrame {
  private var gap: Int { board.size.width >= 40 ? 2 : 1 }

  /// Returns the widths of the columns that fit: the last ones are left out first.
  /// - Parameter time: The width of the times.
  private func columns(time: Int) -> [Int] {
    let width = board.size.width
    var room = width - gap - 1 - inset
    let name = width >= 140 ? 24 : max(1, min(16, room - time - 1 - 2 * gap))
    let (queue, place) = width >= 160 ? (20, 28) : (12, 18)
    let ideal = [name, time, width >= 60 ? 11 : 1, 8, 8, 6, 6, 5, queue, place, 10]
    var widths: [Int] = []
    for width in ideal {
      guard width <= room else { break }
      widths.append(width)
      room -= width + gap
    }
    if widths.count > 3 { widths[3] += max(0, room + gap) }
    return widths
  }

  func draw(_ rows: [AttachedRow]) {
    let isTimeline = board.view == .timeline
    let widths =
      isTimeline
      ? [min(20, board.size.width / 4)]
      : columns(time: max(6, rows.map(\.time.cellWidth).max() ?? 0))
    let laneX = 2 * gap + 1 + (widths.first ?? 0)
    let lane = Rect(x: laneX, y: 0, width: board.size.width - laneX - inset, height: 1)
    let cell = cell(rows, width: lane.width)
    drawTitles(widths)
    if isTimeline { drawScale(lane, cell: cell) }
    for (index, row) in rows.enumerated() {
      let line = Rect(x: 0, y: areas.body.y + index, width: board.size.width, height: 1)
      draw(row.cells, widths, y: line.y)
      if isTimeline {
        row.drawLane(x: lane.x, width: lane.width, y: line.y, cell: cell)
      } else if widths.count > 3 {
        let x = gap + 1 + widths[..<3].reduce(0) { $0 + $1 + gap }
        row.drawBar(x: x, width: widths[3], y: line.y)
      }
      guard board.pageOffset + index == board.selected else { continue }
      write(symbols.selection, .rowSymbol, x: gap - 1, y: line.y)
      canvas.highlight(line, theme)
    }
    drawScrollBar(
      of: areas.body, first: board.pageOffset, shown: board.rowCount, count: board.matchCount)
  }

  /// Draws the texts of the columns; times and counts are aligned at the right.
  private func draw(_ cells: [(text: String, role: Role)], _ widths: [Int], y: Int) {
    var x = gap + 1
    for (index, width) in widths.enumerated() {
      let whole = cells[index].text
      let text = width > 1 ? whole.truncated(to: width) : String(whole.prefix(width))
      let indent = [1, 5, 6, 7].contains(index) ? width - text.cellWidth : 0
      write(text, cells[index].role, x: x + indent, y: y)
      x += width + gap
    }
  }

  private func drawTitles(_ widths: [Int]) {
    guard !areas.titles.isEmpty else { return }
    var titles = [
      "NAME", "TIME", "STATE", "PROGRESS", "LEFT", "LATE", "MISSED", "STALE", "QUEUE", "PLACE",
      "KIND",
    ]
    .map { (text: $0, role: Role.faint) }
    let sorted = [0, 1, 2, 5][board.order]
    titles[sorted].text += board.isReversed ? symbols.descending : symbols.ascending
    titles[sorted].role = .title
    draw(titles, widths, y: areas.titles.y)
  }

  /// Returns the nanoseconds of a cell of the lanes, so that the nearer half of the next fires is visible.
  private func cell(_ rows: [AttachedRow], width: Int) -> Double {
    let times = rows.filter(\.timer.isRunning).compactMap(\.timer.left).sorted()
    let median = Double(times.dropFirst(times.count / 2).first ?? 0)
    let seconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 21_600].map { $0 * 1e9 }
    return seconds.first { $0 * Double(max(1, width / 3)) >= median } ?? 86_400e9
  }

  /// Draws the time of the whole lanes at their ends.
  private func drawScale(_ lane: Rect, cell: Double) {
    guard !areas.titles.isEmpty, lane.width >= 32 else { return }
    let future = "+\(DurationText.text(.nanoseconds(Int64(cell)) * lane.width))"
    let y = areas.titles.y
    write("now", .key, x: lane.x, y: y)
    write(future, .faint, x: lane.maxX - future.cellWidth, y: y)
  }
}
