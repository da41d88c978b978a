import TerminalCore
import TimerBoard
import TimerKit

/// The plan of a timer, such as its kind, the round or the time of its end, and the remarks beside it.
extension BoardTimer {
  /// The kind with the successor; only the successor if the kind is the label.
  private var kindInPlan: String { name == nil ? successorText ?? "" : kindAndSuccessorText }

  /// A Boolean value that indicates whether the plan is the time of the end: that of a countdown that runs, or that was
  /// paused before its end.
  private var planIsEndTime: Bool {
    guard case .repeater(let snapshot) = status, snapshot.configuration.mode == .once,
      snapshot.configuration.schedule == nil
    else { return false }
    return status.state == .running || (status.state == .paused && status.hasRun)
  }

  /// The plan: `every 45s, 7 left`, `round 2 of 4`, `rest, round 2 of 4` if that phase waits, `at 14:30`. `nil` if it is
  /// the time of the end.
  var planUnlessEndTime: String? {
    switch status {
    case .repeater(let snapshot):
      if planIsEndTime { return nil }
      return countedPlan(of: snapshot, countsFromStart: false) ?? kindInPlan
    case .cycle(let cycle):
      let waiting = standsReady ? cycle.position.map { "\($0.phase.name), " } ?? "" : ""
      return cycle.roundText.map { "\(waiting)round \($0)" } ?? kindInPlan
    case .stopwatch(let stopwatch):
      return stopwatch.laps.isEmpty ? kindInPlan : counted(stopwatch.laps.count, "lap")
    case .triggered: return kindInPlan
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
    let kind = name == nil ? "" : "every \(DurationText.text(interval)), "
    return "\(kind)\(countsFromStart ? count : left) left"
  }

  /// The maximum width of the plan; it does not change as time passes.
  var planWidth: Int {
    // A time of day is widest if the clock has 12 hours. It follows `fired` when the timer has finished.
    let fired = "fired 12:59 pm".utf8.count
    switch status {
    case .repeater(let snapshot):
      let counted = countedPlan(of: snapshot, countsFromStart: true)?.cellWidth ?? 0
      let words = planIsEndTime && status.state == .paused ? "would end " : "ends "
      let ends = (words + (endNeedsDay ? "2026-12-31 12:59 pm" : "12:59 pm")).utf8.count
      return max(kindInPlan.cellWidth, counted, fired, ends)
    case .cycle:
      return max(kindInPlan.cellWidth, planUnlessEndTime?.cellWidth ?? 0, fired)
    case .stopwatch, .triggered:
      return max(kindInPlan.cellWidth, planUnlessEndTime?.cellWidth ?? 0)
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
    // The successor is part of `kindInPlan`, so it is left out if that is the plan.
    let planIsFireTime = status.state == .finished && lastFired != nil
    if let successorText, planIsFireTime || planUnlessEndTime != kindInPlan {
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
  /// Returns the plan of a row: `ends 14:35`, `would end 14:35`, `fired 14:30`, `round 2 of 4`.
  func plan(of row: BoardTimer) -> String {
    if row.status.state == .finished, let fired = row.lastFired {
      return "fired \(timeOfDay(at: fired))"
    }
    if let plan = row.planUnlessEndTime { return plan }
    let words = row.status.state == .paused ? "would end" : "ends"
    return endTextToMinute(of: row, showsDay: row.endNeedsDay).map { "\(words) \($0)" } ?? ""
  }

  /// Returns the instant at which the plan of a row that does not move changes: each minute if it is paused before its end.
  func nextPlanChange(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.planUnlessEndTime == nil else { return nil }
    return row.status.pausedTimeLeft.map { nextMinute(after: $0) }
  }
}
