import TimerKit

extension Board {
  /// Adds a step that can be undone.
  /// - Parameters:
  ///   - predecessors: For each deleted timer, the timers that started it.
  ///   - change: Returns the effect of the step on the time of a timer.
  mutating func addUndoStep(
    _ name: String, of changed: [BoardTimer] = [], added: [TimerID] = [],
    startedBy predecessors: [TimerID: [UndoHistory.Predecessor]] = [:], at now: ClockReading,
    change: (BoardTimer) -> UndoHistory.Change = { _ in .none }
  ) {
    let parts = parts(of: changed, startedBy: predecessors, at: now, change: change)
    guard !parts.isEmpty || !added.isEmpty else { return }
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

  /// Undoes the most recent step, or redoes the one that was undone last: restores its timers with the time that they
  /// had left.
  mutating func undo(isRedo: Bool, at now: ClockReading) -> [Effect] {
    guard var step = undoHistory.takeLast(isRedo: isRedo) else {
      return [.report(Report("nothing to \(isRedo ? "redo" : "undo")", isFailure: true))]
    }
    // Time that was added before a fire is not taken from the next one.
    let parts = step.parts.filter { !$0.addsTime || firesSince($0) == 0 }
    guard !parts.isEmpty || step.parts.isEmpty else {
      let label = label(of: step.parts.map(\.timer.id))
      return [
        .report(
          Report(
            "cannot \(isRedo ? "redo" : "undo") the \(step.name): fired since", label: label,
            isFailure: true))
      ]
    }
    step.parts = parts
    let before = label(of: step)
    let fires = parts.map { firesSince($0) }
    let (effects, inverse) = restore(step, after: fires, at: now)
    undoHistory.add(inverse, isUndone: !isRedo)
    let ids = step.parts.map(\.timer.id).filter { timers[$0] != nil }
    return effects + [
      report(
        Report(
          "\(step.name) \(isRedo ? "redone" : "undone")",
          label: ids.isEmpty ? before : label(of: ids), timers: ids,
          // Time that was added is removed by the live timer, later.
          includesTimeLeft: ids.count == 1 && !step.parts[0].addsTime),
        at: now)
    ]
  }

  private func label(of step: UndoHistory.Step) -> String {
    label(of: step.parts.map(\.timer.id) + step.added)
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
    let deleted = step.parts.filter { timers[$0.timer.id] == nil && $0.change != .none }
    for part in step.parts {
      guard let position = timers.position(of: part.timer.id) else { continue }
      setSpec(uniquelyNamed([part.timer.spec], for: part.timer.id)[0], ofTimerAt: position)
    }
    reinsert(deleted, at: now)
    let effects = zip(step.parts, fires).compactMap { restore($0, after: $1, at: now) }
    let returned = Set(deleted.map(\.timer.id))
    for part in step.parts where !part.addsTime {
      guard let timer = timers[part.timer.id] else { continue }
      transitions.add(Transition(returned.contains(timer.id) ? .added : .changed, of: timer))
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
    let parts = parts(of: current, startedBy: predecessors, at: now) { timer in
      switch changes[timer.id] {
      case .none?: .none
      case .timeAdded(let amount)?: .timeAdded(.zero - amount)
      case .state?, nil: .state(timer.checkpoint(at: now))
      }
    }
    return UndoHistory.Step(name: step.name, parts: parts)
  }

  /// Restores the time of a timer.
  private mutating func restore(
    _ part: UndoHistory.Part, after fires: Int, at now: ClockReading
  ) -> Effect? {
    let id = part.timer.id
    guard let position = timers.position(of: id) else { return nil }
    switch part.change {
    case .none: return nil
    case .timeAdded(let amount):
      return .control(.adjustTime(.exactly(.zero - amount)), [id], .consequence)
    case .state(var checkpoint):
      checkpoint.content.subtractFires(fires)
      restoreChain(of: part.timer)
      defer { continueStretch(part.stretch, of: id, at: now) }
      // The step began a stretch, such as that of a snoozed timer.
      if part.stretch == nil { stretches.open[id] = nil }
      if part.isPausedTogether { pausedTogether.insert(id) } else { pausedTogether.remove(id) }
      return recreate(at: position, as: checkpoint, now: now)
    }
  }

  /// Removes timers that no other one starts, and ends their stretches.
  mutating func remove(_ ids: [TimerID], at now: ClockReading) {
    for id in ids {
      guard let timer = timers[id] else { continue }
      transitions.add(Transition(.deleted, of: timer))
      endStretch(of: timer, .deleted, at: now)
      stretches.forget(id)
    }
    timers.remove(ids)
  }

  /// Inserts deleted timers again, and adds them to the chains that they were in.
  private mutating func reinsert(_ parts: [UndoHistory.Part], at now: ClockReading) {
    // Their names may have been given to other timers since.
    let specs = uniquelyNamed(parts.map(\.timer.spec))
    let restored = zip(parts, specs).map { part, spec in
      var timer = part.timer
      timer.setRequestedSpec(spec)
      // The bell stopped when the timer was deleted.
      if var alert = timer.alert {
        alert.isRinging = false
        timer.setAlert(alert, at: now)
      }
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

extension UndoHistory.Part {
  fileprivate var addsTime: Bool { if case .timeAdded = change { true } else { false } }
}
