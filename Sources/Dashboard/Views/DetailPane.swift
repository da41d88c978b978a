import TerminalCore
import TimerBoard
import TimerKit

/// The details of the selected timer in lines. Only the day of the next fire depends on the time.
struct DetailPane {
  let title: String
  let lines: [TextLine]
  /// A Boolean value that indicates whether the next fire is shown with its day.
  let showsDay: Bool

  static let height = 5

  init?(_ frame: Frame, width: Int) {
    guard let row = frame.dashboard.selectedRow else { return nil }
    title = row.label
    showsDay = frame.showsDay(of: row)
    var lines = [Self.settings(of: row, frame), Self.counts(of: row, frame)]
    switch row.status {
    case .repeater: lines += Self.lateness(of: row, frame, width: width)
    case .cycle(let cycle):
      lines.append(Self.phases(of: cycle))
      lines += Self.lateness(of: row, frame, width: width)
    case .stopwatch(let stopwatch): lines += Self.laps(of: stopwatch)
    case .calls: lines += Self.triggers(of: row)
    }
    if let command = row.spec.command { lines.insert(Self.run(command, of: row), at: 2) }
    if let note = row.note {
      var line = TextLine()
      line.add("note  ", .faint)
      line.add(note)
      lines.insert(line, at: min(2, lines.count))
    }
    self.lines = lines
  }

  /// Returns the settings that are not the default ones: `every 45s ×8 · awake · tolerance 1s · delay`.
  private static func settings(of row: BoardTimer, _ frame: Frame) -> TextLine {
    var line = TextLine()
    line.add(row.kindText)
    if let next = row.spec.next, frame.dashboard.rows.timer(named: next) == nil {
      line.add(", which does not exist", .refusal)
    }
    var parts = row.spec.countsOnlyAwake ? ["awake"] : []
    if row.spec.tolerance > .zero {
      parts.append("tolerance \(DurationText.text(row.spec.tolerance))")
    }
    if case .repeater(let snapshot) = row.status, snapshot.configuration.mode != .once {
      switch snapshot.configuration.missedTicks {
      case .skip: parts.append("skip")
      case .delay: parts.append("delay")
      case .burst(let limit): parts.append("burst \(limit)")
      }
    }
    if let backoff = row.spec.backoff { parts.append("backoff \(DurationText.text(backoff))") }
    if row.spec.waits { parts.append("wait") }
    if row.spec.sound != .standard { parts.append(row.spec.sound.rawValue) }
    for part in parts { line.add(" · \(part)", .faint) }
    return line
  }

  /// Returns the command and its result: `run  make test   exit 0 'ok'`.
  private static func run(_ command: String, of row: BoardTimer) -> TextLine {
    var line = TextLine()
    line.add("run  ", .faint)
    line.add(command)
    if let result = row.command.result {
      if row.command.baseInterval != nil, let interval = row.status.period {
        line.add("   backs off to \(DurationText.text(interval))", .paused)
      }
      line.add("   \(result.text())", result.isSuccess ? .faint : .refusal)
    }
    return line
  }

  private static func counts(of row: BoardTimer, _ frame: Frame) -> TextLine {
    var line = TextLine()
    func addNext(before deliveries: String) {
      line.add("next ", .faint)
      line.add(frame.dueText(of: row) ?? "–")
      line.add("   \(deliveries) ", .faint)
    }
    switch row.status {
    case .repeater, .cycle: addNext(before: "fired")
    case .stopwatch: line.add("laps ", .faint)
    case .calls: addNext(before: "delivered")
    }
    let counts = row.counts
    line.add("\(counts.delivered)")
    if row.status.missedCount != nil {
      let missed = counts.missed
      line.add("   missed ", .faint)
      line.add("\(missed)", missed > 0 ? .paused : .text)
    }
    line.add("   stale ", .faint)
    line.add("\(counts.stale)")
    return line
  }

  /// Returns the quantiles of lateness, and the lateness of the most recent fires.
  private static func lateness(of row: BoardTimer, _ frame: Frame, width: Int) -> [TextLine] {
    var line = TextLine()
    line.add("late", .faint)
    let histogram = row.history.lateness
    guard histogram.count > 0 else {
      let fires = row.status.deliveredCount
      line.add(fires > 0 ? "  manual fires only" : "  not fired yet", .faint)
      return [line]
    }
    for (name, value) in [
      ("p50", histogram.quantile(0.5)), ("p99", histogram.quantile(0.99)),
      ("max", histogram.longest),
    ] {
      line.add("  \(name) ", .faint)
      line.add(TimeText.preciseLateness(value))
    }
    var spark = TextLine()
    spark.add(
      Sparkline(row.history.fires.elements.compactMap(\.lateness), width: width - 2)
        .text(frame.symbols), .bar)
    return [line, spark]
  }

  static func phases(of cycle: Cycle.Snapshot, showsRound: Bool = true) -> TextLine {
    var line = TextLine()
    for (index, phase) in cycle.configuration.phases.enumerated() {
      let isNow = index == cycle.position?.index
      if index > 0 { line.add(" / ", .faint) }
      line.add("\(phase.name) \(DurationText.text(phase.duration))", isNow ? .running : .text)
    }
    if showsRound, let position = cycle.position {
      line.add("   round ", .faint)
      line.add("\(position.round)" + (cycle.configuration.rounds.map { " of \($0)" } ?? ""))
    }
    return line
  }

  static func laps(of stopwatch: Stopwatch.Snapshot) -> [TextLine] {
    stopwatch.laps.suffix(20).reversed().map { lap in
      var line = TextLine()
      line.add("lap \(lap.number)  ", .faint)
      line.add(TimeText.precise(lap.time))
      line.add("  at ", .faint)
      line.add(TimeText.precise(lap.total))
      return line
    }
  }

  static func triggers(of row: BoardTimer) -> [TextLine] {
    guard case .calls(let calls) = row.status else { return [] }
    var line = TextLine()
    for (name, count) in [
      ("triggered ", calls.callCount), ("   suppressed ", calls.suppressedCount),
      ("   pending ", calls.pendingCount),
    ] {
      line.add(name, .faint)
      line.add("\(count)")
    }
    return [line]
  }

  func draw(on canvas: inout Canvas, in area: Rect, theme: Theme) {
    for (index, line) in lines.prefix(area.height).enumerated() {
      line.draw(on: &canvas, x: area.x, y: area.y + index, theme: theme, limit: area.width)
    }
  }
}
