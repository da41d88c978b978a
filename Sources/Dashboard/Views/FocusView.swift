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

/// The selected timer in big digits, with as many details as fit. Their size depends on the widest text of its time, so that
/// it does not change as time passes; they are centered on what is drawn.
struct FocusView {
  /// The text in big digits.
  private struct Digits {
    let text: String
    /// The widest text until the next event.
    let widest: String
    /// The whole time, if the text is its short form.
    var exact: String?

    /// - Parameter isShort: True for the short form of the time: `2d03`. That of a day or more always is, so that it is read
    ///   from across the room.
    init(of row: Row, isShort: Bool) {
      let time = row.time
      if row.calls != nil, time.text == nil {
        text = row.state.word
        widest = text
      } else if isShort || time.seconds >= Self.day {
        text = time.shortText
        widest = text
        exact = time.text
      } else {
        text = time.text ?? TimeText.clock(0, showsTenths: time.showsTenths)
        let scale: Int64 = time.showsTenths ? 10 : 1
        // The time since the end is as large as its current text allows.
        widest =
          row.state.timer == .finished
          ? text
          : TimeText.clock(
            min(time.widestUnits, Self.day * scale - 1), showsTenths: time.showsTenths)
      }
    }

    private static let day: Int64 = 86_400
  }

  private let row: Row
  private let area: Rect
  let digits: BigDigits
  private let text: Digits
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
    let room = Size(width: area.width - 2 * frame.inset, height: area.height)
    var title = TextLine(row.label, .title)
    if row.links.name != nil { title.add(" · \(row.kind)", .faint) }
    let phase = row.phase.map { TextLine($0, row.state.running) }
    above = [title] + [phase].compactMap(\.self)
    var texts = [Self.caption(of: row, width: room.width)]
    texts += Self.iterations(of: row, frame.symbols, width: room.width).map { [$0] } ?? []
    // What only some timers have: the result of the command or the note, then laps.
    texts += details.extras(of: row).prefix(max(0, (area.height - 8) / 4))
    gaps = area.height >= 12 ? 2 : 0
    let air = row.hasBar && area.height >= 16 ? [TextLine()] : []
    let width = area.width >= 60 ? area.width * Self.maximumDigitsPercentage / 100 : room.width
    for text in [Digits(of: row, isShort: false), Digits(of: row, isShort: true)] {
      let exact = [text.exact.map { TextLine($0, row.time.role) }].compactMap(\.self)
      let lines: [TextLine?] = (row.hasBar ? [nil] : []) + air + exact + texts
      // On a low screen the last of these lines are left out first, so that the bar is kept the longest.
      for count in (0...lines.count).reversed() {
        let below = Array(lines.prefix(count))
        let free = area.height - below.count - above.count - gaps
        // On a high screen, about a third of it.
        let height = min(free, max(7, area.height * 2 / 5))
        guard
          let digits = BigDigits(
            widest: text.widest, in: Size(width: width, height: height), symbols: frame.symbols)
        else { continue }
        self.text = text
        self.digits = digits
        self.below = below
        return
      }
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
    digits.draw(
      text.text, on: &frame.canvas, maxX: area.x + (area.width + digits.width(of: text.text)) / 2,
      y: y, style: frame.bigDigitsStyle(of: row), symbols: frame.symbols)
    y += digits.height + gaps - gaps / 2
    for line in below {
      if let line {
        drawCentered(line, y: y, frame)
      } else {
        // As wide as the digits, unless those are small.
        let width = min(max(digits.width(of: text.widest), 32), max(1, area.width - 8))
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

  /// Returns the state, the round, the time of the next fire and the next phase, as many as fit.
  private static func caption(of row: Row, width room: Int) -> TextLine {
    var line = TextLine()
    func add(_ text: String, _ role: Role) {
      line.add((line.width > 0 ? " · " : "") + text, role, within: room)
    }
    let isRunning = row.state.base == .running
    let role = isRunning ? row.state.running : row.needsAttention ? row.time.role : row.state.base
    if let end = row.state.base == .finished ? row.plan.endText : nil {
      add("\(row.state.symbol) \(end)", role)
    } else if row.calls != nil {
      add(row.triggerText(in: room) ?? "", .faint)
    } else if !isRunning || row.phase == nil {
      // The name of a phase stands above the digits.
      add("\(row.state.symbol) \(row.state.word)", role)
    }
    if let round = row.round { add("round \(round)", .faint) }
    if let due = row.plan.due { add("\(row.plan.isOnce ? "rings" : "next") at \(due)", .faint) }
    if let next = row.nextPhase { add("then \(next)", .faint) }
    return line
  }

  /// Returns a dot for each iteration, or numbers for more than 20 iterations or if the dots do not fit; `nil` for
  /// fewer than two iterations, and for a cycle, whose bar shows its phases.
  private static func iterations(of row: Row, _ symbols: Symbols, width: Int) -> TextLine? {
    guard case .counted(let left, let count) = row.iterations, count > 1, row.phase == nil else {
      return nil
    }
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
