import TerminalCore
import TimerBoard
import TimerKit

/// The symbols and the styles of a row, which several views share.
extension Frame {
  /// Highlights the line of a row that is selected or marked.
  func highlight(_ row: Row, at position: Int, _ line: Rect) {
    let isSelected = position == dashboard.selected
    guard isSelected || dashboard.listState.marks.contains(row.id) else { return }
    canvas.highlight(line, theme, as: isSelected ? .selectedRow : .markedRow)
  }

  /// Draws the symbols of a row that is selected, marked or needs attention, in one cell if there is no room for
  /// two.
  func drawRowSymbols(of row: Row, at position: Int, x: Int, y: Int, showsMark: Bool = true) {
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

  /// Returns the style of the time of a row.
  func timeStyle(of row: Row) -> Style {
    let style = theme[row.time.role]
    return row.time.isBold ? style.adding(.bold) : style
  }

  /// Returns the style of big digits. In the last ten seconds their style alternates every second, unless motion is
  /// reduced.
  func bigDigitsStyle(of row: Row) -> Style {
    guard row.state.timer == .running else { return timeStyle(of: row) }
    guard row.isUrgent, dashboard.options.reducesMotion || row.time.seconds % 2 == 0 else {
      return theme[row.state.running]
    }
    var style = theme[.urgent]
    style.attributes.remove(.underline)
    return style
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

/// A word of the band.
struct BandWord {
  let text: String
  var isKey = false
  /// The action of a click on the word; `nil` if it has none.
  var answer: Action?
}

/// Alerts: the newest one is a band in the color of alerts, with the keys that answer it. It pulses for three seconds, and
/// then stays until it is acknowledged, so that an unattended screen is not redrawn.
extension Frame {
  private static let pulseInterval: Int64 = 500_000_000
  private static let pulseLimit: Int64 = 6

  /// The style of the band. With motion reduced it does not pulse.
  var bandStyle: Style { isPulseOn ? theme.alertPlane : theme.alertText }

  var isPulseOn: Bool { pulseIndex.map { $0 >= Self.pulseLimit || $0 % 2 == 0 } ?? true }

  /// Returns true if a row is the band.
  func isBand(_ row: Row) -> Bool { row.id == bandRow?.id }

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
    if row.alert?.countsOvertime == true { text += " \(row.time.text ?? "")" }
    canvas.write(text, x: inset, y: line.y)
    drawBand(line, x: inset + text.cellWidth + 2, [BandWord(text: bandText(of: row))] + bandKeys)
    return nextChange(of: row)
  }

  /// Paints an area as the band, and writes its words from `x` on, as many as fit. Keys are underlined; with the words of
  /// what they do, they are buttons.
  func drawBand(_ area: Rect, x: Int, _ words: [BandWord]) {
    var keys: [Rect] = []
    var end = x
    for (index, word) in words.enumerated() {
      // A key stands only beside its word.
      let label = word.isKey && index + 1 < words.count ? words[index + 1].text.cellWidth : 0
      let place = Rect(x: end, y: area.maxY - 1, width: word.text.cellWidth, height: 1)
      guard place.maxX + label <= area.maxX - inset else { break }
      canvas.write(word.text, x: end, y: place.y)
      if word.isKey { keys.append(place) }
      if let answer = word.answer { answers.append((place, answer)) }
      end = place.maxX
    }
    var style = bandStyle
    canvas.restyle(area) { _ in style }
    style.attributes.insert(.underline)
    for key in keys { canvas.restyle(key) { _ in style } }
  }

  /// Returns what has happened to a timer with an alert: `rang at 14:29, 2 more alerts`.
  func bandText(of row: Row) -> String {
    let triggers = row.triggerText(in: 16).map { "\($0), " } ?? ""
    let others = dashboard.rows.alertCount - 1
    return triggers + (row.alert?.text ?? "")
      + (others > 0 ? ", \(counted(others, "more alert"))" : "")
  }

  /// The keys of the band: `   Space done   + 5 min more   r again`.
  var bandKeys: [BandWord] {
    [Action.startOrPause, .moreTime, .restart].flatMap { action -> [BandWord] in
      // Views, prompts and the help can have other actions on the same keys.
      let key = dashboard.alertKeyName(of: action)
      guard !key.isEmpty, let response = dashboard.alertResponse(to: action, at: now),
        action == .startOrPause || response != .acknowledge
      else { return [] }
      return [
        BandWord(text: "   "), BandWord(text: key, isKey: true, answer: action),
        BandWord(text: " \(response.rawValue)", answer: action),
      ]
    }
  }

  /// Returns the instant at which the band of a row next pulses; `nil` if it does not.
  func nextPulse(of row: Row) -> TimerClock.Instant? {
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
