import TerminalCore
import TimerBoard
import TimerKit

/// The symbols and the styles of a row, which several views share.
extension Frame {
  /// Highlights the line of a row that is selected or marked.
  func highlight(_ row: BoardTimer, at position: Int, _ line: Rect) {
    let isSelected = position == dashboard.selected
    guard isSelected || dashboard.listState.marks.contains(row.id) else { return }
    canvas.highlight(line, theme, as: isSelected ? .selectedRow : .markedRow)
  }

  /// Draws the symbols of a row that is selected, marked or needs attention, in one cell if there is no room for
  /// two.
  func drawRowSymbols(of row: BoardTimer, at position: Int, x: Int, y: Int, showsMark: Bool = true)
  {
    let isSelected = position == dashboard.selected
    let isMarked = showsMark && dashboard.listState.marks.contains(row.id)
    let style = theme[row.needsAttention ? .alert : .rowSymbol]
    if isSelected || row.needsAttention {
      canvas.write(isSelected ? symbols.selection : symbols.alert, x: x, y: y, style: style)
    }
    guard isMarked else { return }
    if x > 0 {
      write(symbols.mark, .rowSymbol, x: x - 1, y: y)
    } else {
      canvas.write(isSelected ? symbols.markedAndSelected : symbols.mark, x: x, y: y, style: style)
    }
  }

  /// Draws the bracket before the name of a row that belongs to the row above or below it on the screen.
  /// - Parameter height: The number of lines down to the next row.
  func drawBracket(joinsAbove: Bool, joinsBelow: Bool, x: Int, y: Int, height: Int) {
    guard joinsAbove || joinsBelow else { return }
    write(symbols.bracket[joinsBelow ? joinsAbove ? 1 : 0 : 2], .faint, x: x, y: y)
    guard joinsBelow else { return }
    for line in 1..<max(1, height) {
      write(symbols.bracket[3], .faint, x: x, y: y + line)
    }
  }

  func nameStyle(of row: BoardTimer) -> Style {
    if row.needsAttention { return theme[.alert] }
    if row.hasFailed { return theme[.failure] }
    return theme[.selectedName]
  }

  func stateStyle(of row: BoardTimer, _ state: Role) -> Style {
    if row.needsAttention { return theme[.alert] }
    if row.hasFailed { return theme[.failure] }
    if isUrgent(row) { return theme[.urgent] }
    return state == .running ? theme[runningRole(of: row)] : theme[state]
  }

  /// Returns the symbol of the state that a row shows; in the last ten seconds it is a bold `!`.
  func stateSymbol(of row: BoardTimer) -> String {
    isUrgent(row) ? symbols.alert : symbols.symbol(of: row, in: row.displayedState)
  }

  /// Returns the style of the time: `urgent` in the last ten seconds, that of what counts up for a stopwatch and for
  /// overtime, and faint for a timer that has not begun.
  func timeStyle(of row: BoardTimer) -> Style {
    if row.needsAttention { return theme[.alert] }
    switch row.state {
    case .running where row.machine.origin != nil: return theme[.elapsed].adding(.bold)
    case .running: return theme[isUrgent(row) ? .urgent : .time]
    case .paused: return theme[row.machine.hasRun ? .paused : .faint]
    case .idle, .cancelled: return theme[.faint]
    case .finished: return theme[row.stoppedOvertime == nil ? .faint : .elapsed]
    }
  }

  /// Returns the style of big digits. In the last ten seconds their style alternates every second, unless motion is
  /// reduced.
  func bigDigitsStyle(of row: BoardTimer) -> Style {
    guard row.state == .running else { return timeStyle(of: row) }
    let units = dashboard.displaySteps.shownTime(of: row, at: step) ?? 0
    let seconds = dashboard.displaySteps.showsTenths ? units / 10 : units
    guard isUrgent(row), dashboard.options.reducesMotion || seconds % 2 == 0 else {
      return theme[runningRole(of: row)]
    }
    var style = theme[.urgent]
    style.attributes.remove(.underline)
    return style
  }

  /// Returns true in the last ten seconds of a period of half a minute or more.
  func isUrgent(_ row: BoardTimer) -> Bool {
    let displaySteps = dashboard.displaySteps
    guard row.state == .running, !row.needsAttention,
      row.due(at: step).map({ displaySteps.units(until: $0, from: stepStart) }) ?? 0
        <= (displaySteps.showsTenths ? 100 : 10)
    else { return false }
    return row.period.map { $0 >= .seconds(30) } ?? false
  }

  /// Returns the role of a running timer: for a cycle, that of its phase.
  func runningRole(of row: BoardTimer) -> Role {
    row.machine.phaseIndex.map { Role(phase: $0) } ?? (row.machine.countsUp ? .elapsed : .running)
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

/// Alerts: the newest one is a band in the color of alerts, with the keys that answer it. It pulses for ten seconds, and
/// then stays until it is acknowledged, so that an unattended screen is not redrawn.
extension Frame {
  private static let pulseInterval: Int64 = 500_000_000
  private static let pulseLimit: Int64 = 20

  /// The style of the band. With motion reduced it does not pulse.
  var bandStyle: Style {
    var style = theme[.alert]
    style.attributes.remove(.underline)
    if isPulseOn { style.attributes.insert(.reverse) }
    return style
  }

  var isPulseOn: Bool { pulseIndex.map { $0 >= Self.pulseLimit || $0 % 2 == 0 } ?? true }

  /// Returns true if a row is the band.
  func isBand(_ row: BoardTimer) -> Bool { row.id == bandRow?.id }

  /// A Boolean value that indicates whether the view shows the band itself, in the row or the card of its timer.
  private var bodyHasBand: Bool {
    guard dashboard.view == .board, dashboard.helpOffset == nil, !dashboard.listState.hidesAll
    else { return false }
    return bandRow.flatMap { dashboard.rows.position(of: $0.id) }.map(visible.contains) ?? true
  }

  /// Draws the band in a line of its own if the view does not show it.
  /// - Returns: The instant at which it changes by itself.
  func drawBandLine() -> TimerClock.Instant? {
    guard let row = bandRow, let line = layout.alertLine, !bodyHasBand else { return nil }
    canvas.fill(line)
    var text = "\(symbols.alert) \(row.label.truncated(to: 20))"
    if row.countsOvertime { text += " \(dashboard.timeText(of: row, at: now) ?? "")" }
    canvas.write(text, x: inset, y: line.y)
    drawBand(line, x: inset + text.cellWidth + 2, [(bandText(of: row), false)] + bandKeys)
    return nextChange(of: row)
  }

  /// Paints an area as the band, and writes its words from `x` on, as many as fit. Keys are underlined.
  func drawBand(_ area: Rect, x: Int, _ words: [(text: String, isKey: Bool)]) {
    var keys: [Rect] = []
    var end = x
    for (index, (text, isKey)) in words.enumerated() {
      // A key stands only beside its word.
      let word = isKey && index + 1 < words.count ? words[index + 1].text.cellWidth : 0
      guard end + text.cellWidth + word <= area.maxX - inset else { break }
      canvas.write(text, x: end, y: area.maxY - 1)
      if isKey { keys.append(Rect(x: end, y: area.maxY - 1, width: text.cellWidth, height: 1)) }
      end += text.cellWidth
    }
    var style = bandStyle
    canvas.restyle(area) { _ in style }
    style.attributes.insert(.underline)
    for key in keys { canvas.restyle(key) { _ in style } }
  }

  /// Returns what has happened to a timer with an alert: `rang at 14:29, 2 more alerts`.
  func bandText(of row: BoardTimer) -> String {
    let word =
      switch row.alert?.cause {
      case .standsReady?: (row.machine.phaseName.map { "\($0) " } ?? "") + "ready"
      case .fired?, .finished?, nil:
        "rang" + (row.lastFireTime.map { " at \(timeOfDay(of: $0))" } ?? "")
      }
    let triggers = row.triggerCountText(in: 16).map { "\($0), " } ?? ""
    let others = dashboard.rows.alertCount - 1
    return triggers + word + (others > 0 ? ", \(counted(others, "more alert"))" : "")
  }

  /// The keys of the band: `   Space done   + 5 min more   r again`.
  var bandKeys: [(text: String, isKey: Bool)] {
    [Action.startOrPause, .moreTime, .restart].flatMap { action -> [(text: String, isKey: Bool)] in
      // Views, prompts and the help can have other actions on the same keys.
      let key = dashboard.alertKeyName(of: action)
      guard !key.isEmpty, let response = dashboard.alertResponse(to: action, at: now),
        action == .startOrPause || response != .acknowledge
      else { return [] }
      return [("   ", false), (key, true), (" \(response.rawValue)", false)]
    }
  }

  /// Returns the instant at which the band of a row next pulses; `nil` if it does not.
  func nextPulse(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.needsAttention, let pulseIndex, pulseIndex < Self.pulseLimit,
      let since = dashboard.board.newestAlertStart
    else { return nil }
    // The index before the limit is odd, so the last change shows the band.
    return since.advanced(by: .nanoseconds((pulseIndex + 1) * Self.pulseInterval))
  }

  /// The number of intervals since the newest alert; `nil` if nothing pulses.
  private var pulseIndex: Int64? {
    guard !dashboard.options.reducesMotion, let since = dashboard.board.newestAlertStart else {
      return nil
    }
    return max(0, since.duration(to: now.suspending).clampedNanoseconds) / Self.pulseInterval
  }
}
