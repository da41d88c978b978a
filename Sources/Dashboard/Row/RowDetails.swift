import TerminalCore
import TimerBoard
import TimerKit

/// The details of the selected timer in lines, beside its row.
struct RowDetails {
  /// The settings, the counts, the command, the note and the phases.
  private(set) var facts: [TextLine] = []
  /// The lateness of the most recent fires in words, and each of them; empty if it is not shown.
  private var lateness: (words: TextLine?, values: [Duration]) = (nil, [])
  /// The latest laps of a stopwatch, the newest first, or the counts of triggers.
  private var lapsOrTriggers: [TextLine] = []
  /// The latest fires with their lateness, the newest first.
  private var fires: [TextLine] = []
  /// The result of the command, or else the note.
  private var resultOrNote: String?

  /// Creates the details of a timer of which nothing else is known.
  init(extras: [TextLine]) {
    (facts, lapsOrTriggers) = (extras, extras)
  }

  /// Returns the lines below the caption of big digits, which says the counts of triggers.
  func extras(of row: Row) -> [TextLine] {
    (resultOrNote.map { [TextLine($0, .faint)] } ?? []) + (row.calls == nil ? lapsOrTriggers : [])
  }

  /// Returns all lines; that of the lateness is as wide as they are.
  func lines(width: Int, _ symbols: Symbols) -> [TextLine] {
    var lines = facts + [lateness.words].compactMap(\.self)
    if !lateness.values.isEmpty {
      let line = Sparkline(lateness.values, width: width - 2).text(symbols)
      lines.append(TextLine(line, .bar))
    }
    return lines + lapsOrTriggers + fires
  }
}

extension RowDetails {
  init(of timer: BoardTimer, _ row: Row, in dashboard: Dashboard) {
    self.init(extras: Self.lapsOrTriggers(of: timer))
    facts = [Self.settings(of: timer, in: dashboard), Self.counts(of: timer, row)]
    if let command = timer.spec.command { facts.append(Self.commandAndResult(command, of: timer)) }
    if let note = timer.note { facts.append(TextLine("note  ", .faint).adding(note)) }
    facts += Self.phases(of: timer)
    lateness = Self.lateness(of: timer, showsShort: dashboard.showsLateness)
    if !timer.machine.countsUp { fires = Self.fires(of: timer, in: dashboard) }
    resultOrNote = timer.commandState.result?.text() ?? timer.note
  }

  /// Returns the mode and the settings, without those that have default values: `every 45s ×8 · finite · tolerance 1s`.
  private static func settings(of timer: BoardTimer, in dashboard: Dashboard) -> TextLine {
    var line = TextLine(timer.kindAndSuccessorText)
    if let next = timer.successor, !dashboard.rows.contains(named: next) {
      line.add(", which does not exist", .failure)
    }
    if let mode = timer.machine.modeName, !timer.kindAndSuccessorText.hasPrefix(mode) {
      line.add(" · \(mode)", .faint)
    }
    for setting in timer.spec.settings { line.add(" · \(setting)", .faint) }
    return line
  }

  /// Returns the command and its result: `run  make test   exit 0 'ok'`.
  private static func commandAndResult(_ command: String, of timer: BoardTimer) -> TextLine {
    var line = TextLine("run  ", .faint).adding(command)
    if let result = timer.commandState.result {
      if timer.intervalBeforeBackoff != nil, let interval = timer.machine.period {
        line.add("   backs off to \(DurationText.text(interval))", .warning)
      }
      line.add("   \(result.text())", result.isSuccess ? .faint : .failure)
    }
    return line
  }

  /// Returns the next fire, the number of fires or laps, and the number of missed fires, except zeros.
  private static func counts(of timer: BoardTimer, _ row: Row) -> TextLine {
    var line = TextLine()
    if let due = row.plan.due { line.add(fact: "next", due) }
    let counts = timer.counts
    if timer.machine.countsUp {
      // Each lap is a delivery.
      line.add(fact: "laps", "\(counts.delivered)")
    } else if counts.delivered > 0 {
      line.add(fact: "fired", "\(counts.delivered)")
    } else {
      line.add((line.width > 0 ? "   " : "") + "not fired yet", .faint)
    }
    if timer.machine.canMiss, counts.missed > 0 {
      line.add(fact: "missed", "\(counts.missed)", .warning)
    }
    return line
  }

  private static func phases(of timer: BoardTimer) -> [TextLine] {
    var line = TextLine()
    for (index, phase) in timer.machine.phases.enumerated() {
      let role = index == timer.machine.phaseIndex ? Role(phase: index) : .text
      if index > 0 { line.add(" / ", .faint) }
      line.add(phase.text, role)
    }
    if let round = timer.machine.roundText { line.add(fact: "round", round) }
    return line.width > 0 ? [line] : []
  }

  /// - Parameter showsShort: True to show also a lateness below a second.
  private static func lateness(
    of timer: BoardTimer, showsShort: Bool
  ) -> (words: TextLine?, values: [Duration]) {
    let recent = timer.recentActivity.fires.elements.compactMap(\.lateness)
    let sorted = recent.sorted()
    let longest = sorted.last ?? .zero
    // What cannot miss a fire is never late.
    guard timer.machine.canMiss, showsShort || longest >= .seconds(1) else { return (nil, []) }
    guard !sorted.isEmpty else {
      return (timer.machine.deliveredCount > 0 ? TextLine("manual fires only", .faint) : nil, [])
    }
    var line = TextLine("late", .faint)
    for (name, value) in [
      ("median", sorted[(sorted.count - 1) / 2]), ("p99", sorted[(99 * sorted.count - 1) / 100]),
      ("max", longest),
    ] {
      line.add("  \(name) ", .faint)
      line.add(TimeText.preciseLateness(value))
    }
    return (line, recent)
  }

  private static func fires(of timer: BoardTimer, in dashboard: Dashboard) -> [TextLine] {
    let context = dashboard.rowContext(at: dashboard.now)
    return timer.recentActivity.fires.elements.suffix(8).reversed().map { fire in
      let time = dashboard.board.timeOfDay(at: fire.at, now: dashboard.now)
      let late = fire.lateness.map { "late \(TimeText.lateness($0))" } ?? "manual"
      return TextLine("fired ", .faint)
        .adding(context.timeOfDay(of: time, showsSeconds: true))
        .adding("  \(late)", .faint)
    }
  }

  private static func lapsOrTriggers(of timer: BoardTimer) -> [TextLine] {
    guard let calls = timer.machine.calls else {
      return timer.machine.laps.suffix(20).reversed().map { lap in
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
}

extension TextLine {
  /// Adds a fact after those before it: `missed 2`.
  mutating func add(fact name: String, _ value: String, _ role: Role = .text) {
    add((width > 0 ? "   " : "") + name + " ", .faint)
    add(value, role)
  }
}
