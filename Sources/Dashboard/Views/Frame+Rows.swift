import TerminalCore
import TimerBoard
import TimerKit

/// The symbols, the styles and the bar of a row, which several views share.
extension Frame {
  /// Highlights the line of a row that is selected or marked.
  func highlight(_ row: BoardTimer, at position: Int, _ line: Rect, on canvas: inout Canvas) {
    let isSelected = position == dashboard.selected
    guard isSelected || dashboard.listState.marks.contains(row.id) else { return }
    let style = theme[isSelected ? .selectedRow : .markedRow]
    canvas.restyle(line) { $0.merged(over: style, keepingColor: theme.keepsColorWhenHighlighted) }
  }

  /// Draws the symbols of a row that is selected, marked or needs attention, in one cell if there is no room for
  /// two.
  func drawRowSymbols(
    of row: BoardTimer, at position: Int, x: Int, y: Int, on canvas: inout Canvas,
    showsMark: Bool = true
  ) {
    let isSelected = position == dashboard.selected
    let isMarked = showsMark && dashboard.listState.marks.contains(row.id)
    let style = theme[row.needsAttention ? .alert : .rowSymbol]
    if isSelected || row.needsAttention {
      canvas.write(isSelected ? symbols.selection : symbols.alert, x: x, y: y, style: style)
    }
    guard isMarked else { return }
    if x > 0 {
      canvas.write(symbols.mark, x: x - 1, y: y, style: theme[.rowSymbol])
    } else {
      canvas.write(isSelected ? symbols.markedAndSelected : symbols.mark, x: x, y: y, style: style)
    }
  }

  func nameStyle(of row: BoardTimer, at position: Int) -> Style {
    if showsAlert(of: row) { return theme[.alert] }
    return theme[position == dashboard.selected || row.needsAttention ? .selectedName : .text]
  }

  func stateStyle(of row: BoardTimer, _ state: Role) -> Style {
    state == .running ? theme[runningRole(of: row)] : theme[state]
  }

  /// Returns the style of the time left. A running timer has the color of its phase, or the role `urgent` in the last
  /// ten seconds; a timer that is paused or idle is faint.
  func timeStyle(of row: BoardTimer) -> Style {
    switch row.status.state {
    case .running:
      if isUrgent(row) { return theme[.urgent] }
      let role = runningRole(of: row)
      return role == .running
        ? theme[.time] : Style(theme[role].foreground, attributes: theme[.time].attributes)
    case .paused, .idle, .cancelled: return theme[.faint]
    case .finished: return theme[.finished]
    }
  }

  /// Returns the style of big digits. In the last ten seconds their style alternates every second, unless motion is
  /// reduced.
  func bigDigitsStyle(of row: BoardTimer) -> Style {
    switch row.status.state {
    case .running:
      guard isUrgent(row), let units = dashboard.displaySteps.shownTime(of: row, from: stepStart)
      else {
        return theme[runningRole(of: row)]
      }
      let seconds = dashboard.displaySteps.showsTenths ? units / 10 : units
      if !dashboard.options.reducesMotion, seconds % 2 > 0 { return theme[runningRole(of: row)] }
      var style = theme[.urgent]
      style.attributes.remove(.underline)
      return style
    case .paused, .idle, .cancelled: return theme[.faint]
    case .finished: return theme[.finished]
    }
  }

  /// Returns true in the last ten seconds of a period of half a minute or more.
  private func isUrgent(_ row: BoardTimer) -> Bool {
    guard let period = row.period, period >= .seconds(30), row.stopwatchOrigin == nil,
      let units = dashboard.displaySteps.shownTime(of: row, from: stepStart)
    else { return false }
    return units <= (dashboard.displaySteps.showsTenths ? 100 : 10)
  }

  /// Returns the role of a running timer: for a cycle, that of its phase.
  func runningRole(of row: BoardTimer) -> Role {
    guard case .cycle(let cycle) = row.status, let position = cycle.position else {
      return .running
    }
    return Role(phase: position.index)
  }

  private func barRole(of row: BoardTimer) -> Role {
    switch row.status.state {
    case .running:
      let role = runningRole(of: row)
      return role == .running ? .bar : role
    case .paused, .idle: return .pausedBar
    case .finished, .cancelled: return .finishedBar
    }
  }

  /// Draws the bar of a row, the elapsed part of its period, on a track.
  func drawBar(of row: BoardTimer, x: Int, width: Int, y: Int, on canvas: inout Canvas) {
    guard width > 0 else { return }
    drawBar(
      halves: barHalves(of: row, from: stepStart, width: width), role: barRole(of: row), x: x,
      width: width, y: y, on: &canvas)
  }

  func drawBar(
    halves: Int, role: Role, x: Int, width: Int, y: Int, on canvas: inout Canvas
  ) {
    let full = min(width, halves / 2)
    let half = halves % 2 > 0 && full < width ? 1 : 0
    func fill(_ count: Int, from start: Int, with symbol: Unicode.Scalar, _ role: Role) {
      canvas.fill(
        Rect(x: x + start, y: y, width: count, height: 1), with: symbol, style: theme[role])
    }
    fill(full, from: 0, with: symbols.bar.full, role)
    fill(half, from: full, with: symbols.bar.half, role)
    fill(width - full - half, from: full + half, with: symbols.bar.track, .track)
  }

  /// Returns the length of the bar, the elapsed part of the period, in halves of a cell.
  func barHalves(of row: BoardTimer, from start: TimerClock.Instant, width: Int) -> Int {
    guard let interval = row.period?.clampedNanoseconds, interval > 0 else {
      // An alarm has no period once it is over.
      return row.status.state == .finished ? width * 2 : 0
    }
    let left: Duration
    switch row.status.state {
    case .running: left = row.due.map { start.duration(to: $0) } ?? .zero
    case .paused:
      guard let pausedTimeLeft = row.status.pausedTimeLeft else { return 0 }
      left = pausedTimeLeft
    case .idle: return 0
    case .finished, .cancelled: return width * 2
    }
    let elapsed = interval - min(max(0, left.clampedNanoseconds), interval)
    return Int(Double(elapsed) / Double(interval) * Double(width * 2))
  }
}

extension Role {
  init(_ state: TimerState) {
    self =
      switch state {
      case .idle: .idle
      case .running: .running
      case .paused: .paused
      case .finished: .finished
      case .cancelled: .cancelled
      }
  }

  /// - Parameter phase: The index of a phase of a cycle.
  init(phase: Int) {
    self = phase % 2 == 0 ? .work : .rest
  }
}
