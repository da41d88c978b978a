import TerminalCore
import TimerKit

extension LabView {
  /// Returns the text lines of lanes, with those of their axis and notes.
  /// - Parameters:
  ///   - height: The available height. If the rows and words of all lanes do not fit, each lane has one row.
  ///   - isLoose: True to name the marks below each lane, with a blank line between two lanes, and to draw levels higher.
  func lines(of lanes: LabLanes, height: Int, isLoose: Bool) -> [TextLine] {
    var lanes = lanes
    for index in lanes.lanes.indices where isLoose && !lanes.lanes[index].levels.isEmpty {
      lanes.lanes[index].rows += 1
    }
    if lanes.lanes.reduce(1, { $0 + max(1, $1.rows) + ($1.words.isEmpty ? 0 : 1) }) > height {
      for index in lanes.lanes.indices {
        lanes.lanes[index].rows = 1
        lanes.lanes[index].words = []
      }
    }
    let layout = LaneLayout(lanes, width: width, noteRows: isLoose ? 2 : 1)
    let indent = String(repeating: " ", count: layout.labelWidth + 1)
    var lines = [TextLine(indent + layout.axis(lanes), .faint)]
    for (index, lane) in lanes.lanes.enumerated() {
      if index > 0, isLoose { lines.append(TextLine()) }
      let notes =
        layout.noteWidth > 0
        ? lane.note.wrapped(to: layout.noteWidth, lines: isLoose ? 2 : 1) : []
      for row in 0..<max(1, lane.rows) {
        var line = TextLine()
        // The label and the note of a lane stand beside its last row.
        let isLast = row == max(1, lane.rows) - 1
        if isLast {
          let label = lane.label.truncated(to: layout.labelWidth)
          line.add(label.padded(to: layout.labelWidth + 1), lane.isInput ? .key : .text)
        } else {
          let scale = row == 0 ? lane.scale.truncated(to: layout.labelWidth) : ""
          line.add(scale.padded(to: layout.labelWidth, alignedRight: true) + " ", .faint)
        }
        for cell in layout.cells(of: lane, row: row, symbols: symbols) {
          line.add(cell.text, cell.role)
        }
        if isLast, let first = notes.first {
          line.add("  ")
          add(first, of: lane, to: &line)
        }
        lines.append(line)
      }
      if isLoose || !lane.words.isEmpty {
        var line = textLine(of: lane, on: layout, hasNames: isLoose && lane.levels.isEmpty)
        if notes.count > 1 {
          let column = layout.labelWidth + 3 + layout.cellCount
          line.add(String(repeating: " ", count: max(1, column - line.width)))
          line.add(notes[1], lane.isGood == false ? .error : .text)
        }
        lines.append(line)
      }
    }
    return layout.noteWidth > 0 ? lines : lines + noteLines(of: lanes, layout)
  }

  /// Adds a note after the sign of its lane's outcome.
  private func add(_ note: String, of lane: LabLane, to line: inout TextLine) {
    if let isGood = lane.isGood { line.add(sign(isGood) + " ", isGood ? .good : .error) }
    line.add(note, lane.isGood == false ? .error : .text)
  }

  func sign(_ isGood: Bool) -> String { symbols[isGood ? .finished : .wrong] }

  /// Returns the words of a lane below their marks, and the names of its marks and segments, each below the first
  /// visible one of its kind.
  private func textLine(of lane: LabLane, on layout: LaneLayout, hasNames: Bool) -> TextLine {
    let subjects = layout.subjects(of: lane)
    var texts: [(column: Int, text: String, role: Role)] = []
    /// Adds a text if at least two cells are between it and any other.
    func add(_ text: String, _ role: Role, at column: Int, before end: Int) {
      let isFree = texts.allSatisfy {
        column + text.cellWidth + 1 < $0.column || $0.column + $0.text.cellWidth + 1 < column
      }
      guard isFree, column >= 0, column + text.cellWidth <= end else { return }
      texts.append((column, text, role))
    }
    for word in lane.words {
      guard let column = layout.column(at: word.time) else { continue }
      let start = min(column, layout.cellCount - word.value.cellWidth)
      add(word.value, .error, at: start, before: layout.cellCount)
    }
    var seen: Set<String> = []
    for (column, subject) in subjects where hasNames {
      guard let name = name(of: subject, isInput: lane.isInput), seen.insert(name).inserted else {
        continue
      }
      let nextMark = subjects.first {
        $0.column > column && $0.subject.isMark && $0.subject != subject
      }
      // A name does not reach below another mark.
      add(name, .faint, at: column, before: nextMark?.column ?? layout.cellCount)
    }
    var line = TextLine()
    for text in texts.sorted(by: { $0.column < $1.column }) {
      line.add(
        String(repeating: " ", count: layout.labelWidth + 1 + text.column - line.width))
      line.add(text.text, text.role)
    }
    return line
  }

  /// Returns the name of a mark or a line, from the keys for an input and from the legend for others.
  private func name(of subject: LabPage.LegendEntry.Subject, isInput: Bool) -> String? {
    guard isInput else {
      let meaning = page.legend.first { $0.subject == subject }?.meaning
      return meaning.map { String($0.prefix { $0 != "(" && $0 != "," }).withoutTrailingSpaces }
    }
    guard case .mark(.character(let letter)) = subject else { return nil }
    let inputs = page.keys.filter(\.isInput)
    let key = inputs.first { $0.commands == [.input(letter)] }
    // A scene with one key marks each press with the next letter, so that the letter is not the key.
    return (key ?? (inputs.count == 1 ? inputs.first : nil))?.label
  }

  /// Returns the notes as lines below the lanes, for a width with no room beside them.
  private func noteLines(of lanes: LabLanes, _ layout: LaneLayout) -> [TextLine] {
    lanes.lanes.filter { !$0.note.isEmpty }.map { lane in
      let label = lane.label.truncated(to: layout.labelWidth)
      var line = TextLine(label.padded(to: layout.labelWidth + 1), .faint)
      let sign = lane.isGood == nil ? 0 : 2
      add(lane.note.truncated(to: max(1, width - line.width - sign)), of: lane, to: &line)
      return line
    }
  }
}

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
    let widestNote =
      lanes.lanes.map { $0.note.cellWidth + ($0.isGood == nil ? 0 : 2) }.max() ?? 0
    let noteLimit = noteRows > 1 ? 24 : 31
    noteWidth = width >= 70 ? min(max(widestNote, 16), noteLimit) : 0
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

  /// Returns the visible marks of a lane, and the visible beginnings of its lines, with their columns from left to right.
  func subjects(of lane: LabLane) -> [(column: Int, subject: LabPage.LegendEntry.Subject)] {
    typealias Subject = LabPage.LegendEntry.Subject
    let marks = lane.marks.map { ($0.time, Subject.mark($0.value)) }
    let segments = lane.segments
    // A line that is replaced at the same time is not drawn.
    let lines = segments.indices.filter {
      $0 + 1 == segments.count || segments[$0 + 1].time != segments[$0].time
    }.map { (segments[$0].time, Subject.line(segments[$0].value)) }
    return (marks + lines).compactMap { time, subject in
      column(at: time).map { ($0, subject) }
    }.sorted { $0.column < $1.column }
  }

  /// Returns the visible column of a time; `nil` if there is none.
  func column(at time: Duration) -> Int? {
    let cell = time.clampedNanoseconds / cellDuration
    guard time.clampedNanoseconds <= now, cells.contains(cell) else { return nil }
    return Int(cell - cells.lowerBound)
  }

  typealias Cell = (text: String, role: Role)

  func cells(of lane: LabLane, row: Int, symbols: Symbols) -> [Cell] {
    if !lane.levels.isEmpty { return levels(of: lane, row: row, symbols: symbols) }
    var drawn = cells.map { cell -> Cell in
      guard cell * cellDuration <= now else { return (" ", .faint) }
      let line = line(of: lane, in: cell)
      return (symbols[line], line == .busy ? .warning : .faint)
    }
    let marks = Dictionary(grouping: lane.marks.filter { $0.time.clampedNanoseconds <= now }) {
      $0.time.clampedNanoseconds / cellDuration
    }
    let occupied = Set(marks.keys)
    for (cell, marks) in marks where cells.contains(cell) {
      guard let weight = marks.map(\.value.weight).max() else { continue }
      let equal = marks.filter { $0.value.weight == weight }
      guard let kind = equal.last?.value else { continue }
      let isCounted = equal.count > 1 && equal.allSatisfy { $0.value == kind }
      let column = Int(cell - cells.lowerBound)
      let text = isCounted ? (equal.count < 10 ? "\(equal.count)" : "+") : symbols[kind]
      let main: Cell = (text, kind.role(inInputLane: lane.isInput))
      drawn[column] = main
      // Another mark at about the same time takes the next cell if that is free; the later one is on the right.
      let others = marks.filter { $0.value != kind }
      guard let other = others.max(by: { $0.value.weight < $1.value.weight }),
        column + 1 < drawn.count, !occupied.contains(cell + 1)
      else { continue }
      let beside: Cell = (symbols[other.value], other.value.role(inInputLane: lane.isInput))
      let isEarlier = other.time < (equal.last?.time ?? .zero)
      drawn[column] = isEarlier ? beside : main
      drawn[column + 1] = isEarlier ? main : beside
    }
    return drawn
  }

  /// Returns the line in a cell: busy if any part of the cell is, otherwise the line at its start, or else the first
  /// one that begins in it.
  private func line(of lane: LabLane, in cell: Int64) -> LabLine {
    var line = LabLine.none
    for segment in lane.segments {
      let from = segment.time.clampedNanoseconds
      guard from < (cell + 1) * cellDuration, from <= now else { break }
      if from <= cell * cellDuration || segment.value == .busy || line == .none {
        line = segment.value
      }
    }
    return line
  }

  private func levels(of lane: LabLane, row: Int, symbols: Symbols) -> [Cell] {
    cells.map { cell in
      guard cell * cellDuration <= now else { return (" ", .faint) }
      let end = min((cell + 1) * cellDuration - 1, now)
      /// Returns how much of the cell is below a level, in eighths.
      func eighths(_ levels: [LabLane.At<Double>]) -> Int {
        let fraction = levels.last { $0.time.clampedNanoseconds <= end }?.value ?? 0
        let eighths = Int((fraction * Double(8 * lane.rows)).rounded(.up))
        return min(max(eighths - 8 * (lane.rows - 1 - row), 0), 8)
      }
      let all = eighths(lane.levels)
      let used = lane.used.isEmpty ? all : eighths(lane.used)
      // A cell has one color: that of its larger part.
      if used * 2 >= all { return (symbols.levels[all], lane.levelRole) }
      return (all == 8 ? symbols.unused : symbols.levels[all], .error)
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
        let isFirst = axis.allSatisfy { $0 == " " }
        axis += lanes.axis == .positions ? "\(number + 1)" : isFirst ? "\(number) s" : "\(number)"
      }
      time += labelInterval
    }
    return axis
  }
}
