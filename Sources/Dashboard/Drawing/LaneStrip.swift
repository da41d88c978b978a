import TerminalCore
import TimerBoard
import TimerKit

/// The lanes of timers on a common scale: those of the timeline, and those of the pane of what is next. A cell is a fixed
/// stretch of time, counted from the start of the suspending clock, so that all lanes move by whole cells.
struct LaneStrip {
  let frame: Frame
  /// The duration of a cell in nanoseconds.
  let cellDuration: Int64
  /// The first column of the lanes.
  let x: Int
  let width: Int
  /// The column of now within the lanes, which can be outside of them.
  let nowColumn: Int
  /// The number of the cell of now.
  let currentCell: Int64

  /// - Parameter now: The present: that of the frame, or the start of its display step.
  init(
    _ frame: Frame, at now: TimerClock.Instant, x: Int, width: Int, cellDuration: Int64,
    nowColumn: Int
  ) {
    self.frame = frame
    self.x = x
    self.width = max(1, width)
    self.cellDuration = cellDuration
    self.nowColumn = nowColumn
    currentCell = Self.cellNumber(at: now.nanoseconds, cellDuration: cellDuration)
  }

  /// Returns the number of the cell that contains an instant, counted from the start of the suspending clock.
  static func cellNumber(at nanoseconds: Int64, cellDuration: Int64) -> Int64 {
    nanoseconds / cellDuration - (nanoseconds % cellDuration < 0 ? 1 : 0)
  }

  /// Returns the instant at which a cell begins, in nanoseconds of the suspending clock; `nil` if it is too far away.
  func start(ofCell number: Int64) -> Int64? {
    let (nanoseconds, overflow) = number.multipliedReportingOverflow(by: cellDuration)
    return overflow ? nil : nanoseconds
  }

  /// The number of the first cell.
  var firstCell: Int64 { currentCell - Int64(nowColumn) }

  /// Returns the contents of a row's lane. Those after now are empty for a stopwatch.
  func contents(of events: Row.Events) -> [Lane.Content] {
    var contents = Lane(
      of: events, from: start(ofCell: firstCell) ?? .min, count: width,
      cellDuration: cellDuration
    ).contents
    if events.countsUp {
      for index in contents.indices where index > nowColumn && contents[index] == .running {
        contents[index] = .none
      }
    }
    // What is due at this moment stands on the line of now, and nothing else does.
    if contents.indices.contains(nowColumn), contents[nowColumn] != .future {
      contents[nowColumn] = .none
    }
    return contents
  }

  /// Draws now as one line through all lanes.
  func drawNow(y: Int, height: Int) {
    guard (0..<width).contains(nowColumn) else { return }
    frame.canvas.fill(
      Rect(x: x + nowColumn, y: y, width: 1, height: height), with: frame.symbols.timeline.now,
      style: frame.theme[.key])
  }

  /// Draws the rest of the lane of a paused timer, from a column on.
  func drawPaused(from column: Int, y: Int) {
    let line = Rect(x: x + column, y: y, width: width - column, height: 1)
    frame.canvas.fill(line, with: frame.symbols.bar.dots, style: frame.theme[.faint])
    frame.write(" paused ", .paused, x: line.x + 3, y: y, limit: line.width - 3)
  }

  /// Draws the contents of a row's lane.
  func draw(_ contents: [Lane.Content], of events: Row.Events, on canvas: inout Canvas, y: Int) {
    var column = 0
    while column < width {
      var end = column + 1
      // The future can have another style than the past.
      while end < width, contents[end] == contents[column], end != nowColumn + 1 { end += 1 }
      if let (symbol, role) = symbol(of: contents[column], of: events, isPast: column <= nowColumn)
      {
        let area = Rect(x: x + column, y: y, width: end - column, height: 1)
        canvas.fill(area, with: symbol, style: frame.theme[role])
        if let text = label(of: contents[column], of: events, width: area.width) {
          // Otherwise it would look like a gap.
          let style = frame.theme.needsTextures ? .plain : frame.theme[role].adding(.reverse)
          canvas.write(text, x: area.x + (area.width - text.cellWidth) / 2, y: y, style: style)
        }
      }
      column = end
    }
  }

  private func symbol(
    of content: Lane.Content, of events: Row.Events, isPast: Bool
  ) -> (Unicode.Scalar, Role)? {
    let symbols = frame.symbols.timeline
    switch content {
    case .none: return nil
    case .running: return (symbols.line, events.isCounting ? .elapsed : .faint)
    case .phase(let index):
      let role = Role(phase: index)
      // Without colors, the phases differ in their texture.
      let texture = index % 2 == 0 ? symbols.evenPhase : symbols.oddPhase
      // As high as the label, which is in the band's own color.
      let band = frame.symbols.isASCII ? frame.symbols.bar.full : frame.symbols.fullBlock
      return (frame.theme.needsTextures ? texture : band, role)
    case .dense: return (symbols.dense, isPast ? .running : .faint)
    case .fired: return (symbols.fired, .running)
    case .late: return (symbols.late, .warning)
    case .missed: return (symbols.missed, .failure)
    case .future: return (symbols.future, .text)
    }
  }

  /// Returns the text inside a block of equal contents: the name of the phase, with its duration if there is room, or
  /// the rate of dense fires.
  private func label(of content: Lane.Content, of events: Row.Events, width: Int) -> String? {
    var texts: [String] = []
    switch content {
    case .phase(let index):
      guard events.phases.indices.contains(index) else { return nil }
      let phase = events.phases[index]
      texts = [" \(phase.text) ", " \(phase.name) "]
    case .dense: texts = [" \(events.rateText) "]
    default: return nil
    }
    return texts.first { $0.cellWidth + 2 <= width }
  }
}
