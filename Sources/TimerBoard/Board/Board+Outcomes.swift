import TimerKit

extension Board {
  /// Applies the outcomes of an action: updates the timers, adds one step that can be undone, and returns one
  /// report.
  mutating func apply(
    _ outcomes: [ControlOutcome], of action: TimerAction, _ cause: Cause, at now: ClockReading
  ) -> [Effect] {
    guard !outcomes.isEmpty else {
      guard case .toggleAll = action else { return [] }
      return [.report(Report(text: "nothing is running", isFailure: true))]
    }
    let changed = outcomes.filter(\.isChanged)
    if cause != .consequence, let name = action.undoName(for: changed) {
      // A trigger cannot be taken back.
      let changed = changed.filter { !$0.isTrigger }
      let byID = Dictionary(changed.map { ($0.id, $0) }) { first, _ in first }
      addUndoStep(name, of: changed.compactMap { timers[$0.id] }, cause, at: now) { timer in
        byID[timer.id].map { $0.change(of: timer, at: now) } ?? .none
      }
    }
    for outcome in outcomes { apply(outcome, of: action, cause, at: now) }
    guard cause != .consequence, let report = report(of: outcomes, action, at: now),
      cause == .request || !report.isFailure
    else { return [] }
    // A manual fire is logged when it happens.
    if case .fire = action { return [.report(report)] }
    return [self.report(report, at: now)]
  }

  private mutating func apply(
    _ outcome: ControlOutcome, of action: TimerAction, _ cause: Cause, at now: ClockReading
  ) {
    // What has changed without the action, such as the end of the run, comes with the timer's own event.
    guard outcome.isChanged, let position = timers.position(of: outcome.id) else { return }
    let before = timers[position].status
    if let leavesChain = outcome.leavesChain(from: before, action) {
      self[chain: outcome.id].begin(leavesChain: leavesChain)
    }
    // The last fire follows, with the end of the run and its alert.
    if outcome.hasEndedSince { return }
    timers.change(at: position) { timer in
      timer.update(from: outcome.after, at: now)
      if cause == .request, case .changed(.setInterval) = outcome.result {
        timer.commandState.resetFailures()
      }
    }
    trackStretch(ofTimerAt: position, command: outcome.command, at: now)
    if let event = outcome.transition(from: before, isSuccessor: action == .startAsSuccessor) {
      transitions.append(Transition(event, of: timers[position]))
    }
    if outcome.after.state != .paused { pausedTogether.remove(outcome.id) }
    if case .toggleAll = action, outcome.result == .changed(.pause) {
      pausedTogether.insert(outcome.id)
    }
  }

  private func report(
    of outcomes: [ControlOutcome], _ action: TimerAction, at now: ClockReading
  ) -> Report? {
    let accepted = outcomes.filter { if case .refused = $0.result { false } else { true } }
    guard let first = accepted.first else {
      guard case .refused(let refusal)? = outcomes.first?.result else { return nil }
      let ids = outcomes.map(\.id)
      return Report(
        label: label(of: ids), text: refusal.description, timers: ids, isFailure: true)
    }
    if outcomes.count == 1 { return report(of: first, at: now) }
    let changed = accepted.filter(\.isChanged)
    let effective = changed.isEmpty ? accepted : changed
    var text = effective.first?.command?.pastTense ?? ""
    let ids = effective.map(\.id)
    if changed.isEmpty {
      let states = Set(effective.map(\.after.state))
      text = states.count == 1 ? states.map { "already \($0)" }[0] : "unchanged"
    } else if case .start? = effective.first?.command,
      effective.allSatisfy({ $0.before.state == .paused })
    {
      text = effective.contains(where: \.before.hasRun) ? "resumed" : "started"
    }
    if accepted.count < outcomes.count {
      text += "; \(outcomes.count - accepted.count) refused"
    }
    return Report(label: label(of: ids), text: text, timers: ids)
  }

  private func report(of outcome: ControlOutcome, at now: ClockReading) -> Report? {
    guard let command = outcome.command, let timer = timers[outcome.id] else { return nil }
    let (before, after) = (outcome.before, outcome.after)
    var text = command.pastTense
    var includesTimeLeft = true
    switch command {
    case .start where before.state == .paused && before.hasRun: text = "resumed"
    case .start where before.state == .finished: text = "restarted"
    case .start where before.state == .running: text = "already running"
    case .start: break
    case .pause:
      text = before.state == after.state ? "already \(after.state)" : "\(after.state)"
    case .reset(let restart): includesTimeLeft = restart
    case .fire(let pausing):
      if after.calls != nil { text = "triggered" }
      includesTimeLeft = pausing && after.pausedTimeLeft != nil
    case .adjustTimeLeft(let change):
      let amount = DurationText.text(change < .zero ? .zero - change : change)
      includesTimeLeft = after.timeLeft(at: now) != .zero
      text = "\(amount) \(change < .zero ? "removed" : "added")"
      if !includesTimeLeft { text += ", ends now" }
    case .setInterval:
      guard let old = before.period, let new = after.period else { return nil }
      text = "interval \(DurationText.text(old)) → \(DurationText.text(new))"
    case .setRemainingIterations:
      guard case .counted(let left, let count) = after.iterations else { return nil }
      (text, includesTimeLeft) = ("\(left) of \(count) left", false)
    case .skip:
      includesTimeLeft = after.phaseName != nil
      text = "skipped to \(after.phaseName ?? "its end")"
    case .lap:
      guard let lap = after.laps.last else { return nil }
      (text, includesTimeLeft) = ("lap \(lap.number), \(TimeText.precise(lap.time))", false)
    }
    return Report(
      label: timer.label, text: text, timers: [timer.id], includesTimeLeft: includesTimeLeft)
  }
}

extension ControlOutcome {
  fileprivate var isChanged: Bool { if case .changed = result { true } else { false } }

  /// A Boolean value that indicates whether the run has ended since the action, which itself ends none.
  fileprivate var hasEndedSince: Bool {
    guard after.state == .finished else { return false }
    switch command {
    case .start?, .reset?: return true
    case .pause?, .adjustTimeLeft?, .setInterval?: return before.state != .finished
    case .fire?, .skip?, .lap?, .setRemainingIterations?, nil: return false
    }
  }

  fileprivate var isTrigger: Bool { after.calls != nil && command == .fire(pausing: false) }

  /// Returns the change that an undo reverses.
  fileprivate func change(of timer: BoardTimer, at now: ClockReading) -> UndoHistory.Change {
    if case .changed(.adjustTimeLeft) = result, let left = before.timeLeft(at: now),
      let newLeft = after.timeLeft(at: now)
    {
      return .timeAdded(newLeft - left)
    }
    return timer.continuing(before, at: now)
  }

  /// Returns the transition of the outcome; `nil` if there is none, or if the fire that it causes has one of its own.
  fileprivate func transition(from before: TimerStatus, isSuccessor: Bool) -> Transition.Event? {
    if case .changed(.reset(restart: true)) = result {
      let isStart = before.state == .idle || (isSuccessor && before.state != .running)
      return isStart ? .started : .restarted
    }
    if let event = Transition.Event(from: before, to: after) { return event }
    switch result {
    case .changed(.adjustTimeLeft), .changed(.setInterval), .changed(.setRemainingIterations),
      .changed(.lap):
      return .changed
    default: return nil
    }
  }

  /// Returns true if the timer leaves its chain: it was reset, or restarted after the end of its run. A restart before
  /// the end stays in the chain. Returns `nil` if the timer was neither restarted nor reset by the user.
  fileprivate func leavesChain(from before: TimerStatus, _ action: TimerAction) -> Bool? {
    if action == .startAsSuccessor { return nil }
    let hasEnded = before.state != .running && before.state != .paused
    switch result {
    case .changed(.start): return hasEnded ? true : nil
    case .changed(.reset(let restart)): return !restart || hasEnded
    default: return nil
    }
  }

  fileprivate var command: TimerCommand? {
    switch result {
    case .changed(let command), .unchanged(let command): command
    case .refused: nil
    }
  }
}

extension TimerAction {
  /// Returns the name of the action in the report of an undo; `nil` for an action without an undo step.
  fileprivate func undoName(for changed: [ControlOutcome]) -> String? {
    switch self {
    case .toggleAll: changed.first?.command == .pause ? "pause all" : "resume all"
    case .toggle, .start, .pause: changed.first?.command == .pause ? "pause" : "start"
    case .fire: "fire"
    case .startAsSuccessor: nil
    case .reset(let restart): restart ? "restart" : "reset"
    case .adjustTime: "time change"
    case .stepInterval, .setInterval: "interval change"
    case .adjustIterations: "change of iterations"
    case .skip: "skip"
    case .lap: "lap"
    }
  }
}

extension TimerCommand {
  /// The past tense of the command, for a report about several timers.
  fileprivate var pastTense: String {
    switch self {
    case .start: "started"
    case .pause: "paused"
    case .reset(let restart): restart ? "restarted" : "reset and stopped"
    case .fire(let pausing): pausing ? "fired and paused" : "fired"
    case .adjustTimeLeft(let change): change < .zero ? "time removed" : "time added"
    case .setInterval: "interval changed"
    case .setRemainingIterations: "iterations changed"
    case .skip: "skipped a phase"
    case .lap: "lap taken"
    }
  }
}
