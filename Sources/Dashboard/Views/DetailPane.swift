import TerminalCore
import TimerBoard
import TimerKit

/// The details of the selected timer in lines.
struct DetailPane {
  let title: String
  let lines: [TextLine]

  /// The height of its box. On a low screen, the lanes of the next fires get two lines more.
  static let boxHeight = (low: 5, usual: 7)

  init?(_ frame: Frame, width: Int) {
    guard let row = frame.dashboard.selectedRow else { return nil }
    title = row.label
    var lines =
      [Self.settings(of: row, frame), Self.counts(of: row, frame)] + Self.phases(of: row)
      + Self.lateness(of: row, frame, width: width) + Self.lapsOrTriggers(of: row)
    if let note = row.note { lines.insert(TextLine("note  ", .faint).adding(note), at: 2) }
    if let command = row.spec.command {
      lines.insert(Self.commandAndResult(command, of: row), at: 2)
    }
    self.lines = lines
  }

  /// Returns the mode and the settings, without those that have default values: `every 45s ×8 · finite · tolerance 1s`.
  private static func settings(of row: BoardTimer, _ frame: Frame) -> TextLine {
    var line = TextLine(row.kindAndSuccessorText)
    if let next = row.successor, !frame.dashboard.rows.contains(named: next) {
      line.add(", which does not exist", .failure)
    }
    if let mode = row.machine.modeName, !row.kindAndSuccessorText.hasPrefix(mode) {
      line.add(" · \(mode)", .faint)
    }
    for setting in row.spec.settings { line.add(" · \(setting)", .faint) }
    return line
  }

  /// Returns the command and its result: `run  make test   exit 0 'ok'`.
  private static func commandAndResult(_ command: String, of row: BoardTimer) -> TextLine {
    var line = TextLine("run  ", .faint).adding(command)
    if let result = row.commandState.result {
      if row.intervalBeforeBackoff != nil, let interval = row.machine.period {
        line.add("   backs off to \(DurationText.text(interval))", .warning)
      }
      line.add("   \(result.text())", result.isSuccess ? .faint : .failure)
    }
    return line
  }

  /// Returns the next fire, the number of fires or laps, and the number of missed fires unless it is zero.
  private static func counts(of row: BoardTimer, _ frame: Frame) -> TextLine {
    var line = TextLine()
    if let due = frame.dueText(of: row) { line.add(fact: "next", due) }
    let counts = row.counts
    if row.machine.countsUp {
      // Each lap is a delivery.
      line.add(fact: "laps", "\(counts.delivered)")
    } else if counts.delivered > 0 {
      line.add(fact: "fired", "\(counts.delivered)")
    } else {
      line.add((line.width > 0 ? "   " : "") + "not fired yet", .faint)
    }
    if row.machine.canMiss, counts.missed > 0 {
      line.add(fact: "missed", "\(counts.missed)", .warning)
    }
    return line
  }

  /// Returns the lateness of the most recent fires: its quantiles, and each.
  private static func lateness(of row: BoardTimer, _ frame: Frame, width: Int) -> [TextLine] {
    let recent = row.recentActivity.fires.elements.compactMap(\.lateness)
    let sorted = recent.sorted()
    let longest = sorted.last ?? .zero
    // What cannot miss a fire is never late.
    guard row.machine.canMiss, frame.dashboard.showsLateness || longest >= .seconds(1)
    else { return [] }
    guard !sorted.isEmpty else {
      guard row.machine.deliveredCount > 0 else { return [] }
      return [TextLine("manual fires only", .faint)]
    }
    var line = TextLine("late", .faint)
    for (name, value) in [
      ("median", sorted[(sorted.count - 1) / 2]), ("p99", sorted[(99 * sorted.count - 1) / 100]),
      ("max", longest),
    ] {
      line.add("  \(name) ", .faint)
      line.add(TimeText.preciseLateness(value))
    }
    return [line, TextLine(Sparkline(recent, width: width - 2).text(frame.symbols), .bar)]
  }

  private static func phases(of row: BoardTimer) -> [TextLine] {
    var line = TextLine()
    for (index, phase) in row.machine.phases.enumerated() {
      let role = index == row.machine.phaseIndex ? Role(phase: index) : .text
      if index > 0 { line.add(" / ", .faint) }
      line.add(phase.text, role)
    }
    if let round = row.machine.roundText { line.add(fact: "round", round) }
    return line.width > 0 ? [line] : []
  }

  /// Returns the latest laps of a stopwatch, the newest first, or the counts of triggers.
  static func lapsOrTriggers(of row: BoardTimer) -> [TextLine] {
    guard let calls = row.machine.calls else {
      return row.machine.laps.suffix(20).reversed().map { lap in
        TextLine("lap \(lap.number)  ", .faint).adding(TimeText.precise(lap.time))
          .adding("  at ", .faint).adding(TimeText.precise(lap.total))
      }
    }
    var line = TextLine()
    for (name, count) in [
      ("triggered", calls.callCount), ("dropped", calls.droppedCount),
      ("pending", calls.pendingCount),
    ] where count > 0 || line.width == 0 {
      line.add(fact: name, "\(count)")
    }
    return [line]
  }

  func draw(_ frame: Frame, in area: Rect) {
    for (index, line) in lines.prefix(area.height).enumerated() {
      frame.draw(line, x: area.x, y: area.y + index, limit: area.width)
    }
  }
}

extension TextLine {
  /// Adds a fact after those before it: `missed 2`.
  fileprivate mutating func add(fact name: String, _ value: String, _ role: Role = .text) {
    add((width > 0 ? "   " : "") + name + " ", .faint)
    add(value, role)
  }
}

/// The lateness of the latest fires, half a cell each, relative to the largest of them.
struct Sparkline {
  /// The heights from 1 to 4, the oldest first.
  private let levels: [Int]

  init(_ lateness: [Duration], width: Int) {
    let shown = lateness.suffix(max(0, 2 * width)).map { Double($0.clampedNanoseconds) }
    let most = shown.max() ?? 0
    levels = shown.map { most > 0 ? max(1, Int(($0 / most * 4).rounded(.up))) : 1 }
  }

  func text(_ symbols: Symbols) -> String {
    stride(from: 0, to: levels.count, by: 2).map { index in
      let left = levels[index]
      let right = index + 1 < levels.count ? levels[index + 1] : 0
      return symbols.sparks?[max(left, right) - 1] ?? String(Character(Self.braille(left, right)))
    }.joined()
  }

  /// Returns a character with two columns of dots, filled from below.
  private static func braille(_ left: Int, _ right: Int) -> Unicode.Scalar {
    let bits = [0, 0x40, 0x44, 0x46, 0x47][left] | [0, 0x80, 0xA0, 0xB0, 0xB8][right]
    return Unicode.Scalar(UInt32(0x2800 + bits)) ?? " "
  }
}
