import TerminalCore
import TimerBoard
import TimerKit

/// The pane of what is next: a small timeline from now on, with a lane for each timer in the order of the rows. It changes
/// only at display steps.
struct UpcomingPane {
  /// The most lanes that are of use.
  static let mostLanes = 10

  /// Returns the height of the box with a number of lanes and the axis.
  static func boxHeight(lanes: Int) -> Int { lanes + 3 }

  /// The lengths of the scale with their names, in minutes.
  private static let scales: [(minutes: Int64, name: String)] = [
    (5, "5 minutes"), (15, "15 minutes"), (60, "hour"), (360, "6 hours"), (1440, "day"),
    (10_080, "week"),
  ]

  let title: String
  /// A Boolean value that indicates whether nothing is due.
  private let isEmpty: Bool
  private let frame: Frame
  private let strip: LaneStrip
  /// The timers of the lanes, by their positions.
  private let lanes: [Int]
  /// The number of running timers without a lane, and what they do, such as `+ 3 later`; `nil` without any.
  private let rest: String?
  private let area: Rect

  init(_ frame: Frame, in area: Rect) {
    self.frame = frame
    self.area = area
    let rows = frame.dashboard.rows.all
    let positions = FilteredRows(of: frame.dashboard).positions.sorted()
    let step = frame.step
    let due = positions.lazy.compactMap { index in
      rows[index].machine.deadline.map {
        (index: index, left: step.duration(to: $0).clampedNanoseconds)
      }
    }
    // The shortest scale on which most of those fire that the user waits for, as far as they are looked at.
    let looked = Array(due.prefix(Self.sampleCount))
    let awaited = looked.filter { !rows[$0.index].isBackground }
    let sample = (awaited.isEmpty ? looked : awaited).map(\.left).sorted()
    let most = sample.isEmpty ? 0 : sample[(sample.count - 1) * 2 / 3]
    let scale =
      Self.scales.first { most < $0.minutes * Self.minute } ?? Self.scales[Self.scales.count - 1]
    // Only while something is due, the frame is drawn again at each step.
    isEmpty = sample.isEmpty || !frame.dashboard.rows.fires(from: frame.stepStart, at: frame.now)
    title = isEmpty ? "next" : "next \(scale.name)"
    let nameWidth = min(max(9, frame.dashboard.rowWidths.label), max(4, area.width / 5), 20)
    let width = max(1, area.width - nameWidth - 1)
    strip = LaneStrip(
      frame, at: frame.stepStart, x: area.x + nameWidth + 1, width: width,
      cellDuration: max(1, scale.minutes * Self.minute / Int64(width)), nowColumn: 0)
    let room = max(0, area.height - 1)
    var (inRange, later, count): ([(index: Int, left: Int64)], [(index: Int, left: Int64)], Int)
    (inRange, later, count) = ([], [], 0)
    for (index, left) in due {
      count += 1
      let isInRange =
        left < scale.minutes * Self.minute
        || index < Self.mostTimers && rows[index].machine.roundText != nil
      if isInRange, inRange.count < Self.mostTimers { inRange.append((index, left)) }
      if !isInRange, later.count < Self.mostTimers { later.append((index, left)) }
    }
    // If there are more than lanes, those have one that the user waits for first.
    var candidates = inRange + later
    if candidates.count > room {
      let order = candidates.map { (isBackground: rows[$0.index].isBackground, timer: $0) }
      candidates = order.sorted { first, second in
        first.isBackground == second.isBackground
          ? first.timer.left < second.timer.left : second.isBackground
      }.map(\.timer)
    }
    let running = candidates.prefix(room).map(\.index)
    let paused = positions.prefix(Self.mostTimers).lazy
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
    strip.drawAxis(y: axis, showsTimes: true)
  }

  private func draw(_ row: Row, y: Int) {
    frame.canvas.write(
      row.label.truncated(to: strip.x - area.x - 1), x: area.x, y: y,
      style: frame.theme[row.labelRole])
    strip.draw(row, y: y)
  }
}
