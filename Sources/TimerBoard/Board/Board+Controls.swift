import TimerKit

extension Board {
  /// The outcome of an action for one timer.
  fileprivate struct Outcome {
    let id: TimerID
    /// The command that the action resolved to; `nil` if it was refused.
    var command: TimerCommand?
    var isChanged = false
    var refusal: ControlRefusal?
    let before: TimerMachine
    var after: TimerMachine
  }

  /// The cause of an action.
  enum Cause {
    /// A command of the user: it is reported, and can be undone.
    case request
    /// A part of such a command, whose refusal is not reported.
    case partOfRequest
    /// A fire, or a command with a report of its own.
    case consequence
  }

  /// Performs an action on timers. A command of the user is one step that can be undone, and has one report.
  mutating func control(
    _ action: TimerAction, _ ids: [TimerID], _ cause: Cause = .request, at now: ClockReading
  ) {
    var outcomes = targets(of: action, among: ids).map {
      perform(action, ofTimerAt: $0, cause, at: now)
    }
    guard !outcomes.isEmpty else {
      guard action == .toggleAll else { return }
      return report(Report(text: "nothing is running", isFailure: true), at: now)
    }
    // Fires and skips are delivered now. All timers were controlled first, so that a successor that is among them is
    // started, and not controlled again.
    for index in outcomes.indices where outcomes[index].causesFire {
      guard let position = timers.position(of: outcomes[index].id) else { continue }
      deliver(ofTimerAt: position, at: now)
      outcomes[index].after = timers.all[position].machine
    }
    guard cause != .consequence else { return }
    if let name = action.undoName(for: outcomes.first { $0.isChanged }?.command) { nameStep(name) }
    guard let report = report(of: outcomes, action, at: now), cause == .request || !report.isFailure
    else { return }
    // A manual fire is logged when it happens.
    if case .fire = action { return change.reports.append(report) }
    self.report(report, at: now)
  }

  /// Returns the positions of the timers that an action applies to, in order. A toggle of several timers, for example, does
  /// not apply to those that are already paused.
  private func targets(of action: TimerAction, among ids: [TimerID]) -> [Int] {
    let positions = ids.compactMap { timers.position(of: $0) }
    func running() -> [Int] { positions.filter { timers.all[$0].machine.canPause } }
    switch action {
    case .toggle where positions.count > 1:
      let running = running()
      return running.isEmpty ? positions : running
    case .toggleAll:
      let running = running()
      guard running.isEmpty else { return running }
      return positions.filter {
        timers.all[$0].settings.isPausedTogether && timers.all[$0].state == .paused
      }
    default: return positions
    }
  }

  private mutating func perform(
    _ action: TimerAction, ofTimerAt position: Int, _ cause: Cause, at now: ClockReading
  ) -> Outcome {
    let before = timers.all[position].machine
    var outcome = Outcome(id: timers.all[position].id, before: before, after: before)
    do throws(ControlRefusal) {
      // A refused or empty action changes nothing, and is no step to undo.
      var machine = before
      let baseInterval = timers.all[position].intervalBeforeBackoff
      let (command, isChanged) = try machine.perform(action, baseInterval: baseInterval, at: now)
      outcome.command = command
      guard isChanged else { return outcome }
      outcome.isChanged = true
      outcome.after = machine
    } catch {
      outcome.refusal = error
      return outcome
    }
    guard let command = outcome.command else { return outcome }
    timers.change(at: position) { timer in
      timer.setMachine(outcome.after, by: command, at: now)
      if let leavesChain = outcome.leavesChain(action) { timer.beginChain(leaves: leavesChain) }
      if action == .toggleAll, command == .pause { timer.setPausedTogether(true) }
      if case .setInterval = command { timer.resetBackoff() }
    }
    followRun(ofTimerAt: position, command: command, at: now)
    if let event = outcome.transition(isSuccessor: action == .startAsSuccessor) {
      change.add(Transition(event, of: timers[position]))
    }
    return outcome
  }

  private func report(
    of outcomes: [Outcome], _ action: TimerAction, at now: ClockReading
  ) -> Report? {
    let accepted = outcomes.filter { $0.refusal == nil }
    guard let first = accepted.first else {
      guard let refusal = outcomes.first?.refusal else { return nil }
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

  private func report(of outcome: Outcome, at now: ClockReading) -> Report? {
    guard let command = outcome.command, let timer = timers[outcome.id] else { return nil }
    let before = outcome.before
    let after = outcome.after
    var text = command.pastTense
    var includesTimeLeft = true
    switch command {
    case .start where before.state == .paused && before.hasRun: text = "resumed"
    case .start where before.state == .finished: text = "restarted"
    case .start where before.state == .running: text = "already running"
    case .start: break
    case .pause:
      text = before.state == after.state ? "already \(after.state)" : "\(after.state)"
    case .reset where after.calls != nil:
      text = outcome.isChanged ? "reset" : "nothing is pending"
      includesTimeLeft = false
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
      text = "\(left) of \(count) left"
      includesTimeLeft = false
    case .skip:
      includesTimeLeft = after.phaseName != nil
      text = "skipped to \(after.phaseName ?? "its end")"
    case .lap:
      guard let lap = after.laps.last else { return nil }
      text = "lap \(lap.number), \(TimeText.precise(lap.time))"
      includesTimeLeft = false
    }
    return Report(
      label: timer.label, text: text, timers: [timer.id], includesTimeLeft: includesTimeLeft)
  }
}

extension Board.Outcome {
  /// A Boolean value that indicates whether the action has requested a fire.
  fileprivate var causesFire: Bool {
    guard isChanged else { return false }
    switch command {
    case .fire?, .skip?: return true
    case .start?, .pause?, .reset?, .adjustTimeLeft?, .setInterval?, .setRemainingIterations?,
      .lap?, nil:
      return false
    }
  }

  /// Returns the transition of the outcome; `nil` if there is none, or if the fire that it causes has one of its own.
  fileprivate func transition(isSuccessor: Bool) -> Transition.Event? {
    if case .reset(restart: true)? = command {
      let isStart = before.state == .idle || (isSuccessor && before.state != .running)
      return isStart ? .started : .restarted
    }
    if let event = Transition.Event(from: before, to: after) { return event }
    switch command {
    case .adjustTimeLeft?, .setInterval?, .setRemainingIterations?, .lap?: return .changed
    case .start?, .pause?, .reset?, .fire?, .skip?, nil: return nil
    }
  }

  /// Returns true if the timer leaves its chain: it was reset, or restarted after the end of its run. A restart before
  /// the end stays in the chain. Returns `nil` if the timer was neither restarted nor reset by the user.
  fileprivate func leavesChain(_ action: TimerAction) -> Bool? {
    if action == .startAsSuccessor { return nil }
    let hasEnded = before.state != .running && before.state != .paused
    switch command {
    case .start?: return hasEnded ? true : nil
    case .reset(let restart)?: return !restart || hasEnded
    default: return nil
    }
  }
}

extension TimerAction {
  /// Returns the name of the action in the report of an undo; `nil` for an action without an undo step.
  /// - Parameter command: What it resolved to for the first timer that it has changed.
  fileprivate func undoName(for command: TimerCommand?) -> String? {
    switch self {
    case .toggleAll: command == .pause ? "pause all" : "resume all"
    case .toggle, .start, .pause: command == .pause ? "pause" : "start"
    case .fire: "fire"
    case .startAsSuccessor: nil
    case .reset: command == .reset(restart: true) ? "restart" : "reset"
    case .adjustTime: Self.timeChange
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
