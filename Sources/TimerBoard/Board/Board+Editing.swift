import TimerKit

extension Board {
  /// Changes a timer to a new specification, and keeps its time left if possible.
  mutating func edit(_ id: TimerID, to spec: TimerSpec, at now: ClockReading) -> [Effect] {
    guard let position = timers.position(of: id) else { return [] }
    let old = timers[position]
    func report(_ text: String, includesTimeLeft: Bool = false) -> Report {
      Report(text, label: old.label, timers: [id], includesTimeLeft: includesTimeLeft)
    }
    guard spec != old.spec else { return [.report(report("unchanged"))] }
    let edit = TimerEdit(of: old, to: spec, at: now)
    let changesTime = edit != .keepsTimer(nil)
    addUndoStep("edit", of: [old]) { changesTime ? $0.checkpoint(at: now) : nil }
    setSpec(spec, ofTimerAt: position)
    switch edit {
    case .keepsTimer(let action):
      let label = timers[position].label
      let text = old.label == label ? "changed" : "renamed to \(label)"
      return (action.map { [.control($0, [id], .consequence)] } ?? []) + [
        self.report(report(text), at: now)
      ]
    case .recreates(let checkpoint):
      let effect = recreate(at: position, as: checkpoint, now: now)
      let text = "changed to \(timers[position].kindText)"
      return [effect, self.report(report(text, includesTimeLeft: true), at: now)]
    }
  }

  /// Sets the specification of a timer, and updates its name in the timers that start it when they finish.
  private mutating func setSpec(_ spec: TimerSpec, ofTimerAt position: Int) {
    let old = timers[position].name
    timers.change(at: position) { $0.request(spec) }
    guard let old, let new = spec.name, old != new, timers.first(named: old) == nil else { return }
    for index in 0..<timers.count where timers[index].spec.next == old {
      timers.change(at: index) { timer in
        var spec = timer.spec
        spec.next = new
        timer.request(spec)
      }
    }
  }

  /// Recreates the live timer of a row.
  private mutating func recreate(
    at position: Int, as checkpoint: TimerCheckpoint, now: ClockReading
  ) -> Effect {
    timers.change(at: position) { timer in
      timer.command = CommandState()
      timer.update(from: checkpoint.status(at: now), at: now)
    }
    let timer = timers[position]
    return .create(timer.id, timer.spec, restoring: checkpoint)
  }

  /// Adds a step that can be undone.
  /// - Parameter checkpoint: Returns the checkpoint to restore a timer from; `nil` if its time does not change.
  mutating func addUndoStep(
    _ name: String, of changed: [BoardTimer], checkpoint: (BoardTimer) -> TimerCheckpoint?
  ) {
    let parts = changed.compactMap { timer in
      timers.position(of: timer.id).map {
        UndoHistory.Part(timer: timer, position: $0, checkpoint: checkpoint(timer))
      }
    }
    if !parts.isEmpty { undoHistory.add(UndoHistory.Step(name: name, parts: parts)) }
  }

  /// Undoes the most recent step: restores its timers with the time that they had left.
  mutating func undo(at now: ClockReading) -> [Effect] {
    guard let step = undoHistory.takeLast() else {
      return [.report(Report("nothing to undo", isFailure: true))]
    }
    let effects = step.parts.flatMap { restore($0, at: now) }
    let ids = step.parts.map(\.timer.id).filter { timers[$0] != nil }
    return effects + [
      report(
        Report(
          "\(step.name) undone", label: label(of: ids), timers: ids,
          includesTimeLeft: ids.count == 1),
        at: now)
    ]
  }

  private mutating func restore(_ part: UndoHistory.Part, at now: ClockReading) -> [Effect] {
    if let position = timers.position(of: part.timer.id) {
      setSpec(part.timer.spec, ofTimerAt: position)
      return part.checkpoint.map { [recreate(at: position, as: $0, now: now)] } ?? []
    }
    guard let checkpoint = part.checkpoint else { return [] }
    let position = min(part.position, timers.count)
    timers.insert(part.timer, at: position)
    return [recreate(at: position, as: checkpoint, now: now)]
  }
}
