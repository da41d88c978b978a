import TimerKit

extension Board {
  /// Changes a timer to a new specification, and keeps its time left if possible.
  mutating func edit(_ id: TimerID, to spec: TimerSpec, at now: ClockReading) -> [Effect] {
    guard let position = timers.position(of: id) else { return [] }
    let old = timers[position]
    func report(_ text: String, includesTimeLeft: Bool = false) -> Report {
      Report(text, label: old.label, timers: [id], includesTimeLeft: includesTimeLeft)
    }
    let requested = spec.name
    let spec = uniquelyNamed([spec], for: id)[0]
    let isTaken = spec.name != requested
    let reason = isTaken ? "; the name is taken" : ""
    guard spec != old.spec else { return [.report(report("unchanged\(reason)"))] }
    let edit = TimerEdit(of: old, to: spec, at: now)
    let changesTime = edit != .keepsTimer(nil)
    addUndoStep("edit", of: [old], at: now) { changesTime ? $0.checkpoint(at: now) : nil }
    setSpec(spec, ofTimerAt: position)
    switch edit {
    case .keepsTimer(let action):
      let label = timers[position].label
      let text = old.label == label ? "changed" : "renamed to \(label)"
      return (action.map { [.control($0, [id], .consequence)] } ?? []) + [
        self.report(report(text + reason), at: now)
      ]
    case .recreates(let checkpoint):
      let effect = recreate(at: position, as: checkpoint, now: now)
      trackStretch(ofTimerAt: position, isEdited: true, at: now)
      let name = isTaken ? " as \(timers[position].label)" : ""
      let text = "changed to \(timers[position].kindText)\(name)"
      return [effect, self.report(report(text, includesTimeLeft: true), at: now)]
    }
  }

  /// Sets the specification of a timer, and updates its name in the timers that start it when they finish.
  private mutating func setSpec(_ spec: TimerSpec, ofTimerAt position: Int) {
    let old = timers[position].name
    timers.change(at: position) { $0.request(spec) }
    guard let old, let new = spec.name, old != new else { return }
    for index in 0..<timers.count where timers[index].next == old {
      setNext(new, ofTimerAt: index)
    }
  }

  /// Recreates the live timer of a row.
  private mutating func recreate(
    at position: Int, as checkpoint: TimerCheckpoint, now: ClockReading
  ) -> Effect {
    stretches.generations[timers[position].id] = nil
    timers.change(at: position) { $0.recreate(as: checkpoint, at: now) }
    let timer = timers[position]
    return .create(timer.id, timer.spec, restoring: checkpoint)
  }

  /// Adds a step that can be undone.
  /// - Parameters:
  ///   - predecessors: For each deleted timer, the timers that started it.
  ///   - checkpoint: Returns the checkpoint to restore a timer from; `nil` if its time does not change.
  mutating func addUndoStep(
    _ name: String, of changed: [BoardTimer], startedBy predecessors: [TimerID: [TimerID]] = [:],
    at now: ClockReading, checkpoint: (BoardTimer) -> TimerCheckpoint?
  ) {
    let parts = changed.compactMap { timer in
      timers.position(of: timer.id).map {
        UndoHistory.Part(
          timer: timer, position: $0, checkpoint: checkpoint(timer),
          stretch: stretches.open[timer.id]?.saved(at: now),
          predecessors: predecessors[timer.id] ?? [])
      }
    }
    if !parts.isEmpty { undoHistory.add(UndoHistory.Step(name: name, parts: parts)) }
  }

  /// Undoes the most recent step: restores its timers with the time that they had left.
  mutating func undo(at now: ClockReading) -> [Effect] {
    guard let step = undoHistory.takeLast() else {
      return [.report(Report("nothing to undo", isFailure: true))]
    }
    // Fires are facts, which undo does not take back.
    let firesSince = step.parts.map { part in
      max(0, (timers[part.timer.id]?.counts.delivered ?? 0) - part.timer.counts.delivered)
    }
    let deleted = step.parts.filter { timers[$0.timer.id] == nil && $0.checkpoint != nil }
    for part in step.parts {
      guard let position = timers.position(of: part.timer.id) else { continue }
      setSpec(uniquelyNamed([part.timer.spec], for: part.timer.id)[0], ofTimerAt: position)
    }
    reinsert(deleted)
    let effects = zip(step.parts, firesSince).compactMap { part, fires -> Effect? in
      guard let position = timers.position(of: part.timer.id), var checkpoint = part.checkpoint
      else { return nil }
      checkpoint.content.useUp(fires)
      defer { continueStretch(part.stretch, of: part.timer.id, at: now) }
      return recreate(at: position, as: checkpoint, now: now)
    }
    let ids = step.parts.map(\.timer.id).filter { timers[$0] != nil }
    return effects + [
      report(
        Report(
          "\(step.name) undone", label: label(of: ids), timers: ids,
          includesTimeLeft: ids.count == 1),
        at: now)
    ]
  }

  /// Inserts deleted timers again, and adds them to the chains that they were in.
  private mutating func reinsert(_ parts: [UndoHistory.Part]) {
    // Their names may have been given to other timers since.
    let specs = uniquelyNamed(parts.map(\.timer.spec))
    let restored = zip(parts, specs).map { part, spec in
      var timer = part.timer
      if spec.name != timer.name || spec.next != timer.next { timer.request(spec) }
      return (timer: timer, position: part.position)
    }
    timers.insert(restored.sorted { $0.position < $1.position })
    for (part, spec) in zip(parts, specs) {
      for predecessor in part.predecessors.compactMap({ timers.position(of: $0) })
      where timers[predecessor].next == nil {
        setNext(spec.name, ofTimerAt: predecessor)
      }
    }
  }
}
