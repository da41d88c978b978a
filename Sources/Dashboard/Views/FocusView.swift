import TerminalCore
import TimerBoard
import TimerKit

extension DashboardView {
  static let focus = DashboardView(
    scope: .focus, key: "2", action: .showFocus,
    bindings: [
      Binding([.escape, .enter], .showBoard, "back to the board", footer: "back", rank: 1)
    ],
    hasTimerRows: true,
    draw: { frame in
      if let focus = FocusView(frame) { focus.draw(frame) } else { frame.drawSingleRow() }
    },
    nextChange: { frame in
      frame.selectedRow.flatMap {
        frame.nextChange(of: $0).earlier(or: $0.plan.endText == nil ? nil : $0.plan.nextChange)
      }
    },
    perform: { dashboard, _, _ in
      dashboard.show(.board)
      return []
    })
}

/// The selected timer in big digits, with as many details as fit. The layout depends on the widest text of its
/// time, so that it does not change as time passes.
struct FocusView {
  private let row: Row
  private let area: Rect
  let digits: BigDigits
  private let digitText: String
  /// The widest text of the digits.
  private let widestText: String
  /// The lines above the digits: the timer, and the name of the phase.
  private let above: [TextLine]
  /// The lines below the digits; `nil` for the bar.
  private let below: [TextLine?]
  /// The number of blank lines above and below the digits together.
  private let gaps: Int

  /// The maximum width of the digits in percent of the screen's; on a narrow screen they can take all of it.
  private static let maximumDigitsPercentage = 60

  /// Creates the view; `nil` if no timer is selected, or if even the smallest digits do not fit.
  init?(_ frame: Frame) {
    guard let row = frame.selectedRow, let details = frame.selectedDetails else { return nil }
    self.row = row
    area = frame.layout.body
    digitText =
      row.time.text
      ?? (row.calls == nil ? TimeText.clock(0, showsTenths: row.time.showsTenths) : "-")
    // The time since the end is as large as its current text allows.
    widestText =
      row.calls != nil && row.time.text == nil || row.state.timer == .finished
      ? digitText : row.time.widestText
    let room = Size(width: area.width - 2 * frame.inset, height: area.height)
    var title = TextLine(row.label, .title)
    if row.links.name != nil { title.add(" · \(row.kind)", .faint) }
    let phase = row.phase.map { TextLine($0, row.state.running) }
    above = [title] + [phase].compactMap(\.self)
    var texts = [Self.status(of: row, width: room.width)]
    if let next = row.nextPhase { texts.append(TextLine("then \(next)", .faint)) }
    texts += Self.iterations(of: row, frame.symbols, width: room.width).map { [$0] } ?? []
    // What only some timers have: the result of the command or the note, then laps or counts of triggers.
    texts += details.extras.prefix(max(0, (area.height - 8) / 4))
    let lines: [TextLine?] = (row.hasBar ? [nil] : []) + texts
    // On a low screen the last of these lines are left out first, so that the bar is kept the longest.
    let width = area.width >= 60 ? area.width * Self.maximumDigitsPercentage / 100 : room.width
    gaps = area.height >= 12 ? 2 : 0
    for count in (0...lines.count).reversed() {
      let below = Array(lines.prefix(count))
      let free = area.height - below.count - above.count - gaps
      // On a high screen, about a third of it.
      let height = min(free, max(7, area.height * 2 / 5))
      guard
        let digits = BigDigits(
          widest: widestText, in: Size(width: width, height: height), symbols: frame.symbols)
      else { continue }
      self.digits = digits
      self.below = below
      return
    }
    return nil
  }

  func draw(_ frame: Frame) {
    let height = above.count + digits.height + below.count + gaps
    var y = area.y + max(0, (area.height - height) / 2)
    for (index, line) in above.enumerated() {
      let isAlert = index == 0 && row.needsAttention
      drawCentered(line, y: y, frame, isAlert: isAlert)
      y += 1
    }
    y += gaps / 2
    let width = digits.width(of: widestText)
    digits.draw(
      digitText, on: &frame.canvas, maxX: area.x + (area.width + width) / 2, y: y,
      style: frame.bigDigitsStyle(of: row), symbols: frame.symbols)
    y += digits.height + gaps - gaps / 2
    for line in below {
      if let line {
        drawCentered(line, y: y, frame)
      } else {
        // As wide as the digits, unless those are small.
        let width = min(max(width, 32), max(1, area.width - 8))
        let x = area.x + (area.width - width) / 2
        frame.drawBar(of: row, x: x, width: width, y: y)
      }
      y += 1
    }
  }

  private func drawCentered(_ line: TextLine, y: Int, _ frame: Frame, isAlert: Bool = false) {
    let room = area.width - 2 * frame.inset
    let x = area.x + max(frame.inset, (area.width - line.width) / 2)
    frame.draw(line, x: x, y: y, limit: room)
    if isAlert {
      frame.canvas.restyle(Rect(x: x, y: y, width: min(line.width, room), height: 1)) { _ in
        frame.theme[.alert]
      }
    }
  }

  private static func status(of row: Row, width room: Int) -> TextLine {
    var line = TextLine()
    if let calls = row.calls { line.add(counted(calls.callCount, "trigger") + " · ", .faint) }
    // The name of a phase stands above the digits.
    let label = row.state.base == .running && row.phase != nil ? "" : " \(row.state.word)"
    let end = row.state.base == .finished ? row.plan.endText : nil
    let role = row.state.base == .running ? row.state.running : row.state.base
    line.add(row.state.symbol + (end.map { " \($0)" } ?? label), role)
    if let round = row.round { line.add(" · round \(round)", .faint, within: room) }
    if let due = row.plan.due {
      line.add(" · \(row.plan.isOnce ? "rings" : "next") at \(due)", .faint, within: room)
    }
    return line
  }

  /// Returns a dot for each iteration, or numbers for more than 20 iterations or if the dots do not fit; `nil` for
  /// fewer than two iterations.
  private static func iterations(of row: Row, _ symbols: Symbols, width: Int) -> TextLine? {
    guard case .counted(let left, let count) = row.iterations, count > 1 else { return nil }
    var line = TextLine()
    if count <= 20, 2 * count - 1 <= width {
      for index in 0..<count {
        let isDone = index < count - left
        line.add(index > 0 ? " " : "")
        line.add(isDone ? symbols.fired : symbols.future, isDone ? .running : .faint)
      }
    } else {
      line.add("\(left) of \(count)")
      line.add(" left", .faint)
    }
    return line
  }
}

extension Frame {
  /// Draws the selected timer on one line, for a screen that is too narrow for a table: its time, and its name and
  /// state if they fit. The choice depends on the widest text of its time, so that it does not change as time
  /// passes.
  func drawSingleRow() {
    guard !visible.isEmpty, let row = selectedRow else { return }
    let width = dashboard.size.width
    let widestTime = row.time.widestText.utf8.count
    let time = widestTime <= width ? row.time.text : nil
    let room = time == nil ? width : width - widestTime - 1
    // A name needs three cells to differ from another.
    let hasSymbol = room >= 5 || (time == nil && room < 3)
    let nameWidth = room >= 5 ? room - 2 : room >= 3 ? room : 0
    let y = layout.body.y
    let role = row.needsAttention ? .alert : row.state.base
    if hasSymbol { write(row.state.symbol, role, x: 0, y: y) }
    let name = row.label.truncated(to: nameWidth)
    write(name, role, x: hasSymbol ? 2 : 0, y: y, limit: nameWidth)
    if let time { write(time, role, x: width - time.utf8.count, y: y) }
  }
}
