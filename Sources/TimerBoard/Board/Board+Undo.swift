import TimerKit

extension Board {
  /// Adds a step that can be undone.
  /// - Parameters:
  ///   - predecessors: For each deleted timer, the timers that started it.
  ///   - change: Returns the effect of the step on the time of a timer.
  mutating func addUndoStep(
    _ name: String, of changed: [BoardTimer] = [], added: [TimerID] = [],
    _ cause: Cause = .request,
    startedBy predecessors: [TimerID: [UndoHistory.Predecessor]] = [:], at now: ClockReading,
    change: (BoardTimer) -> UndoHistory.Change = { _ in .none }
  ) {
    let parts = parts(of: changed, startedBy: predecessors, at: now, change: change)
    guard !parts.isEmpty || !added.isEmpty else { return }
    if case .rest(let id) = cause { return undoHistory.addToNewestStep(parts, ifItChanged: id) }
    undoHistory.add(UndoHistory.Step(name: name, parts: parts, added: added))
  }

  private func parts(
    of timers: [BoardTimer], startedBy predecessors: [TimerID: [UndoHistory.Predecessor]],
    at now: ClockReading,
    change: (BoardTimer) -> UndoHistory.Change
  ) -> [UndoHistory.Part] {
    timers.compactMap { timer in
      self.timers.position(of: timer.id).map {
        UndoHistory.Part(
          timer: timer, position: $0, change: change(timer),
          stretch: stretches.open[timer.id]?.saved(at: now),
          predecessors: predecessors[timer.id] ?? [],
          isPausedTogether: pausedTogether.contains(timer.id))
      }
    }
  }

  /// Adds to the newest step the timers that a manual fire of one of its timers has started.
  /// - Parameter before: The started timers before the fire.
  mutating func addToUndoStep(_ before: [BoardTimer], startedBy id: TimerID, at now: ClockReading) {
    let about = before.map { timer in
      var timer = timer
      timer.startsByOthers += 1
      return timer
    }
    undoHistory.addToNewestStep(
      parts(of: about, startedBy: [:], at: now) { $0.continuing(at: now) }, ifItChanged: id)
  }

  /// Undoes the most recent step, or redoes the one that was undone last: its timers continue as if it had not been.
  /// Deleted ones return with the time that they had left.
  mutating func undo(isRedo: Bool, at now: ClockReading) -> [Effect] {
    guard var step = undoHistory.takeLast(isRedo: isRedo) else {
      return [.report(Report(text: "nothing to \(isRedo ? "redo" : "undo")", isFailure: true))]
    }
    // Time that was added before a fire is not taken from the next one, and a run that another timer has started
    // since stays.
    let parts = step.parts.filter {
      !(($0.addsTime || $0.isRestored) && isStartedSince($0))
        && (!$0.addsTime || firesSince($0) == 0)
    }
    guard !parts.isEmpty || step.parts.isEmpty else {
      let reason = step.parts.contains { isStartedSince($0) } ? "started again" : "fired"
      let text = "cannot \(isRedo ? "redo" : "undo") the \(step.name): \(reason) since"
      let label = label(of: step.parts.map(\.timer.id))
      return [.report(Report(label: label, text: text, isFailure: true))]
    }
    step.parts = parts
    let before = label(of: step.parts.map(\.timer.id) + step.added)
    let fires = parts.map { firesSince($0) }
    let (effects, inverse) = restore(step, after: fires, at: now)
    undoHistory.add(inverse, isUndone: !isRedo)
    let ids = step.parts.map(\.timer.id).filter { timers[$0] != nil }
    return effects + [
      report(
        "\(step.name) \(isRedo ? "redone" : "undone")",
        label: ids.isEmpty ? before : label(of: ids), timers: ids,
        // Time that was added is removed by the live timer, later.
        includesTimeLeft: ids.count == 1 && !step.parts[0].addsTime
          && timers[ids[0]]?.status.state != .finished, at: now)
    ]
  }

  private func isStartedSince(_ part: UndoHistory.Part) -> Bool {
    (timers[part.timer.id]?.startsByOthers ?? 0) > part.timer.startsByOthers
  }

  /// Returns the number of fires of a timer since a step. Undo does not revoke fires.
  private func firesSince(_ part: UndoHistory.Part) -> Int {
    max(0, (timers[part.timer.id]?.counts.delivered ?? 0) - part.timer.counts.delivered)
  }

  /// Restores the timers of a step as they were before it.
  /// - Parameter fires: The number of fires of each timer since.
  /// - Returns: The effects, and the step that does the opposite.
  private mutating func restore(
    _ step: UndoHistory.Step, after fires: [Int], at now: ClockReading
  ) -> (effects: [Effect], inverse: UndoHistory.Step) {
    let predecessors = unlink(step.added, at: now)
    var inverse = inverse(of: step, startedBy: predecessors, at: now)
    let deleted = step.parts.filter { timers[$0.timer.id] == nil && ($0.isRestored || $0.addsTime) }
    for part in step.parts {
      guard let position = timers.position(of: part.timer.id) else { continue }
      setSpec(uniquelyNamed([part.timer.spec], for: part.timer.id)[0], ofTimerAt: position)
    }
    reinsert(deleted, at: now)
    let firesManually = step.name == "fire" || step.name == "skip"
    let effects = zip(step.parts, fires).compactMap {
      restore($0, after: $1, firesManually: firesManually, at: now)
    }
    let returned = Set(deleted.map(\.timer.id))
    for part in step.parts where part.change == .none || part.isRestored {
      guard let timer = timers[part.timer.id] else { continue }
      transitions.append(Transition(returned.contains(timer.id) ? .added : .changed, of: timer))
    }
    remove(step.added, at: now)
    inverse.added = deleted.map(\.timer.id)
    return (effects + step.added.map { .remove($0) }, inverse)
  }

  private func inverse(
    of step: UndoHistory.Step, startedBy predecessors: [TimerID: [UndoHistory.Predecessor]],
    at now: ClockReading
  ) -> UndoHistory.Step {
    let changes = Dictionary(step.parts.map { ($0.timer.id, $0.change) }) { first, _ in first }
    let current = (step.parts.map(\.timer.id) + step.added).compactMap { timers[$0] }
    let parts = parts(of: current, startedBy: predecessors, at: now) {
      timer -> UndoHistory.Change in
      switch changes[timer.id] {
      case .none?: return .none
      case .timeAdded(let amount)?: return .timeAdded(.zero - amount)
      case .alert(let isEnded)?: return .alert(isEnded: !isEnded)
      case .state(_, .some)?: return timer.continuing(at: now)
      case .state(_, nil)?, nil: return .state(timer.checkpoint(at: now), since: nil)
      }
    }
    return UndoHistory.Step(name: step.name, parts: parts)
  }

  /// Restores the time of a timer.
  private mutating func restore(
    _ part: UndoHistory.Part, after fires: Int, firesManually: Bool, at now: ClockReading
  ) -> Effect? {
    let id = part.timer.id
    guard let position = timers.position(of: id) else { return nil }
    switch part.change {
    case .none: break
    case .timeAdded(let amount):
      return .control(.adjustTime(.exactly(.zero - amount)), [id], .consequence)
    case .alert(isEnded: true): restoreAlert(of: part.timer, at: now)
    case .alert(isEnded: false): acknowledge([position], at: now)
    case .state(let checkpoint, let since):
      var (restored, dueFires) = (checkpoint, 0)
      if let since {
        let passed = since.duration(to: now[part.timer.status.clock])
        (restored, dueFires) = checkpoint.continued(for: passed, firing: fires, at: now)
      }
      restoreChain(of: part.timer, revokingRound: firesManually && fires > dueFires)
      defer {
        continueStretch(part.stretch, of: id, countsGap: since != nil, fires: fires, at: now)
        restoreAlert(of: part.timer, at: now)
        // An alarm that was paused at its time does not fire late.
        if restored.content.state == .finished, checkpoint.content.state == .running,
          fires == 0, part.timer.spec.sound != .silent
        {
          beginAlert(.finished, ofTimerAt: position, at: now)
        }
      }
      // The step began a stretch, such as that of a snoozed timer.
      if part.stretch == nil { stretches.open[id] = nil }
      if part.isPausedTogether { pausedTogether.insert(id) } else { pausedTogether.remove(id) }
      if timers[position].standsReady, !part.timer.standsReady {
        timers.change(at: position) { $0.acknowledge(at: now) }
      }
      return recreate(at: position, as: restored, now: now)
    }
    return nil
  }

  /// Restores the alert that a timer had, without a bell, if its state still permits it.
  private mutating func restoreAlert(of before: BoardTimer, at now: ClockReading) {
    guard var alert = before.alert, let position = timers.position(of: before.id),
      timers[position].alert == nil, alert.cause.applies(to: timers[position].status.state)
    else { return }
    alert.isRinging = false
    timers.change(at: position) { $0.setAlert(alert, at: now) }
    addToAlertOrder(before.id)
    transitions.append(Transition(.changed, of: timers[position]))
  }

  /// Removes timers that no other one starts, and ends their stretches.
  mutating func remove(_ ids: [TimerID], at now: ClockReading) {
    for id in ids {
      guard let timer = timers[id] else { continue }
      transitions.append(Transition(.deleted, of: timer))
      endStretch(of: timer, .deleted, at: now)
      stretches.forget(id, keepsAwaitedResult: timer.commandState.isRunning)
      if timer.commandState.isRunning { deletedWithCommand.insert(id) }
    }
    timers.remove(ids)
  }

  /// Forgets that a command of a timer that is deleted runs.
  mutating func forgetCommand(ofDeleted id: TimerID) {
    guard deletedWithCommand.remove(id) != nil else { return }
    stretches.awaitingResult[id] = nil
  }

  /// Inserts deleted timers again, and adds them to the chains that they were in.
  private mutating func reinsert(_ parts: [UndoHistory.Part], at now: ClockReading) {
    // Their names may have been given to other timers since.
    let specs = uniquelyNamed(parts.map(\.timer.spec))
    let restored = zip(parts, specs).map { part, spec in
      var timer = part.timer
      timer.setRequestedSpec(spec)
      // The bell stopped when the timer was deleted; its command has not, if it had begun.
      timer.silence(at: now)
      timer.commandState.isRunning = deletedWithCommand.remove(timer.id) != nil
      return (timer: timer, position: part.position)
    }
    timers.insert(restored.sorted { $0.position < $1.position })
    for (timer, _) in restored where timer.alert != nil { addToAlertOrder(timer.id) }
    for (part, spec) in zip(parts, specs) {
      for predecessor in part.predecessors {
        guard let position = timers.position(of: predecessor.timer),
          timers[position].successor == nil
        else { continue }
        setSuccessor(spec.name, count: predecessor.count, ofTimerAt: position)
      }
    }
  }
}

extension BoardTimer {
  /// Returns the change of a step after which the timer, if the step is undone, has continued from now.
  /// - Parameter past: The status from which it has continued; `nil` for the current one.
  func continuing(_ past: TimerStatus? = nil, at now: ClockReading) -> UndoHistory.Change {
    .state(checkpoint(past ?? status, at: now), since: now[(past ?? status).clock])
  }
}

extension TimerCheckpoint {
  /// Returns the checkpoint as it is after a time, and the number of fires that were due in that time. If the timer has
  /// delivered fewer, it is overdue: it fires, late, as soon as it is restored.
  /// - Parameter fires: The number of fires that the timer has delivered.
  fileprivate func continued(
    for time: Duration, firing fires: Int, at now: ClockReading
  ) -> (TimerCheckpoint, dueFires: Int) {
    var advanced = content
    advanced.takenAt = now.wall.advanced(by: .zero - time)
    let dueFires = advanced.advance(to: now.wall)
    guard dueFires > fires, !advanced.followsTimeOfDay else {
      return (advanced.checkpoint, dueFires)
    }
    var overdue = content
    overdue.elapse(time)
    overdue.takenAt = now.wall
    return (overdue.checkpoint, dueFires)
  }
}
