import TerminalCore
import TimerBoard
import TimerKit

extension BoardTimer {
  /// The role of the state that a row shows: that of the timer, or `executing` while the command runs.
  var displayedState: Role { commandState.isRunning ? .executing : Role(state) }

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

  /// Returns true if this timer and the one below it on the screen are of one group, or one of them starts the other.
  func isJoined(to next: BoardTimer) -> Bool {
    group.map { $0 == next.group } ?? false
      || successor.map { $0 == next.name } ?? false || next.successor.map { $0 == name } ?? false
  }

  /// A Boolean value that indicates whether the last run of the timer's command failed.
  var hasFailed: Bool { commandState.result.map { !$0.isSuccess } ?? false }

  /// Returns true if the timer matches a filter. The state `executing` is not searched.
  func matches(_ query: SearchQuery) -> Bool {
    query.matches(searchText, stateLabel(Role(state)))
  }

  /// The result of the command, or else the note.
  var resultOrNote: String? { commandState.result?.text() ?? note }

  /// Returns the counts of triggers and fires that fit in place of the bar; `nil` if none fits, or for a timer that
  /// does not wait for triggers.
  func triggerCountText(in width: Int) -> String? {
    guard let calls = machine.calls else { return nil }
    guard calls.callCount > 0 else {
      return ["not triggered yet", "no fires"].first { $0.utf8.count <= width }
    }
    let triggered = "\(calls.callCount) triggered"
    let fired = "\(triggered), \(calls.deliveredCount) fired"
    let all =
      calls.droppedCount > 0 ? "\(fired), \(calls.droppedCount) dropped" : fired
    return [all, fired, triggered, "\(calls.callCount) trig."].first { $0.utf8.count <= width }
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

  /// The plan: `every 45s, 7 left`, `round 2 of 4`, `rest, round 2 of 4` if that phase waits, `at 14:30`. `nil` if it is
  /// the time of the end.
  var planUnlessEndTime: String? {
    if planIsEndTime { return nil }
    if let round = machine.roundText {
      return (standsReady ? machine.phaseName.map { "\($0), " } ?? "" : "") + "round \(round)"
    }
    let laps = machine.laps.count
    return laps > 0 ? counted(laps, "lap") : countedPlan(countsFromStart: false) ?? kindInPlan
  }

  /// A Boolean value that indicates whether the end is shown with its day unless that is today, because the timer can
  /// run for a day or more.
  fileprivate var endNeedsDay: Bool { longestTime >= .hours(24) }

  /// Returns the plan of a timer that repeats: `every 45s, 7 left`, `every 1m, infinite`.
  /// - Parameter countsFromStart: True for the plan at the start of a run, with all iterations left.
  private func countedPlan(countsFromStart: Bool) -> String? {
    guard let interval = machine.interval else { return nil }
    let kind = name == nil ? "" : "every \(DurationText.text(interval)), "
    switch machine.iterations {
    case .counted(let left, let count) where count > 1:
      return "\(kind)\(countsFromStart ? count : left) left"
    case .endless: return "\(kind)infinite"
    case .counted, .none: return nil
    }
  }

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
    return max(fired, countedPlan(countsFromStart: true)?.cellWidth ?? 0, ends)
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

extension Frame {
  /// Returns the plan of a row: `rings at 14:35`, `would ring at 14:35`, `rang at 14:30`, `done 12m ago`.
  func plan(of row: BoardTimer) -> String {
    if let text = endText(of: row) { return text }
    if let plan = row.planUnlessEndTime { return plan }
    let words = row.state == .paused ? "would ring at" : "rings at"
    return endTextToMinute(of: row, showsDay: row.endNeedsDay).map { "\(words) \($0)" } ?? ""
  }

  /// The title of the terminal's window: `tea rings at 14:35`, `3 timers rang`. It does not change each second.
  var windowTitle: String {
    if let timer = dashboard.board.timerWithNewestAlert {
      let count = dashboard.rows.alertCount
      return count > 1
        ? "\(counted(count, "timer")) rang"
        : "\(timer.label) \(timer.stateLabel(Role(timer.state)))"
    }
    guard let next = dashboard.rows.next(at: now),
      let end = endTextToMinute(of: next, showsDay: next.endNeedsDay)
    else { return "carillon" }
    return "\(next.label) rings at \(end)"
  }

  /// Returns when a timer that has finished did so: the time while its alert stands, and then how long ago, in minutes
  /// or days, so that an unattended screen is rarely redrawn.
  func endText(of row: BoardTimer) -> String? {
    guard row.state == .finished, let fired = row.lastFire(at: now), let time = row.lastFireTime
    else { return nil }
    if row.needsAttention { return "rang at \(timeOfDay(of: time))" }
    let age = age(since: fired)
    return age.count == 0 ? "done just now" : "done \(DurationText.text(age.unit * age.count)) ago"
  }

  private func age(since fired: TimerClock.Instant) -> (count: Int, unit: Duration) {
    let time = fired.duration(to: now.suspending)
    let unit = time < .hours(24) ? Duration.seconds(60) : .hours(24)
    return (Int(max(0, time / unit)), unit)
  }

  /// Returns the instant at which ``endText(of:)`` changes.
  func nextEndTextChange(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.state == .finished, !row.needsAttention, let fired = row.lastFire(at: now)
    else { return nil }
    let age = age(since: fired)
    return fired.advanced(by: age.unit * (age.count + 1))
  }

  /// Returns the instant at which the plan of a row that does not move changes: each minute if it is paused before its
  /// end, or as that of one that has finished does.
  func nextPlanChange(of row: BoardTimer) -> TimerClock.Instant? {
    guard row.state != .running else { return nil }
    guard row.planUnlessEndTime == nil else { return nextEndTextChange(of: row) }
    return row.machine.pausedTimeLeft.map { nextMinute(after: $0) }
  }
}
