import TerminalCore
import TimerKit

extension LabView {
  /// Returns the text lines of lanes, with those of their axis and notes.
  /// - Parameters:
  ///   - height: The available height. If the rows of all lanes do not fit, each lane has one row.
  ///   - isLoose: True to name the marks below each lane, with a blank line between two lanes, and to draw levels higher.
  func lines(of lanes: LabLanes, height: Int, isLoose: Bool) -> [TextLine] {
    var lanes = lanes
    for index in lanes.lanes.indices where isLoose && !lanes.lanes[index].levels.isEmpty {
      lanes.lanes[index].rows += 1
    }
    if lanes.lanes.reduce(1, { $0 + max(1, $1.rows) }) > height {
      for index in lanes.lanes.indices { lanes.lanes[index].rows = 1 }
    }
    let layout = LaneLayout(lanes, width: blockWidth, noteRows: isLoose ? 2 : 1)
    var lines = [newLine()]
    lines[0].add(String(repeating: " ", count: layout.labelWidth + 1) + layout.axis(lanes), .faint)
    for (index, lane) in lanes.lanes.enumerated() {
      if index > 0, isLoose { lines.append(TextLine()) }
      let notes =
        layout.noteWidth > 0
        ? lane.note.wrapped(to: layout.noteWidth, lines: isLoose ? 2 : 1) : []
      for row in 0..<max(1, lane.rows) {
        var line = newLine()
        // The label and the note of a lane stand beside its last row.
        let isLast = row == max(1, lane.rows) - 1
        let label = isLast ? lane.label.truncated(to: layout.labelWidth) : ""
        line.add(
          label.padded(to: layout.labelWidth + 1), lane.isInput ? .key : .text)
        for cell in layout.cells(of: lane, row: row, symbols: symbols) {
          line.add(cell.text, cell.role)
        }
        if isLast, let first = notes.first { line.add("  " + first) }
        lines.append(line)
      }
      if isLoose {
        var line = lane.levels.isEmpty ? nameLine(of: lane, on: layout) : newLine()
        if notes.count > 1 {
          let column = newLine().width + layout.labelWidth + 3 + layout.cellCount
          line.add(String(repeating: " ", count: max(1, column - line.width)) + notes[1])
        }
        lines.append(line)
      }
    }
    return layout.noteWidth > 0 ? lines : lines + noteLines(of: lanes, layout)
  }

  /// Returns the names of a lane's marks and segments, each below the first visible one of its kind.
  private func nameLine(of lane: LabLane, on layout: LaneLayout) -> TextLine {
    var line = newLine()
    let start = line.width + layout.labelWidth + 1
    var seen: Set<String> = []
    for (column, width, subject) in layout.firstCells(of: lane) {
      guard let name = name(of: subject, isInput: lane.isInput) else { continue }
      let free = start + column - line.width
      guard seen.insert(name).inserted else { continue }
      // Two names do not touch, and a name does not reach below another mark or the notes.
      guard free > (line.width > start ? 1 : -1), name.cellWidth <= width else { continue }
      line.add(String(repeating: " ", count: free))
      line.add(name, .faint)
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
      var line = newLine()
      let label = lane.label.truncated(to: layout.labelWidth)
      line.add(label.padded(to: layout.labelWidth + 1), .faint)
      line.add(lane.note.truncated(to: max(1, blockWidth - line.width)))
      return line
    }
  }
}
