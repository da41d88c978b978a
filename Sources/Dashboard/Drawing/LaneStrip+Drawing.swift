import TerminalCore
import TimerBoard
import TimerKit

/// The drawing of a lane: its cells, and the words that say how it ends.
extension LaneStrip {
  /// Draws now as one line through all lanes.
  func drawNow(y: Int, height: Int) {
    guard (0..<width).contains(nowColumn) else { return }
    frame.canvas.fill(
      Rect(x: x + nowColumn, y: y, width: 1, height: height), with: frame.symbols.timeline.now,
      style: frame.theme[.key])
  }

  func draw(_ row: Row, y: Int) {
    let lane = lane(of: row.events)
    drawCells(of: lane, row, y: y)
    drawWords(of: lane, row, y: y)
  }

  private func drawCells(of lane: Lane, _ row: Row, y: Int) {
    let contents = lane.contents
    var column = 0
    while column < width {
      var end = column + 1
      // Now and the future have other styles than the past.
      while end < width, contents[end] == contents[column], end != nowColumn, end != nowColumn + 1 {
        end += 1
      }
      if let (symbol, style) = look(of: contents[column], row, at: column) {
        let area = Rect(x: x + column, y: y, width: end - column, height: 1)
        frame.canvas.fill(area, with: symbol, style: style)
        if case .phase(let index) = contents[column] {
          drawName(of: row.events.phases, index, in: area, isFuture: column > nowColumn)
        }
      }
      column = end
    }
  }

  /// Returns the symbol and the style of a cell; `nil` for a blank one.
  private func look(
    of content: Lane.Content, _ row: Row, at column: Int
  ) -> (Unicode.Scalar, Style)? {
    let (symbols, theme) = (frame.symbols.timeline, frame.theme)
    let isFuture = column > nowColumn
    switch content {
    case .none: return nil
    case .running where row.events.isDaily: return nil
    case .running where row.events.isCounting: return (symbols.counting, theme[.elapsed])
    case .running where isFuture:
      guard let style = futureStyle(.bar) else { return (symbols.line, theme[.faint]) }
      return (frame.symbols.bar.full, style)
    case .running: return (frame.symbols.bar.full, theme[.bar])
    case .phase(let index):
      let role = Role(phase: index)
      // Without colors, and in ASCII, the phases differ in their texture.
      let texture = index % 2 == 0 ? symbols.evenPhase : symbols.oddPhase
      if hasTextures { return (texture, theme[role]) }
      return (frame.symbols.fullBlock, isFuture ? futureStyle(role) ?? theme[role] : theme[role])
    case .dense where !row.events.phases.isEmpty:
      return (symbols.shortPhases, isFuture ? futureStyle(.work) ?? theme[.work] : theme[.work])
    case .dense: return (symbols.dense, theme[isFuture ? .faint : .bar])
    // The newest fire is seen in the line of now.
    case .fired where column == nowColumn:
      return (symbols.newest, theme[row.needsAttention ? .alert : .bar])
    case .late where column == nowColumn: return (symbols.newest, theme[.warning])
    case .fired: return (symbols.fired, theme[.bar])
    case .late: return (symbols.late, theme[.warning])
    case .missed: return (symbols.missed, theme[.failure])
    case .future: return (symbols.fired, theme[.text])
    }
  }

  private var hasTextures: Bool { frame.theme.needsTextures || frame.symbols.isASCII }

  /// Returns a color at half its brightness; `nil` without exact colors.
  private func futureStyle(_ role: Role) -> Style? {
    guard frame.hasExactColors, !hasTextures else { return nil }
    return frame.theme.shade(1, of: 2, role).map { Style($0) }
  }

  /// Writes the name of a phase into its band, with its duration if there is room.
  private func drawName(
    of phases: [Cycle.Phase], _ index: Int, in area: Rect, isFuture: Bool
  ) {
    guard phases.indices.contains(index),
      let text = [" \(phases[index].text) ", " \(phases[index].name) "].first(
        where: { $0.cellWidth + (hasTextures ? 2 : 0) <= area.width })
    else { return }
    let role = Role(phase: index)
    let shade = isFuture ? futureStyle(role) : nil
    // Reversed in a texture, it would look like a gap.
    let style =
      hasTextures
      ? .plain
      : shade.map { Style(frame.theme.screen.foreground, on: $0.foreground) }
        ?? frame.theme[role].adding(.reverse)
    frame.canvas.write(
      text, x: area.x + (area.width - text.cellWidth) / 2, y: area.y, style: style)
  }
}

/// The words of a lane.
extension LaneStrip {
  private func drawWords(of lane: Lane, _ row: Row, y: Int) {
    let last = lane.contents.lastIndex { $0 != .none } ?? -1
    let free = max(nowColumn, last) + 2
    switch row.state.timer {
    case .running: drawEnd(of: lane, row, y: y)
    case _ where row.alert != nil:
      write("\(row.state.symbol) \(row.alert?.text ?? "")", row.state.role, at: free, y: y)
    case .paused:
      let end = write(pausedText(of: row), .paused, at: max(1, nowColumn + 2), y: y)
      guard end > 0 else { return }
      for column in stride(from: end + 1, to: width, by: 2) {
        frame.write(String(Character(frame.symbols.bar.dots)), .faint, x: x + column, y: y)
      }
    default:
      write("\(row.state.symbol) \(row.state.word)", .faint, at: free, y: y)
    }
  }

  private func pausedText(of row: Row) -> String {
    // Only the plan of a countdown that was paused before its end moves with time.
    let text = row.plan.isOnce && row.plan.nextChange != nil ? row.plan.text : row.state.word
    return "\(row.state.symbol) \(text)"
  }

  /// Writes the end of a running timer behind its last cell, or that it goes on behind the right edge.
  private func drawEnd(of lane: Lane, _ row: Row, y: Int) {
    let events = row.events
    if events.countsUp {
      write(row.state.word, .faint, at: max(1, nowColumn + 2), y: y)
      return
    }
    guard events.due != nil, nowColumn < width - 1 else { return }
    let end = events.runEnd
    let endColumn = end.map { column(of: $0) } ?? .max
    if let end, endColumn < width {
      if lane.isDense { writeRate(of: events, upTo: endColumn, y: y) }
      let clock = frame.timeOfDay(
        at: now.advanced(by: .nanoseconds(end.subtractingSaturated(now.nanoseconds))))
      let isSingle = row.plan.isOnce || events.firesLeft == 1 && events.phases.isEmpty
      write(isSingle ? clock : "done \(clock)", .faint, at: max(nowColumn, endColumn) + 2, y: y)
      return
    }
    let arrow = String(Character(frame.symbols.timeline.goesOn))
    frame.write(arrow, .faint, x: x + width - 1, y: y)
    if lane.isDense {
      writeRate(of: events, upTo: width - 1, y: y)
    } else if events.phases.isEmpty, let due = row.plan.due,
      !lane.contents.dropFirst(max(0, nowColumn)).contains(.future)
    {
      let text = " \(due) "
      let start = width - 1 - text.cellWidth
      if start > nowColumn + 1 { frame.write(text, .faint, x: x + start, y: y) }
    }
  }

  /// Writes how often a timer fires into the texture of its fires, at its end.
  private func writeRate(of events: Row.Events, upTo end: Int, y: Int) {
    let text = " \(events.rateText) "
    let start = min(end, width) - 2 - text.cellWidth
    if start > nowColumn + 2 { frame.write(text, .faint, x: x + start, y: y) }
  }

  /// Writes a text into a lane, if it fits.
  /// - Returns: The column after it; 0 if it does not.
  @discardableResult
  private func write(_ text: String, _ role: Role, at column: Int, y: Int) -> Int {
    guard column >= 0, column + text.cellWidth <= width else { return 0 }
    // The words stand between blanks, whatever they cover.
    frame.canvas.write(
      " ", x: x + column + text.cellWidth, y: y, limit: max(0, width - column - text.cellWidth))
    return frame.write(text, role, x: x + column, y: y) - x
  }
}
