import TerminalCore
import TimerBoard
import TimerKit

/// The plan of a timer, such as its kind, the round or the time of its end, and the remarks beside it.
extension BoardTimer {
  /// The plan: `every 45s, 7 left`, `round 2 of 4`, `at 14:30`. `nil` for a running countdown, whose plan is the time
  /// of its end.
  var planUnlessEndTime: String? {
    switch status {
    case .repeater(let snapshot):
      let configuration = snapshot.configuration
      if configuration.mode == .once, configuration.schedule == nil {
        return status.state == .running ? nil : kindAndSuccessorText
      }
      return countedPlan(of: snapshot, countsFromStart: false) ?? kindAndSuccessorText
    case .cycle(let cycle):
      return cycle.roundText.map { "round \($0)" } ?? kindAndSuccessorText
    case .stopwatch(let stopwatch):
      return stopwatch.laps.isEmpty ? kindAndSuccessorText : counted(stopwatch.laps.count, "lap")
    case .triggered: return kindAndSuccessorText
    }
  }

  /// A Boolean value that indicates whether the end is shown with its day unless that is today, because the timer can
  /// run for a day or more.
  fileprivate var endNeedsDay: Bool { longestTime >= .hours(24) }

  /// Returns the plan of a timer that fires a number of times: `every 45s, 7 left`.
  /// - Parameter countsFromStart: True for the plan at the start of a run, with all iterations left.
  private func countedPlan(of snapshot: Repeater.Snapshot, countsFromStart: Bool) -> String? {
    guard case .counted(let left, let count) = status.iterations, count > 1,
      let interval = snapshot.configuration.interval
    else { return nil }
    return "every \(DurationText.text(interval)), \(countsFromStart ? count : left) left"
  }

  /// The maximum width of the plan; it does not change as time passes.
  var planWidth: Int {
    // A time of day is widest if the clock has 12 hours. It follows `fired` when the timer has finished.
    let fired = "fired 12:59 pm".utf8.count
    switch status {
    case .repeater(let snapshot):
      let counted = countedPlan(of: snapshot, countsFromStart: true)?.cellWidth ?? 0
      let ends = endNeedsDay ? "ends 2026-12-31 12:59 pm".utf8.count : 0
      return max(kindAndSuccessorText.cellWidth, counted, fired, ends)
    case .cycle:
      return max(kindAndSuccessorText.cellWidth, planUnlessEndTime?.cellWidth ?? 0, fired)
    case .stopwatch, .triggered:
      return max(kindAndSuccessorText.cellWidth, planUnlessEndTime?.cellWidth ?? 0)
    }
  }

  /// The width of the remarks. For a cycle it is that with the longest phase and the successor, so that columns do
  /// not move when the phase changes.
  var remarkWidth: Int {
    guard case .cycle(let cycle) = status else { return remarks.joined(separator: " · ").cellWidth }
    let phases = cycle.configuration.phases.map { "then \($0.text)" }
    let longest = phases.max { $0.cellWidth < $1.cellWidth }
    let parts = [commandState.result?.text(), longest, successorText, note]
    return parts.compactMap(\.self).joined(separator: " · ").cellWidth
  }

  /// The result of the command, the next phase, the successor and the note, without those that the timer does not have.
  var remarks: [String] {
    var parts: [String] = []
    if let result = commandState.result { parts.append(result.text()) }
    if let phase = nextPhase { parts.append("then \(phase.text)") }
    // The successor is part of `kindAndSuccessorText`, so it is left out if that is the plan.
    let planIsFireTime = status.state == .finished && lastFired != nil
    if let successorText, planIsFireTime || planUnlessEndTime != kindAndSuccessorText {
      parts.append(successorText)
    }
    if let note { parts.append(note) }
    return parts
  }

  /// The phase of a cycle after the current one; `nil` if the current one is the last.
  var nextPhase: Cycle.Phase? {
    guard case .cycle(let cycle) = status, let position = cycle.position else { return nil }
    // `phaseIndex` and `phaseCount` count through all rounds.
    guard cycle.phaseIndex + 1 < cycle.configuration.phaseCount ?? .max else { return nil }
    let phases = cycle.configuration.phases
    return phases[(position.index + 1) % phases.count]
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
    case .running:
      if let plan = row.planUnlessEndTime { return plan }
      return dueTextToMinute(of: row, showsDay: row.endNeedsDay).map { "ends \($0)" }
        ?? row.kindAndSuccessorText
    case .finished:
      return row.lastFired.map { "fired \(timeOfDay(at: $0))" } ?? row.kindAndSuccessorText
    case .paused, .idle, .cancelled: return row.planUnlessEndTime ?? row.kindAndSuccessorText
    }
  }

  /// Returns true if the plan of a row changes at midnight, because it shows the day of the end.
  func planChangesAtMidnight(of row: BoardTimer) -> Bool {
    row.endNeedsDay && row.status.state == .running && row.planUnlessEndTime == nil
      && showsDay(of: row)
  }
}
