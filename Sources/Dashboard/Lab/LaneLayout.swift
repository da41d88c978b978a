import TerminalCore
import TimerKit

/// The division of lanes into cells.
struct LaneLayout {
  let labelWidth: Int
  /// The width of the notes beside the lanes; 0 if they have no room there.
  let noteWidth: Int
  /// The duration of a cell in nanoseconds.
  private let cellDuration: Int64
  private let cells: Range<Int64>
  private let now: Int64

  /// - Parameters:
  ///   - width: The width of labels, cells and notes together.
  ///   - noteRows: The rows that a note can take.
  init(_ lanes: LabLanes, width: Int, noteRows: Int) {
    let widestLabel = lanes.lanes.map(\.label.cellWidth).max() ?? 0
    labelWidth = min(widestLabel, max(4, width / 5))
    let widestNote = lanes.lanes.map { $0.note.cellWidth }.max() ?? 0
    let noteLimit = noteRows > 1 ? 22 : 31
    noteWidth = width >= 70 ? min(max(widestNote, 16), noteLimit) : 0
    let available = Int64(
      max(1, width - labelWidth - 1 - (noteWidth > 0 ? noteWidth + 2 : 0)))
    let unit = max(1, lanes.cellDuration.clampedNanoseconds)
    let wanted = max(1, lanes.length.clampedNanoseconds / unit)
    // A cell is a multiple or a fraction of `lanes.cellDuration`, so that equal times have equal distances.
    cellDuration =
      available >= 2 * wanted
      ? unit / (available / wanted) : unit * ((wanted + available - 1) / available)
    now = lanes.now.clampedNanoseconds
    // The last cell is the end of the shown length, or now if that is later.
    let count = min(
      available, (lanes.length.clampedNanoseconds + cellDuration - 1) / cellDuration)
    let last = lanes.now <= lanes.length ? count : max(now / cellDuration + 1, count)
    cells = (last - count)..<last
  }

  var cellCount: Int { cells.count }

  /// Returns the first visible cell of each kind of mark in a lane, and the first visible one in which a line of each
  /// kind begins, from left to right.
  /// - Returns: For each kind, the column and the number of cells up to a mark of another kind.
  func firstCells(
    of lane: LabLane
  ) -> [(column: Int, width: Int, subject: LabPage.LegendEntry.Subject)] {
    typealias Subject = LabPage.LegendEntry.Subject
    let marks = lane.marks.map { (at: $0.at, subject: Subject.mark($0.kind)) }
    // A line that is replaced at the same time is not drawn.
    let lines = lane.segments.indices.compactMap { index -> (at: Duration, subject: Subject)? in
      let segment = lane.segments[index]
      let isReplaced =
        index + 1 < lane.segments.count && lane.segments[index + 1].from == segment.from
      return isReplaced ? nil : (segment.from, .line(segment.line))
    }
    var seen: [Subject] = []
    var found: [(column: Int, width: Int, subject: Subject)] = []
    let markCells = lane.marks.map {
      (cell: $0.at.clampedNanoseconds / cellDuration, kind: $0.kind)
    }
    for (at, subject) in marks + lines where !seen.contains(subject) {
      let cell = at.clampedNanoseconds / cellDuration
      guard at.clampedNanoseconds <= now, cells.contains(cell) else { continue }
      seen.append(subject)
      let other = markCells.first { $0.cell > cell && Subject.mark($0.kind) != subject }?.cell
      let end = min(other ?? .max, cells.upperBound)
      found.append((Int(cell - cells.lowerBound), Int(end - cell), subject))
    }
    return found.sorted { $0.column < $1.column }
  }

  struct Cell {
    var text: String
    var role: Role
  }

  func cells(of lane: LabLane, row: Int, symbols: Symbols) -> [Cell] {
    if !lane.levels.isEmpty { return levels(of: lane, row: row, symbols: symbols) }
    var drawn = cells.map { cell -> Cell in
      guard cell * cellDuration <= now else { return Cell(text: " ", role: .faint) }
      let line = line(of: lane, in: cell)
      return Cell(text: symbols[line], role: line == .busy ? .warning : .faint)
    }
    let marks = Dictionary(grouping: lane.marks.filter { $0.at.clampedNanoseconds <= now }) {
      $0.at.clampedNanoseconds / cellDuration
    }
    let occupied = Set(marks.keys)
    for (cell, marks) in marks where cells.contains(cell) {
      guard let weight = marks.map(\.kind.weight).max() else { continue }
      let equal = marks.filter { $0.kind.weight == weight }
      guard let kind = equal.last?.kind else { continue }
      let isCounted = equal.count > 1 && equal.allSatisfy { $0.kind == kind }
      let column = Int(cell - cells.lowerBound)
      let text = isCounted ? (equal.count < 10 ? "\(equal.count)" : "+") : symbols[kind]
      let main = Cell(text: text, role: kind.role(inInputLane: lane.isInput))
      drawn[column] = main
      // Another mark at about the same time takes the next cell if that is free; the later one is on the right.
      let others = marks.filter { $0.kind != kind }
      guard let other = others.max(by: { $0.kind.weight < $1.kind.weight }),
        column + 1 < drawn.count, !occupied.contains(cell + 1)
      else { continue }
      let beside = Cell(
        text: symbols[other.kind], role: other.kind.role(inInputLane: lane.isInput))
      let isEarlier = other.at < (equal.last?.at ?? .zero)
      (drawn[column], drawn[column + 1]) = isEarlier ? (beside, main) : (main, beside)
    }
    return drawn
  }

  /// Returns the line in a cell: busy if any part of the cell is, otherwise the line at its start, or else the first
  /// one that begins in it.
  private func line(of lane: LabLane, in cell: Int64) -> LabLine {
    var line = LabLine.none
    for segment in lane.segments {
      let from = segment.from.clampedNanoseconds
      guard from < (cell + 1) * cellDuration, from <= now else { break }
      if from <= cell * cellDuration || segment.line == .busy || line == .none {
        line = segment.line
      }
    }
    return line
  }

  private func levels(of lane: LabLane, row: Int, symbols: Symbols) -> [Cell] {
    cells.map { cell in
      guard cell * cellDuration <= now else { return Cell(text: " ", role: .faint) }
      let end = min((cell + 1) * cellDuration - 1, now)
      let fraction = lane.levels.last { $0.from.clampedNanoseconds <= end }?.fraction ?? 0
      let eighths = Int((fraction * Double(8 * lane.rows)).rounded(.up))
      let below = 8 * (lane.rows - 1 - row)
      return Cell(text: symbols.levels[min(max(eighths - below, 0), 8)], role: lane.levelTone.role)
    }
  }

  /// Returns the axis, with labels at multiples of 1, 2 or 5 s, ten times that and so on, as many as fit. An axis of
  /// positions numbers them from 1, one for each second.
  func axis(_ lanes: LabLanes) -> String {
    let second: Int64 = 1_000_000_000
    let intervals = [1, 2, 5, 10, 20, 50, 100].map { $0 * second }
    let labelInterval = intervals.first { $0 / cellDuration >= 6 } ?? 1000 * second
    var axis = ""
    var time = (cells.lowerBound * cellDuration + labelInterval - 1) / labelInterval * labelInterval
    while time < cells.upperBound * cellDuration {
      let column = Int(time / cellDuration - cells.lowerBound)
      if column >= axis.cellWidth {
        axis += String(repeating: " ", count: column - axis.cellWidth)
        let number = time / second
        axis +=
          lanes.axis == .positions ? "\(number + 1)" : axis.isBlank ? "\(number) s" : "\(number)"
      }
      time += labelInterval
    }
    return axis
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy { $0 == " " } }
}
