import TerminalCore
import TimerBoard
import TimerKit

/// The words of a timer that do not depend on the time: rows are built of them, and columns are measured by them.
extension BoardTimer {
  /// Returns the word for a state: `new`, `runs`, `paused`, `done`. With an alert it is `rang`, or `ready`; so is that of
  /// a triggered timer that waits, while one that is about to fire is `pending`. A running cycle has the name of its
  /// phase.
  func stateLabel(_ state: Role) -> String {
    switch state {
    case .executing: return "\(state)"
    case _ where standsReady: return "ready"
    case _ where alert != nil: return "rang"
    case .idle: return machine.calls != nil ? "ready" : "new"
    case .running where machine.calls != nil: return "pending"
    case .running: return machine.phaseName ?? (machine.countsUp ? "counts up" : "runs")
    case .finished: return "done"
    default: return "\(state)"
    }
  }

  /// A Boolean value that indicates whether the last run of the timer's command failed.
  var hasFailed: Bool { commandState.result.map { !$0.isSuccess } ?? false }

  /// Returns true if the timer matches a filter. The state `executing` is not searched.
  func matches(_ query: SearchQuery) -> Bool {
    query.matches(searchText, stateLabel(Role(state)))
  }
}

/// The plan of a timer, such as its kind, the round or the time of its end, and the remarks beside it.
extension BoardTimer {
  /// The kind with the successor; only the successor if the kind is the label.
  private var kindInPlan: String { name == nil ? successorText ?? "" : kindAndSuccessorText }

  /// A Boolean value that indicates whether the plan is the time of the end: that of a countdown that runs, or that was
  /// paused before its end.
  private var planIsEndTime: Bool {
    guard machine.mode == .once, machine.interval != nil else { return false }
    return state == .running || (state == .paused && machine.hasRun)
  }

  /// The plan: `every 45s`, `round 2 of 4`, `rest, round 2 of 4` if that phase waits, `at 14:30`. `nil` if it is the time
  /// of the end.
  var planUnlessEndTime: String? {
    if planIsEndTime { return nil }
    if let round = machine.roundText {
      return (standsReady ? machine.phaseName.map { "\($0), " } ?? "" : "") + "round \(round)"
    }
    let laps = machine.laps.count
    if laps > 0 { return counted(laps, "lap") }
    guard countText != nil, let interval = machine.interval else { return kindInPlan }
    return name == nil ? "" : "every \(DurationText.text(interval))"
  }

  /// The iterations that are left of a timer that repeats, in words: `7 left`, `infinite`; `nil` for others.
  var countText: String? {
    guard machine.interval != nil else { return nil }
    switch machine.iterations {
    case .counted(let left, let count) where count > 1: return "\(left) left"
    case .endless: return "infinite"
    case .counted, .none: return nil
    }
  }

  /// A Boolean value that indicates whether the end is shown with its day unless that is today, because the timer can
  /// run for a day or more.
  var endNeedsDay: Bool { longestTime >= .hours(24) }

  /// The maximum width of the plan; it does not change as time passes.
  var planWidth: Int {
    let plan = max(kindInPlan.cellWidth, planUnlessEndTime?.cellWidth ?? 0)
    // Only a timer that is due at an instant can miss a fire, and says when it fired.
    guard machine.canMiss else { return plan }
    // A time of day is widest if the clock has 12 hours. It follows `rang at` when the timer has finished.
    let fired = max(plan, "rang at 12:59 pm".utf8.count)
    guard machine.phases.isEmpty else { return fired }
    let words = planIsEndTime && state == .paused ? "would ring at " : "rings at "
    let ends = (words + (endNeedsDay ? "2026-12-31 12:59 pm" : "12:59 pm")).utf8.count
    return max(fired, ends)
  }

  /// The width of the remarks. For a cycle it is that with the longest phase and the successor, so that columns do
  /// not move when the phase changes.
  var remarkWidth: Int {
    if machine.phases.isEmpty { return remarks.joined(separator: " · ").cellWidth }
    let phases = machine.phases.map { "then \($0.text)" }
    let longest = phases.max { $0.cellWidth < $1.cellWidth }
    let parts = [commandState.result?.text(), longest, successorText, note]
    return parts.compactMap(\.self).joined(separator: " · ").cellWidth
  }

  /// The result of the command, the next phase, the successor and the note, without those that the timer does not have.
  var remarks: [String] {
    var parts: [String] = []
    if let result = commandState.result { parts.append(result.text()) }
    if let phase = machine.nextPhase { parts.append("then \(phase.text)") }
    // The successor is part of `kindInPlan`, so it is left out if that is the plan.
    let planIsFireTime = state == .finished && lastFired != nil
    if let successorText, planIsFireTime || planUnlessEndTime != kindInPlan {
      parts.append(successorText)
    }
    if let note { parts.append(note) }
    return parts
  }
}
