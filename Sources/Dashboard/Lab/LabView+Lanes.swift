import TerminalCore

/// The picture of a scene: the axis, the lanes with their notes, and the legend.
extension LabView {
  /// Returns the picture in at most `height` lines; `nil` for as many as it needs.
  func pictureLines(of lanes: LabLanes, height: Int?) -> [TextLine] {
    let layout = LaneLayout(lanes, width: width, symbols)
    var legend = legendLines
    let room = (height ?? .max) - 1
    // The lanes are worth more than their legend.
    if room - legend.count < lanes.lanes.count { legend = [] }
    let spacing = spacing(of: lanes, height.map { $0 - 1 - legend.count })
    var lines = [TextLine(indent(layout) + layout.axis(lanes), .faint)]
    for (index, lane) in lanes.lanes.enumerated() {
      if index > 0, spacing.hasGaps { lines.append(TextLine()) }
      lines += laneLines(of: lane, layout, spacing)
    }
    if layout.noteWidth == 0, lines.count + lanes.lanes.count + legend.count <= room {
      lines += noteLines(of: lanes, layout)
    }
    if !legend.isEmpty, height == nil || lines.count + legend.count < room {
      legend.insert(TextLine(), at: 0)
    }
    return height.map { Array((lines + legend).prefix(max(0, $0))) } ?? lines + legend
  }

  /// The rows that a lane takes.
  private struct Spacing {
    /// The rows of levels.
    var levelRows = 2
    /// True if a lane that can fail has a row for the words below its marks.
    var hasWordRows = true
    /// True if every lane has such a row.
    var isEven = false
    /// True if a blank line is between two lanes.
    var hasGaps = false
  }

  /// Returns the widest spacing that fits; `nil` stands for any height.
  private func spacing(of lanes: LabLanes, _ height: Int?) -> Spacing {
    guard let height else { return Spacing() }
    let count = lanes.lanes.count
    // A wide spacing leaves a blank line below the picture.
    let room = height - 1
    guard lanes.lanes.allSatisfy({ $0.levels.isEmpty }) else {
      let hasGaps = room >= 4 * count - 1
      let rows = (room - (hasGaps ? count - 1 : 0)) / max(1, count)
      return Spacing(levelRows: min(5, max(1, rows)), hasWordRows: false, hasGaps: hasGaps)
    }
    if room >= 3 * count - 1 { return Spacing(isEven: true, hasGaps: true) }
    if room >= 2 * count { return Spacing(isEven: true) }
    return Spacing(hasWordRows: height >= count + lanes.lanes.count(where: canFail))
  }

  /// Returns true if a lane can have wrong marks.
  private func canFail(_ lane: LabLane) -> Bool {
    lane.levels.isEmpty && !lane.isInput && page.verdict(of: lane) != .right
  }

  private func laneLines(
    of lane: LabLane, _ layout: LaneLayout, _ spacing: Spacing
  ) -> [TextLine] {
    let rows = lane.levels.isEmpty ? 1 : spacing.levelRows
    let hasWordRow = spacing.hasWordRows && (spacing.isEven || canFail(lane))
    var lines = (0..<rows).map { row in
      var line = TextLine()
      // The label and the note of a lane stand beside its last row.
      let isLast = row == rows - 1
      if isLast {
        let label = lane.label.truncated(to: layout.labelWidth)
        line.add(label.padded(to: layout.labelWidth + 1), lane.isInput ? .key : .text)
      } else {
        let scale = row == 0 ? lane.scale.truncated(to: layout.labelWidth) : ""
        line.add(scale.padded(to: layout.labelWidth, alignedRight: true) + " ", .faint)
      }
      for cell in layout.cells(of: lane, row: row, of: rows, hasWordRow: hasWordRow) {
        line.add(cell.text, cell.role, on: cell.surface)
      }
      if isLast, layout.noteWidth > 0, !lane.note.isEmpty {
        line.add("  ")
        addNote(of: lane, to: &line, limit: layout.noteWidth)
      }
      return line
    }
    if hasWordRow { lines.append(wordLine(of: lane, layout)) }
    return lines
  }

  /// Adds the note of a lane after the sign of its outcome. While the outcome is not known, there is a blank.
  private func addNote(of lane: LabLane, to line: inout TextLine, limit: Int) {
    let verdict = lane.isGood == nil ? nil : page.verdict(of: lane)
    line.add((verdict.map { symbols[$0] } ?? "").padded(to: 2), verdict?.role ?? .text)
    let isFault = lane.isGood == false
    line.add(lane.note.cutAtWord(to: limit - 2), isFault ? verdict?.role ?? .error : .text)
  }

  /// Returns the words of the wrong marks of a lane, below them. A word that comes again and again is written once.
  private func wordLine(of lane: LabLane, _ layout: LaneLayout) -> TextLine {
    var line = TextLine(indent(layout))
    var last = ""
    for mark in lane.marks where mark.value == .wrong && !mark.word.isEmpty {
      guard mark.word != last, let column = layout.column(at: mark.time) else { continue }
      let start = indent(layout).count + min(column, layout.cellCount - mark.word.cellWidth)
      let isFirst = last.isEmpty
      guard start >= line.width + (isFirst ? 0 : 2), start >= indent(layout).count else { continue }
      line.add(String(repeating: " ", count: start - line.width))
      line.add(mark.word, .error)
      last = mark.word
    }
    return line
  }

  private func indent(_ layout: LaneLayout) -> String {
    String(repeating: " ", count: layout.labelWidth + 1)
  }

  /// Returns the notes as lines below the lanes, for a width with no room beside them.
  private func noteLines(of lanes: LabLanes, _ layout: LaneLayout) -> [TextLine] {
    lanes.lanes.filter { !$0.note.isEmpty }.map { lane in
      let label = lane.label.truncated(to: layout.labelWidth)
      var line = TextLine(label.padded(to: layout.labelWidth + 1), .faint)
      addNote(of: lane, to: &line, limit: max(1, width - line.width))
      return line
    }
  }

  /// The marks and lines of the lanes with their meanings.
  var legendLines: [TextLine] {
    let entries = page.legend.map { entry in
      var line = TextLine()
      switch entry.subject {
      case .mark(let kind): line.add(symbols[kind], kind.role(inInputLane: false))
      case .line(let kind):
        line.add(symbols[kind], kind == .other ? .faint : kind.plane ?? .faint)
      case .level(let isUsed):
        line.add(isUsed ? symbols.levels[8] : symbols.unused, isUsed ? .good : .error)
      }
      line.add(" \(entry.meaning)", .faint)
      return line
    }
    return flowed(entries, gap: 3, width: width)
  }
}

extension LabPage {
  /// The verdict on a lane: that of its use, or of its outcome if it has none.
  func verdict(of lane: LabLane) -> Verdict {
    uses.first { $0.lane == lane.label }?.verdict ?? (lane.isGood == false ? .wrong : .right)
  }
}
