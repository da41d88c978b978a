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
    if row.status.state == .cancelled { return row.period == nil ? 0 : width * 2 }
    let left = row.due.map { start.duration(to: $0) } ?? row.status.pausedTimeLeft
    return Int(row.status.progress(in: row.period, left: left) * Double(width * 2))
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

/// Alerts: the name of a timer that needs attention blinks until it is acknowledged. After a minute it stays
/// highlighted, so that an unattended screen is not redrawn.
extension Frame {
  private static let blinkInterval: Int64 = 500_000_000
  private static let blinkLimit: Int64 = 120

  /// Returns true if the name of a timer is highlighted at this instant.
  func showsAlert(of row: BoardTimer) -> Bool {
    guard row.needsAttention else { return false }
    return blinkIndex.map { $0 >= Self.blinkLimit || $0 % 2 == 0 } ?? true
  }

  /// Returns the alert of a timer for the header: `tea +1:22 over  Space acknowledge  + snooze  r restart`.
  func alertText(of row: BoardTimer, hasKeys: Bool) -> TextLine {
    var line = TextLine(row.label.truncated(to: hasKeys ? 20 : 12), .alert)
    if row.overtimeOrigin != nil {
      line.add(" \(dashboard.timeText(of: row, at: now) ?? "")")
      line.add(" over", .faint)
    } else {
      line.add(Self.alertWord(for: row), .faint)
    }
    let others = dashboard.rows.alertCount - 1
    if others > 0 { line.add(", \(others) more", .faint) }
    guard hasKeys else { return line }
    for action in [Action.startOrPause, .moreTime, .restart] {
      // Views, prompts and the help can have other actions on the same keys.
      let key = dashboard.alertKeyName(of: action)
      guard !key.isEmpty, let response = dashboard.alertResponse(to: action, at: now),
        action == .startOrPause || response != .acknowledge
      else { continue }
      line.add("  ")
      line.add(key, .key)
      line.add(" \(response.rawValue)", .faint)
    }
    return line
  }

  private static func alertWord(for row: BoardTimer) -> String {
    switch row.alert?.cause {
    case .standsReady?: (row.status.phaseName.map { " \($0)" } ?? "") + " ready"
    case .fired?: " fired"
    case .finished?, nil: " finished"
    }
  }

  /// Returns the instant at which a row next blinks; `nil` if it does not.
  func nextBlink(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.needsAttention, let blinkIndex, blinkIndex < Self.blinkLimit,
      let since = dashboard.board.newestAlertStart
    else { return nil }
    // The index before the limit is odd, so the last change highlights the name.
    return since.advanced(by: .nanoseconds((blinkIndex + 1) * Self.blinkInterval))
  }

  /// The number of blink intervals since the newest alert; `nil` if nothing blinks.
  private var blinkIndex: Int64? {
    guard !dashboard.options.reducesMotion, let since = dashboard.board.newestAlertStart else {
      return nil
    }
    return max(0, since.duration(to: now.suspending).clampedNanoseconds) / Self.blinkInterval
  }
}
