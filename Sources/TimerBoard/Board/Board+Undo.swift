import TimerKit

/// Undo and redo. A step is the timers that a command has changed, each before and after it: `TimerList.change(at:_:)` keeps
/// them. To undo it puts back what the step has changed, as if it had not been; facts, such as counts and results, stay.
extension Board {
  /// Performs a command as a step. What it does is a step that can be undone if it calls ``nameStep(_:isUndone:)``.
  mutating func asStep(at now: ClockReading, _ command: (inout Board) -> Void) {
    stepName = nil
    timers.beginStep()
    command(&self)
    let entries = timers.endStep()
    guard let name = stepName, !entries.isEmpty else { return }
    let step = UndoHistory.Step(name: name.text, entries: entries, takenAt: now)
    if let isUndone = name.isUndone {
      undoHistory.add(step, isUndone: isUndone)
    } else {
      undoHistory.add(step)
    }
  }

  /// Names the present step.
  /// - Parameter isUndone: True for the inverse of a step that is undone, false for that of one that is redone; `nil` for a
  ///   new step.
  mutating func nameStep(_ name: String, isUndone: Bool? = nil) { stepName = (name, isUndone) }

  /// Undoes the most recent step, or redoes the one that was undone last: its timers continue as if it had not been.
  /// Deleted ones return with the time that they had left.
  mutating func undo(isRedo: Bool, at now: ClockReading) {
    guard let step = undoHistory.takeLast(isRedo: isRedo) else {
      let text = "nothing to \(isRedo ? "redo" : "undo")"
      return report(Report(text: text, isFailure: true), at: now)
    }
    let obstacles = step.entries.map { obstacle(to: $0) }
    let entries = zip(step.entries, obstacles).compactMap { $1 == nil ? $0 : nil }
    let ids = step.entries.map(\.id)
    guard !entries.isEmpty else {
      let obstacle = obstacles.compactMap(\.self).first ?? ""
      let text = "cannot \(isRedo ? "redo" : "undo") the \(step.name): \(obstacle)"
      return report(Report(label: label(of: ids), text: text, isFailure: true), at: now)
    }
    // A timer of which only the link to another one has changed is not named.
    let named = entries.filter { !$0.changesOnlyLinks }.map(\.id)
    let before = label(of: named)
    nameStep(step.name, isUndone: !isRedo)
    reverse(entries, of: step, at: now)
    let left = named.filter { timers[$0] != nil }
    report(
      "\(step.name) \(isRedo ? "redone" : "undone")",
      label: left.isEmpty ? before : label(of: left), timers: left,
      includesTimeLeft: left.count == 1 && step.name != TimerAction.timeChange
        && timers[left[0]]?.state != .finished, at: now)
  }

  /// Returns what a timer has done since a step that stays: it has begun a run without a command, or was triggered. `nil` if
  /// there is nothing.
  private func obstacle(to entry: UndoHistory.Entry) -> String? {
    guard entry.changesMachine, let after = entry.after, let timer = timers[entry.id] else {
      return nil
    }
    if let calls = timer.machine.calls, let then = after.machine.calls,
      calls.callCount != then.callCount
    {
      return "triggered since"
    }
    let isStarted = timer.settings.startsWithoutCommand != after.settings.startsWithoutCommand
    return isStarted ? "started again since" : nil
  }

  private mutating func reverse(
    _ entries: [UndoHistory.Entry], of step: UndoHistory.Step, at now: ClockReading
  ) {
    let added = entries.filter { $0.before == nil }.map(\.id)
    unlink(added, at: now)
    // Names may have been given to other timers since.
    let ids = Set(entries.map(\.id))
    let befores = entries.compactMap(\.before)
    let unique = uniquelyNamed(befores.map(\.settings.requested), for: ids)
    let specs = Dictionary(zip(befores.map(\.id), unique)) { first, _ in first }
    let deleted = entries.filter { $0.after == nil && timers[$0.id] == nil }
    reinsert(deleted, named: specs, of: step, at: now)
    for entry in entries {
      guard let before = entry.before, let after = entry.after,
        let position = timers.position(of: entry.id)
      else { continue }
      if before.settings.requested != after.settings.requested, let spec = specs[entry.id] {
        setSpec(spec, ofTimerAt: position)
      }
      reverse(entry, from: before.settings, to: after.settings, ofTimerAt: position, at: now)
    }
    remove(added, at: now)
    for id in added { change.add(.dropWaitingCommands(id)) }
  }

  /// Puts back what a step has changed of a timer.
  private mutating func reverse(
    _ entry: UndoHistory.Entry, from before: BoardTimer.Settings, to after: BoardTimer.Settings,
    ofTimerAt position: Int, at now: ClockReading
  ) {
    let current = timers.all[position].settings
    var restored = current
    if entry.changesMachine {
      restored.machine = before.machine
      restored.intervalBeforeBackoff = before.intervalBeforeBackoff
      restored.startsWithoutCommand = before.startsWithoutCommand
      let fires = firesSince(entry)
      catchUp(&restored.machine, waits: before.requested.waits, delivered: fires, at: now)
      restored.run = run(
        before.run, current: current.run, of: restored.machine, fires: fires,
        revokedOf: position, at: now)
    }
    if before.chain != after.chain {
      // The rounds since the step stay.
      let rounds = max(0, current.chain.totalRoundsDone - after.chain.totalRoundsDone)
      restored.chain = before.chain
      restored.chain.roundsDone += rounds
      restored.chain.totalRoundsDone = current.chain.totalRoundsDone
    }
    // An alert that has begun since stays.
    if before.alert != after.alert, current.alert == after.alert {
      restored.alert = before.alert
      restored.alert?.isRinging = false
      restored.stoppedOvertime = before.stoppedOvertime
    }
    if before.isPausedTogether != after.isPausedTogether {
      restored.isPausedTogether = before.isPausedTogether
    }
    timers.change(at: position) { $0.setSettings(restored, at: now) }
    if entry.changesMachine { followRun(ofTimerAt: position, at: now) }
    let timer = timers[position]
    if timer.alert != nil, current.alert == nil { addToAlertOrder(timer.id) }
    let isAcknowledged = current.alert != nil && timer.alert == nil && !entry.changesMachine
    change.add(Transition(isAcknowledged ? .acknowledged : .changed, of: timer))
  }

  /// Returns the number of fires of a timer since a step, with those that were merged into them.
  private func firesSince(_ entry: UndoHistory.Entry) -> Int {
    guard let now = timers[entry.id]?.counts, let then = entry.after?.counts else { return 0 }
    return max(0, now.delivered - then.delivered + now.missed - then.missed)
  }

  /// Lets a timer pass the deadlines since a step. If there were more of them than fires, the last one stays due: its fire
  /// follows, late.
  private func catchUp(
    _ machine: inout TimerMachine, waits: Bool, delivered: Int, at now: ClockReading
  ) {
    // A phase that waits follows from a fire.
    if waits, machine.cycle != nil, delivered == 0 { return }
    var passed = machine
    let due = passed.catchUp(to: now)
    if due > delivered {
      machine.catchUp(to: now, leaving: 1)
    } else {
      machine = passed
    }
  }

  /// Returns the run of a timer whose time is put back.
  private mutating func run(
    _ before: Run?, current: Run?, of machine: TimerMachine, fires: Int, revokedOf position: Int,
    at now: ClockReading
  ) -> Run? {
    guard var run = before, machine.isInRun, machine.runNumber == run.number else {
      // What has ended without the step, too, is recorded. A run that the step began vanishes.
      return before == nil || current?.number != machine.runNumber ? nil : current
    }
    if let current, current.id == run.id {
      run.keepFacts(of: current)
      return run
    }
    revoke(&run, ofTimerAt: position)
    run.addFires(fires)
    return run
  }

  /// Revokes the record of a run, which continues with a new identifier.
  private mutating func revoke(_ run: inout Run, ofTimerAt position: Int) {
    change.history.append(.revocation(of: run.id))
    run.setID(runIDs.next())
    timers.change(at: position) { $0.setRunAwaitingResult(nil) }
  }

  /// Removes timers that no other one starts, and ends their runs.
  mutating func remove(_ ids: [TimerID], at now: ClockReading) {
    for id in ids {
      guard let position = timers.position(of: id) else { continue }
      let timer = timers[position]
      change.add(Transition(.deleted, of: timer))
      endRun(ofTimerAt: position, .deleted, at: now)
      if timer.commandState.isRunning {
        deletedWithCommand[id] = .some(timers.all[position].facts.runAwaitingResult)
      }
    }
    timers.remove(ids)
  }

  /// Forgets that a command of a timer that is deleted runs.
  package mutating func forgetCommand(ofDeleted id: TimerID) { deletedWithCommand[id] = nil }

  /// Inserts deleted timers again, with the time that they had left.
  private mutating func reinsert(
    _ entries: [UndoHistory.Entry], named specs: [TimerID: TimerSpec], of step: UndoHistory.Step,
    at now: ClockReading
  ) {
    var restored: [(timer: BoardTimer, position: Int)] = []
    for entry in entries {
      guard var timer = entry.before else { continue }
      if let spec = specs[entry.id] { timer.setRequestedSpec(spec) }
      timer.skipTime(since: step.takenAt, to: now)
      // The bell stopped when the timer was deleted; its command has not, if it had begun.
      timer.silence()
      let awaiting = deletedWithCommand.removeValue(forKey: timer.id)
      timer.setCommandRunning(awaiting != nil)
      timer.setRunAwaitingResult(awaiting ?? nil)
      restored.append((timer, entry.position))
    }
    self.timers.insert(restored.sorted { $0.position < $1.position })
    for (timer, _) in restored {
      if timer.alert != nil { addToAlertOrder(timer.id) }
      guard let position = self.timers.position(of: timer.id) else { continue }
      if var run = timer.settings.run {
        revoke(&run, ofTimerAt: position)
        self.timers.change(at: position) { $0.setRun(run) }
      }
      change.add(Transition(.added, of: self.timers[position]))
    }
  }
}
