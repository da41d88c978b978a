import TerminalCore
import TimerBoard
import TimerKit

extension DashboardView {
  static let focus = DashboardView(
    scope: .focus, key: .character("2"), action: .showFocus,
    bindings: [
      Binding(.focus, [.escape, .enter], .showBoard, "back to the board", footer: "back", rank: 1)
    ],
    hasTimerRows: true,
    draw: { frame, canvas in
      if let focus = FocusView(frame) {
        focus.draw(on: &canvas, frame)
      } else {
        SingleRow(frame)?.draw(on: &canvas, frame)
      }
    },
    nextChange: { frame in frame.dashboard.selectedRow.flatMap { frame.nextChange(of: $0) } },
    perform: { dashboard, _, _ in
      dashboard.show(.board)
      return []
    })
}

/// The selected timer in big digits, with as many details as fit. The layout depends on the widest text of its
/// time, so that it does not change as time passes.
struct FocusView {
  private let row: BoardTimer
  private let area: Rect
  private let digits: BigDigits
  /// The widest text of the digits.
  private let widestText: String
  /// The lines below the digits.
  private let below: [Line]
  /// The number of blank lines above and below the digits together.
  private let gaps: Int
  /// The name of the phase, above the digits.
  private let phase: String?

  private enum Line: Equatable {
    case bar, status, nextPhase, iterations
    /// One of the ``extras(of:)``, by its index.
    case extra(Int)
  }

  /// The maximum width of the digits in percent of the screen's; on a narrow screen they can take all of it.
  private static let maximumDigitsPercentage = 60

  /// Creates the view; `nil` if no timer is selected, or if even the smallest digits do not fit.
  init?(_ frame: Frame) {
    guard let row = frame.dashboard.selectedRow else { return nil }
    self.row = row
    area = frame.layout.body
    let displaySteps = frame.dashboard.displaySteps
    let digitText = Self.digitText(of: row, frame)
    switch row.status {
    // A count and the time since the end are as large as their current text allows.
    case .triggered: widestText = digitText
    case _ where row.status.state == .finished: widestText = digitText
    default:
      widestText = TimeText.clock(
        displaySteps.largestShownTime(of: row, from: frame.stepStart),
        showsTenths: displaySteps.showsTenths)
    }
    if case .cycle(let cycle) = row.status {
      phase = cycle.position?.phase.name
    } else {
      phase = nil
    }
    let room = Size(width: area.width - 2 * frame.inset, height: area.height)
    var lines: [Line] = [.status]
    if row.period != nil { lines.insert(.bar, at: 0) }
    if row.nextPhase != nil { lines.append(.nextPhase) }
    if Self.iterations(of: row, frame.symbols, width: room.width) != nil {
      lines.append(.iterations)
    }
    let extras = min((area.height - 8) / 4, Self.extras(of: row).count)
    if extras > 0 { lines += (0..<extras).map { Line.extra($0) } }
    // On a low screen the last of these lines are left out first, so that the bar is kept the longest.
    let attempts = (0...lines.count).reversed().map { Array(lines.prefix($0)) }
    let above = phase == nil ? 1 : 2
    let width = area.width >= 60 ? area.width * Self.maximumDigitsPercentage / 100 : room.width
    for below in attempts {
      let gaps = area.height >= 12 ? 2 : 0
      let height = area.height - below.count - above - gaps
      guard
        let digits = BigDigits(
          digitText, widest: widestText, in: Size(width: width, height: height),
          symbols: frame.symbols)
      else { continue }
      self.digits = digits
      self.below = below
      self.gaps = gaps
      return
    }
    return nil
  }

  var digitHeight: Int { digits.height }

  /// The bar is as wide as the digits, unless those are small.
  private var barWidth: Int {
    guard below.contains(.bar) else { return 0 }
    return min(max(digits.width(of: widestText), 32), max(1, area.width - 8))
  }

  func draw(on canvas: inout Canvas, _ frame: Frame) {
    let height = (phase == nil ? 1 : 2) + digits.height + below.count + gaps
    var y = area.y + max(0, (area.height - height) / 2)
    drawCentered(title(frame), on: &canvas, y: y, frame, isAlert: frame.showsAlert(of: row))
    if let phase {
      y += 1
      var line = TextLine()
      line.add(phase, frame.runningRole(of: row))
      drawCentered(line, on: &canvas, y: y, frame)
    }
    y += 1 + gaps / 2
    let state = row.displayedState
    let width = digits.width(of: widestText)
    digits.draw(
      on: &canvas, maxX: area.x + (area.width + width) / 2, y: y,
      style: frame.bigDigitsStyle(of: row), symbols: frame.symbols)
    y += digits.height + gaps - gaps / 2
    for line in below {
      switch line {
      case .bar:
        let width = barWidth
        let x = area.x + (area.width - width) / 2
        frame.drawBar(of: row, x: x, width: width, y: y, on: &canvas)
      case .status: drawCentered(status(state, frame), on: &canvas, y: y, frame)
      case .nextPhase:
        var line = TextLine()
        if let next = row.nextPhase { line.add("then \(next.text)", .faint) }
        drawCentered(line, on: &canvas, y: y, frame)
      case .iterations:
        if let text = Self.iterations(of: row, frame.symbols, width: area.width - 2 * frame.inset) {
          drawCentered(text, on: &canvas, y: y, frame)
        }
      case .extra(let index): drawCentered(Self.extras(of: row)[index], on: &canvas, y: y, frame)
      }
      y += 1
    }
  }

  private func drawCentered(
    _ line: TextLine, on canvas: inout Canvas, y: Int, _ frame: Frame, isAlert: Bool = false
  ) {
    let room = area.width - 2 * frame.inset
    let x = area.x + max(frame.inset, (area.width - line.width) / 2)
    line.draw(on: &canvas, x: x, y: y, theme: frame.theme, limit: room)
    if isAlert {
      canvas.restyle(Rect(x: x, y: y, width: min(line.width, room), height: 1)) { _ in
        frame.theme[.alert]
      }
    }
  }

  /// Returns the text in big digits: the time that a row shows, such as the time left, or the number of triggers.
  private static func digitText(of row: BoardTimer, _ frame: Frame) -> String {
    if case .triggered(let calls) = row.status { return "\(calls.callCount)" }
    return frame.dashboard.timeText(of: row, at: frame.now)
      ?? TimeText.clock(0, showsTenths: frame.dashboard.displaySteps.showsTenths)
  }

  private func title(_ frame: Frame) -> TextLine {
    var line = TextLine()
    line.add(row.label, .title)
    if row.name != nil { line.add(" · \(row.kindAndSuccessorText)", .faint) }
    return line
  }

  private func status(_ state: Role, _ frame: Frame) -> TextLine {
    var line = TextLine()
    if case .triggered(let calls) = row.status {
      line.add(counted(calls.callCount, "trigger") + " · ", .faint)
    }
    let role = state == .running ? frame.runningRole(of: row) : state
    line.add("\(frame.symbols.symbol(of: row, in: state)) \(row.stateLabel(state))", role)
    let room = area.width - 2 * frame.inset
    if case .cycle(let cycle) = row.status, let round = cycle.roundText {
      line.add(" · round \(round)", .faint, within: room)
    }
    if state == .finished, let fired = row.lastFired {
      line.add(" at \(frame.timeOfDay(at: fired))", .faint, within: room)
    }
    if let due = frame.dueText(of: row) { line.add(" · next at \(due)", .faint, within: room) }
    return line
  }

  /// Returns a dot for each iteration, or numbers for more than 20 iterations or if the dots do not fit; `nil` for
  /// fewer than two iterations.
  private static func iterations(of row: BoardTimer, _ symbols: Symbols, width: Int) -> TextLine? {
    guard case .counted(let left, let count) = row.status.iterations, count > 1 else { return nil }
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

  /// Returns the lines that only some timers have: the result of the command or the note, then laps or counts of
  /// triggers.
  private static func extras(of row: BoardTimer) -> [TextLine] {
    var lines: [TextLine] = []
    if let text = row.resultOrNote {
      var line = TextLine()
      line.add(text, .faint)
      lines.append(line)
    }
    switch row.status {
    case .stopwatch(let stopwatch): lines += DetailPane.laps(of: stopwatch)
    case .triggered: lines += DetailPane.triggers(of: row)
    case .cycle, .repeater: break
    }
    return lines
  }
}
