import TerminalCore
import TimerBoard
import TimerKit

/// The pane of what is next: a small timeline from now on, with a lane for each timer in the order of the rows. It changes
/// only at display steps.
struct UpcomingPane {
  /// The height with one lane, and the most lanes that are of use, without the lines of the box.
  static let leastHeight = 2
  static let mostLanes = 10

  /// The lengths of the scale with their names, and the distances of the times on the axis, in minutes.
  private static let scales: [(minutes: Int64, name: String, step: Int64)] = [
    (5, "5 minutes", 1), (15, "15 minutes", 5), (60, "hour", 15), (360, "6 hours", 60),
    (1440, "day", 240), (10_080, "week", 1440),
  ]

  let title: String
  /// A Boolean value that indicates whether nothing is due.
  private let isEmpty: Bool
  private let frame: Frame
  private let strip: LaneStrip
  /// The step of the axis in nanoseconds.
  private let step: Int64
  /// The timers of the lanes, by their positions.
  private let lanes: [Int]
  /// The number of running timers without a lane, and what they do, such as `+ 3 later`; `nil` without any.
  private let rest: String?
  private let area: Rect

  init(_ frame: Frame, in area: Rect) {
    self.frame = frame
    self.area = area
    let timers = frame.dashboard.rows
    let rows = timers.all
    let step = frame.step
    let due = rows.indices.lazy.compactMap { index in
      rows[index].machine.deadline.map {
        (index: index, left: step.duration(to: $0).clampedNanoseconds)
      }
    }
    // The shortest scale on which most of them fire, as far as they are looked at.
    let sample = due.prefix(Self.sampleCount).map(\.left).sorted()
    let most = sample.isEmpty ? 0 : sample[(sample.count - 1) * 2 / 3]
    let scale =
      Self.scales.first { most < $0.minutes * Self.minute } ?? Self.scales[Self.scales.count - 1]
    // Only while something is due, the frame is drawn again at each step.
    isEmpty = !timers.fires(from: frame.stepStart, at: frame.now)
    title = isEmpty ? "next" : "next \(scale.name)"
    self.step = scale.step * Self.minute
    let nameWidth = min(max(9, frame.dashboard.rowWidths.label), max(4, area.width / 5), 20)
    let width = max(1, area.width - nameWidth - 1)
    strip = LaneStrip(
      frame, at: frame.stepStart, x: area.x + nameWidth + 1, width: width,
      cellDuration: max(1, scale.minutes * Self.minute / Int64(width)), nowColumn: 0)
    let room = max(0, area.height - 1)
    var (inRange, later, count): ([(index: Int, left: Int64)], [Int], Int) = ([], [], 0)
    for (index, left) in due {
      count += 1
      let isInRange =
        left < scale.minutes * Self.minute
        || index < Self.mostTimers && rows[index].machine.roundText != nil
      if isInRange, inRange.count < Self.mostTimers { inRange.append((index, left)) }
      if !isInRange, later.count < room { later.append(index) }
    }
    // If there are more than lanes, those that fire first have one.
    if inRange.count > room { inRange.sort { $0.left < $1.left } }
    let running = (inRange.map(\.index) + later).prefix(room)
    let paused = rows.indices.prefix(Self.mostTimers).lazy
      .filter { rows[$0].state == .paused }
    lanes = (running + paused.prefix(room - running.count)).sorted()
    rest =
      count == running.count
      ? nil : "+ \(count - running.count) \(running.count < inRange.count ? "more" : "later")"
  }

  private static let minute: Int64 = 60_000_000_000
  private static let sampleCount = 64
  /// The number of timers that are looked at whole.
  private static let mostTimers = 500

  func draw() {
    guard area.height > 0 else { return }
    if isEmpty {
      frame.write("nothing is due", .faint, x: area.x, y: area.y)
      return
    }
    let axis = area.maxY - 1
    strip.drawNow(y: area.y, height: axis - area.y)
    for (line, position) in lanes.enumerated() {
      if let row = frame.row(at: position) { draw(row, y: area.y + line) }
    }
    frame.write((rest ?? "").cutAtWord(to: strip.x - area.x - 1), .faint, x: area.x, y: axis)
    drawAxis(y: axis)
  }

  private func draw(_ row: Row, y: Int) {
    frame.canvas.write(
      row.label.truncated(to: strip.x - area.x - 1), x: area.x, y: y,
      style: frame.theme[row.labelRole])
    if row.events.isPaused {
      return strip.drawPaused(from: 1, y: y)
    }
    let contents = strip.contents(of: row.events)
    strip.draw(contents, of: row.events, on: &frame.canvas, y: y)
    guard let last = contents.lastIndex(of: .future), let end = endText(of: row, ifAt: last),
      last + 2 + end.cellWidth <= strip.width
    else { return }
    frame.write(end, .faint, x: strip.x + last + 2, y: y)
  }

  /// Returns the time of the end of a timer; `nil` if its last fire in the lane is not its end.
  private func endText(of row: Row, ifAt column: Int) -> String? {
    guard let end = row.events.end else { return nil }
    return self.column(of: end) == column ? frame.timeOfDay(at: end) : nil
  }

  private func column(of instant: TimerClock.Instant) -> Int {
    Int(
      LaneStrip.cellNumber(at: instant.nanoseconds, cellDuration: strip.cellDuration)
        - strip.firstCell)
  }

  /// Returns the nanoseconds until local time is the `number`-th multiple of the step from now on; `nil` if a change of
  /// the clocks leaves out that time.
  private func distance(toTick number: Int64) -> Int64? {
    let (now, zone) = (frame.now.moved(to: frame.stepStart).wall, frame.now.zone)
    func offset(after distance: Int64) -> Int64 {
      Int64(zone.secondsFromUTC(at: now.advanced(by: .nanoseconds(distance)))) * 1_000_000_000
    }
    let offsetNow = offset(after: 0)
    let passed = (now.nanosecondsSince1970 &+ offsetNow).flooredDivision(by: step).remainder
    let ahead = number * step - passed
    let offsetThen = offset(after: ahead)
    let distance = ahead + offsetNow - offsetThen
    return offset(after: distance) == offsetThen ? distance : nil
  }

  /// Draws now and the times of day, at fixed instants.
  private func drawAxis(y: Int) {
    frame.write("now", .key, x: strip.x, y: y)
    var free = 5
    for number in 1...Int64(Self.mostLanes) {
      guard let distance = distance(toTick: number) else { continue }
      let instant = frame.stepStart.advanced(by: .nanoseconds(distance))
      let column = self.column(of: instant)
      let text =
        step < 1440 * Self.minute
        ? frame.timeOfDay(at: instant)
        : LocalTime(frame.now.moved(to: instant)).date.weekdayName
      let start = column - text.cellWidth / 2
      guard start >= free, start + text.cellWidth <= strip.width else { continue }
      frame.write(text, .faint, x: strip.x + start, y: y)
      free = start + text.cellWidth + 1
    }
  }
}
