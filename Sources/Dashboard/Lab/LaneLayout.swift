import TerminalCore
import TimerKit

/// The division of lanes into cells.
struct LaneLayout {
  struct Cell {
    var text: String
    var role: Role
    var surface = TextLine.Surface.screen
  }

  let labelWidth: Int
  /// The width of the notes beside the lanes; 0 if they have no room there.
  let noteWidth: Int
  private let symbols: Symbols
  /// The duration of a cell in nanoseconds.
  private let cellDuration: Int64
  private let cells: Range<Int64>
  private let now: Int64

  /// - Parameter width: The width of labels, cells and notes together.
  init(_ lanes: LabLanes, width: Int, _ symbols: Symbols) {
    self.symbols = symbols
    let widestLabel = lanes.lanes.map(\.label.cellWidth).max() ?? 0
    labelWidth = min(widestLabel, max(4, width / 5))
    // Two cells for the sign. A note is not wider than a third, so that a long one does not move the lanes.
    let widestNote = lanes.lanes.map { $0.note.isEmpty ? 0 : $0.note.cellWidth + 2 }.max() ?? 0
    noteWidth = width >= 54 && widestNote > 0 ? min(max(widestNote, 12), width / 3) : 0
    let available = Int64(
      max(1, width - labelWidth - 1 - (noteWidth > 0 ? noteWidth + 2 : 0)))
    let unit = max(1, lanes.cellDuration.clampedNanoseconds)
    let wanted = max(1, lanes.length.clampedNanoseconds / unit)
    // A cell is a multiple or a fraction of `lanes.cellDuration`, so that equal times have equal distances. The multiples
    // are powers of two: events on a grid then do not share some cells and leave others empty.
    var multiple: Int64 = 1
    while multiple * available < wanted { multiple *= 2 }
    cellDuration = available >= 2 * wanted ? unit / (available / wanted) : unit * multiple
    now = lanes.now.clampedNanoseconds
    // The last cell is the end of the shown length, or now if that is later.
    let count = min(
      available, (lanes.length.clampedNanoseconds + cellDuration - 1) / cellDuration)
    let last = lanes.now <= lanes.length ? count : max(now / cellDuration + 1, count)
    cells = (last - count)..<last
  }

  var cellCount: Int { cells.count }

  /// Returns the visible column of a time; `nil` if there is none.
  func column(at time: Duration) -> Int? {
    let cell = time.clampedNanoseconds / cellDuration
    guard time.clampedNanoseconds <= now, cells.contains(cell) else { return nil }
    return Int(cell - cells.lowerBound)
  }

  /// Returns the cells of a row of a lane.
  /// - Parameters:
  ///   - row: The row, from the top, of `rows`; other than 0 only for levels.
  ///   - hasWordRow: True if the words of wrong marks have a row of their own.
  func cells(of lane: LabLane, row: Int = 0, of rows: Int = 1, hasWordRow: Bool = true) -> [Cell] {
    if !lane.levels.isEmpty { return levels(of: lane, row: row, of: rows) }
    var drawn = cells.map { _ in Cell(text: " ", role: .faint) }
    let groups = groups(of: lane)
    drawLines(of: lane, around: Set(groups.map(\.column)), on: &drawn)
    draw(groups, of: lane, hasWordRow: hasWordRow, on: &drawn)
    return drawn
  }

  private func drawLines(of lane: LabLane, around marks: Set<Int>, on drawn: inout [Cell]) {
    let segments = lane.segments
    for (index, segment) in segments.enumerated() where segment.time.clampedNanoseconds <= now {
      let isLast = index + 1 == segments.count
      // A line that is replaced at the same time is not drawn.
      if !isLast, segments[index + 1].time == segment.time { continue }
      let next = isLast ? nil : segments[index + 1].time.clampedNanoseconds
      let end = next.map { min($0, now + 1) } ?? now + 1
      let from = segment.time.clampedNanoseconds / cellDuration
      let to = next == nil || end > now ? now / cellDuration + 1 : end / cellDuration
      let visible =
        max(
          from, cells.lowerBound)..<max(
          max(from, cells.lowerBound), min(max(to, from + 1), cells.upperBound))
      let columns =
        Int(
          visible.lowerBound - cells.lowerBound)..<Int(
          visible.upperBound - cells.lowerBound)
      drawLine(segment, in: columns, around: marks, on: &drawn)
    }
  }

  /// Draws a line, or a plane with its word. Where the word does not fit, the plane is a texture.
  private func drawLine(
    _ segment: LabLane.At<LabLine>, in columns: Range<Int>, around marks: Set<Int>,
    on drawn: inout [Cell]
  ) {
    let line = segment.value
    let role = line.plane ?? .faint
    for column in columns {
      drawn[column] = Cell(text: symbols[line], role: line == .other ? .faint : role)
    }
    let word = segment.word
    guard line.plane != nil, !word.isEmpty, columns.count >= word.cellWidth + 2 else {
      // The word of a line stands at its beginning.
      if line.plane == nil, columns.count >= word.cellWidth + 6, !word.isEmpty {
        write(" \(word) ", line == .waiting ? .faint : role, at: columns.lowerBound + 2, to: &drawn)
      }
      return
    }
    // What is held is a line after its word; other planes are filled.
    let plane =
      line == .held
      ? columns.lowerBound..<(columns.lowerBound + word.cellWidth + 2) : columns
    drawPlane(word, role, in: plane, around: marks, on: &drawn)
  }

  /// Draws a plane with half a cell at each end, and its word in the middle or where no mark is in it; nothing if its
  /// word has no room.
  private func drawPlane(
    _ word: String, _ role: Role, in columns: Range<Int>, around marks: Set<Int> = [],
    on drawn: inout [Cell]
  ) {
    // A mark at an end of a plane stands beside it.
    let first = columns.lowerBound + (marks.contains(columns.lowerBound) ? 1 : 0)
    let last = columns.upperBound - (marks.contains(columns.upperBound - 1) ? 2 : 1)
    guard last - first > word.cellWidth else { return }
    let middle = first + (last - first + 1 - word.cellWidth) / 2
    let start = ([middle] + Array((first + 1)..<(last + 1 - word.cellWidth))).first { start in
      marks.isDisjoint(with: start..<(start + word.cellWidth))
    }
    guard let start else { return }
    for column in first...last { drawn[column] = Cell(text: " ", role: role, surface: .plane) }
    drawn[first] = Cell(text: symbols.planeEnds.left, role: role, surface: .edge)
    drawn[last] = Cell(text: symbols.planeEnds.right, role: role, surface: .edge)
    write(word, role, on: .plane, at: start, to: &drawn)
  }

  private func write(
    _ text: String, _ role: Role, on surface: TextLine.Surface = .screen, at column: Int,
    to drawn: inout [Cell]
  ) {
    for (offset, character) in text.enumerated() where drawn.indices.contains(column + offset) {
      drawn[column + offset] = Cell(text: String(character), role: role, surface: surface)
    }
  }

  /// The marks of a cell: the heaviest one, which is drawn, with the number of equal ones, and another one.
  private struct MarkGroup {
    var column: Int
    var main: LabLane.At<LabMarkKind>
    var count: Int
    var other: LabLane.At<LabMarkKind>?
    /// True if the other one happened first.
    var isOtherEarlier: Bool
  }

  /// Returns the visible marks by their cells, from left to right.
  private func groups(of lane: LabLane) -> [MarkGroup] {
    let visible = lane.marks.enumerated().compactMap { index, mark in
      column(at: mark.time).map { (index: index, column: $0, mark: mark) }
    }
    return Dictionary(grouping: visible, by: \.column).compactMap { column, marks in
      guard let weight = marks.map(\.mark.value.weight).max(),
        let main = marks.last(where: { $0.mark.value.weight == weight })
      else { return nil }
      let others = marks.filter { $0.mark.value != main.mark.value }
      let other = others.max { $0.mark.value.weight < $1.mark.value.weight }
      let count = marks.count { $0.mark.value == main.mark.value }
      return MarkGroup(
        column: column, main: main.mark, count: count, other: other?.mark,
        // Of two events at the same time, the first one in the list came first.
        isOtherEarlier: (other?.index ?? 0) < main.index)
    }.sorted { $0.column < $1.column }
  }

  private func draw(
    _ groups: [MarkGroup], of lane: LabLane, hasWordRow: Bool, on drawn: inout [Cell]
  ) {
    // A word ends before the next mark and before the next plane.
    let ends =
      groups.map(\.column) + [drawn.count]
      + lane.segments.filter { $0.value.plane != nil }.compactMap { column(at: $0.time) }
    for group in groups {
      let end = ends.filter { $0 > group.column }.min() ?? drawn.count
      let isKey = lane.isInput
      func cell(_ mark: LabLane.At<LabMarkKind>) -> Cell {
        let kind = mark.value
        return Cell(
          text: symbols[kind], role: kind.role(inInputLane: isKey),
          surface: isKey && kind.role(inInputLane: true) == .key ? .plane : .screen)
      }
      let main = cell(group.main)
      drawn[group.column] = main
      // Another mark at about the same time takes the next cell if that is free; the later one is on the right.
      if let other = group.other, group.column + 1 < end {
        drawn[group.column] = group.isOtherEarlier ? cell(other) : main
        drawn[group.column + 1] = group.isOtherEarlier ? main : cell(other)
        continue
      }
      if group.count > 1 {
        let count = symbols.isASCII ? "x\(group.count)" : "×\(group.count)"
        let fits = group.column + count.cellWidth < end
        write(fits ? count : "", main.role, at: group.column + 1, to: &drawn)
        if !fits { drawn[group.column].text = "+" }
        continue
      }
      let isBelow = hasWordRow && group.main.value == .wrong
      guard !isBelow, !group.main.word.isEmpty else { continue }
      draw(group.main, at: group.column, before: end, isKey: isKey, on: &drawn)
    }
  }

  /// Draws the word of a mark if it ends before the next one. A word with the character in it takes its place.
  private func draw(
    _ mark: LabLane.At<LabMarkKind>, at column: Int, before end: Int, isKey: Bool,
    on drawn: inout [Cell]
  ) {
    let role = mark.value.role(inInputLane: isKey)
    let room = end - column
    let word = mark.word
    if isKey {
      guard room >= word.cellWidth + 2 else { return }
      drawPlane(word, role, in: column..<(column + word.cellWidth + 2), on: &drawn)
    } else if case .character(let character) = mark.value, word.contains(character) {
      // A blank is between the word and the next mark.
      guard room > word.cellWidth else { return }
      write(word, role, at: column, to: &drawn)
    } else {
      guard room >= word.cellWidth + 3 else { return }
      write(" \(word) ", role, at: column + 1, to: &drawn)
    }
  }

  private func levels(of lane: LabLane, row: Int, of rows: Int) -> [Cell] {
    cells.map { cell in
      guard cell * cellDuration <= now else { return Cell(text: " ", role: .faint) }
      let end = min((cell + 1) * cellDuration - 1, now)
      /// Returns how much of the cell is below a level, in eighths.
      func eighths(_ levels: [LabLane.At<Double>]) -> Int {
        let fraction = levels.last { $0.time.clampedNanoseconds <= end }?.value ?? 0
        let eighths = Int((fraction * Double(8 * rows)).rounded(.up))
        return min(max(eighths - 8 * (rows - 1 - row), 0), 8)
      }
      let all = eighths(lane.levels)
      let used = lane.used.isEmpty ? all : eighths(lane.used)
      // A cell has one color: that of its larger part.
      if used * 2 >= all { return Cell(text: symbols.levels[all], role: lane.levelRole) }
      return Cell(text: all == 8 ? symbols.unused : symbols.levels[all], role: .error)
    }
  }

  /// Returns the axis, with labels at multiples of 1, 2 or 5 s, ten times that and so on, as many as fit. An axis of
  /// steps numbers them from 1, one for each second.
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
        let isFirst = axis.allSatisfy { $0 == " " }
        switch lanes.axis {
        case .steps: axis += isFirst ? "step \(number + 1)" : "\(number + 1)"
        case .seconds: axis += isFirst ? "\(number) s" : "\(number)"
        }
      }
      time += labelInterval
    }
    return axis
  }
}
