import TerminalCore
import TimerBoard
import TimerKit

/// The plan of a timer: what follows, without the time left.
extension BoardTimer {
  /// The part of the plan that does not depend on the time of day: `every 45s, 7 left`, `round 2 of 4`. `nil` for a
  /// running countdown.
  var steadyPlan: String? {
    switch status {
    case .repeater(let snapshot):
      let runs = status.state == .running || status.state == .executing
      if isCountdown(snapshot) { return runs ? nil : kindText }
      return countedPlan(of: snapshot, showsAll: false) ?? kindText
    case .cycle(let cycle):
      return cycle.roundText.map { "round \($0)" } ?? kindText
    case .stopwatch(let stopwatch):
      return stopwatch.laps.isEmpty ? kindText : counted(stopwatch.laps.count, "lap")
    case .triggered: return kindText
    }
  }

  private func isCountdown(_ snapshot: Repeater.Snapshot) -> Bool {
    snapshot.configuration.mode == .once && snapshot.configuration.schedule == nil
  }

  /// A Boolean value that indicates whether the end needs its day beside its time.
  fileprivate var endNeedsDay: Bool { longestTime >= .hours(24) }

  /// Returns the plan of a timer that fires a number of times: `every 45s, 7 left`.
  private func countedPlan(of snapshot: Repeater.Snapshot, showsAll: Bool) -> String? {
    guard case .counted(let left, let count) = status.iterations, count > 1,
      let interval = snapshot.configuration.interval
    else { return nil }
    return "every \(DurationText.text(interval)), \(showsAll ? count : left) left"
  }

  /// The width of the plan; it does not change as time passes.
  var planWidth: Int {
    let ends = endNeedsDay ? "ends 2026-12-31 12:59 pm" : "ends 12:59 pm"
    guard case .repeater(let snapshot) = status else {
      return max(kindText.cellWidth, steadyPlan?.cellWidth ?? 0)
    }
    if isCountdown(snapshot) { return max(ends.utf8.count, kindText.cellWidth) }
    let counted = countedPlan(of: snapshot, showsAll: true)?.cellWidth ?? 0
    return max(kindText.cellWidth, counted, ends.utf8.count)
  }

  /// The maximum width of the remarks, without the result of the command.
  var remarkWidth: Int {
    guard case .cycle(let cycle) = status else { return remarks.joined(separator: " · ").cellWidth }
    let phases = cycle.configuration.phases.map {
      "then \($0.text)".cellWidth
    }
    return (phases.max() ?? 0) + (note.map { $0.cellWidth + 3 } ?? 0)
  }

  /// The result of the command, what comes after this phase or this timer, and the note.
  var remarks: [String] {
    var parts: [String] = []
    if let result = command.result { parts.append(result.text()) }
    if let phase = nextPhase { parts.append("then \(phase.text)") }
    // `kindText`, which can be the plan, contains the successor.
    let isFired = status.state == .finished && lastFired != nil
    if let successorText, isFired || steadyPlan != kindText { parts.append(successorText) }
    if let note { parts.append(note) }
    return parts
  }

  /// The phase of a cycle after the current one; `nil` after the last one.
  var nextPhase: Cycle.Phase? {
    guard case .cycle(let cycle) = status, let position = cycle.position else { return nil }
    let phases = cycle.configuration.phases
    let next = (position.index + 1) % phases.count
    guard let rounds = cycle.configuration.rounds, position.round >= rounds else {
      return phases[next]
    }
    // The rest after the last round is usually left out.
    let last = phases.count - (cycle.configuration.includesFinalRest || phases.count == 1 ? 1 : 2)
    return position.index < last ? phases[next] : nil
  }
}

extension Cycle.Snapshot {
  /// The round, such as `2 of 4`; `nil` for a cycle that has finished.
  var roundText: String? {
    position.map { "\($0.round)" + (configuration.rounds.map { " of \($0)" } ?? "") }
  }
}

extension Cycle.Phase {
  /// The name with the duration: `rest 5m`.
  var text: String { "\(name) \(DurationText.text(duration))" }
}

extension Frame {
  /// Returns the plan of a row: `ends 14:35`, `fired 14:30`, `round 2 of 4`.
  func plan(of row: BoardTimer) -> String {
    switch row.status.state {
    case .running, .executing:
      if let plan = row.steadyPlan { return plan }
      return dueText(of: row, isShort: !row.endNeedsDay).map { "ends \($0)" }
        ?? row.kindText
    case .finished:
      return row.lastFired.map { "fired \(timeOfDay(at: $0))" } ?? row.kindText
    case .paused, .idle, .cancelled: return row.steadyPlan ?? row.kindText
    }
  }

  /// Returns true if the plan of a row changes at midnight.
  func planShowsDay(of row: BoardTimer) -> Bool {
    row.endNeedsDay && row.status.state == .running && row.steadyPlan == nil
      && showsDay(of: row)
  }
}
