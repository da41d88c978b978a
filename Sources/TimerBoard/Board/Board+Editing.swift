import TimerKit

extension Board {
  /// Changes a timer to a new specification, and keeps its time left if possible. Without a name it keeps its own.
  mutating func edit(_ id: TimerID, to spec: TimerSpec, at now: ClockReading) -> [Effect] {
    guard let position = timers.position(of: id) else { return [] }
    let old = timers[position]
    func report(_ text: String, includesTimeLeft: Bool = false) -> Report {
      Report(text, label: old.label, timers: [id], includesTimeLeft: includesTimeLeft)
    }
    var spec = spec
    spec.name = spec.name ?? old.name
    let requested = spec.name
    spec = uniquelyNamed([spec], for: id)[0]
    let isTaken = spec.name != requested
    let reason = isTaken ? "; the name is taken" : ""
    guard spec != old.spec else { return [.report(report("unchanged\(reason)"))] }
    let edit = TimerEdit(of: old, to: spec, at: now)
    let changesTime = edit != .keepsTimer(nil)
    var isRenamed = false
    if case .keepsTimer = edit { isRenamed = spec.name != old.name }
    addUndoStep(isRenamed ? "rename" : "change", of: [old], at: now) {
      changesTime ? $0.continuing(at: now) : .none
    }
    // It is recorded with the name and the kind that it had.
    if case .recreates = edit { endStretch(of: old, .edited, at: now) }
    setSpec(spec, ofTimerAt: position)
    defer { transitions.append(Transition(.changed, of: timers[position])) }
    switch edit {
    case .keepsTimer(let action):
      let label = timers[position].label
      let text = old.label == label ? "changed" : "renamed to \(label)"
      return (action.map { [.control($0, [id], .consequence)] } ?? []) + [
        self.report(report(text + reason), at: now)
      ]
    case .recreates(let checkpoint):
      if old.status.state == .finished || old.chain.isSnoozed {
        self[chain: id].begin(leavesChain: true)
      }
      let effect = recreate(at: position, as: checkpoint, now: now)
      trackStretch(ofTimerAt: position, isEdited: true, at: now)
      let name = isTaken ? " as \(timers[position].label)" : ""
      let text = "changed to \(timers[position].kindAndSuccessorText)\(name)"
      return [effect, self.report(report(text, includesTimeLeft: true), at: now)]
    }
  }

  /// Sets the specification of a timer, and updates its name in the timers that start it when they finish.
  mutating func setSpec(_ spec: TimerSpec, ofTimerAt position: Int) {
    let old = timers[position].name
    timers.change(at: position) { $0.setRequestedSpec(spec) }
    guard let old, let new = spec.name, old != new else { return }
    for index in 0..<timers.count where timers[index].successor == old {
      setSuccessor(new, count: timers[index].chainCount, ofTimerAt: index)
    }
  }

  /// Sets a timer to a checkpoint, and returns the effect that recreates its live timer.
  mutating func recreate(
    at position: Int, as checkpoint: TimerCheckpoint, now: ClockReading
  ) -> Effect {
    stretches.generations[timers[position].id] = nil
    timers.change(at: position) { $0.recreate(as: checkpoint, at: now) }
    let timer = timers[position]
    if timer.status.state != .paused { pausedTogether.remove(timer.id) }
    return .create(timer.id, timer.spec, restoring: checkpoint)
  }
}
