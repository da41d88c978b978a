import TimerKit

extension Board {
  /// Handles a command.
  /// - Returns: its effects, to be performed in order.
  package mutating func handle(_ command: Command, at now: ClockReading) -> [Effect] {
    synchronizeClocks(at: now)
    switch command {
    case .start(let specs): return specs.map { insert($0, at: timers.count, now: now) }
    case .add(let specs): return add(specs, at: now)
    case .restore(let saved, let policy): return restore(saved, policy, at: now)
    case .takeOver(let saved, let gap): return takeOver(saved, after: gap, at: now)
    case .control(let action, let ids):
      return [.control(withUsualIntervals(action, ids), ids, .request)]
    case .pauseAll:
      return [.control(.toggleAll(resuming: pausedTogether), timers.all.map(\.id), .request)]
    case .edit(let id, let spec): return edit(id, to: spec, at: now)
    case .duplicate(let ids): return duplicate(ids, at: now)
    case .delete(let ids): return delete(ids, at: now)
    case .move(let id, let position):
      if let old = timers.position(of: id) { timers.move(from: old, to: position) }
      return []
    case .undo: return undo(at: now)
    case .mute(let isMuted):
      self.isMuted = isMuted
      return [
        report(
          Report(isMuted ? "bell and notifications off" : "bell and notifications on"), at: now)
      ]
    case .record(let text):
      log.add(.action(text), at: now)
      return []
    case .acknowledge: return acknowledge()
    }
  }

  /// Returns the label of several timers in a report.
  func label(of ids: [TimerID]) -> String {
    if ids.count == 1, let timer = timers[ids[0]] { return timer.label }
    return ids.count == 1 ? "1 timer" : "\(ids.count) timers"
  }

  private func withUsualIntervals(_ action: TimerAction, _ ids: [TimerID]) -> TimerAction {
    guard case .stepInterval(let longer, _) = action else { return action }
    var usual: [TimerID: Duration] = [:]
    for id in ids { usual[id] = timers[id]?.command.usualInterval }
    return .stepInterval(longer: longer, usual: usual)
  }

  private mutating func acknowledge() -> [Effect] {
    let isRinging = timers.all.contains(where: \.isRinging)
    for timer in timers.all where timer.needsAttention {
      transitions.add(Transition(.acknowledged, of: timer))
    }
    timers.acknowledgeAlerts()
    alertsSince = nil
    return isRinging ? [.repeatBell(false)] : []
  }

  private mutating func add(_ specs: [TimerSpec], at now: ClockReading) -> [Effect] {
    let effects = specs.map { insert($0, at: timers.count, now: now) }
    let ids = timers.all.suffix(specs.count).map(\.id)
    guard !ids.isEmpty else { return effects }
    return effects + [report(Report("added", label: label(of: ids), timers: ids), at: now)]
  }

  /// Inserts a new timer in the state that its live timer is about to have.
  private mutating func insert(
    _ spec: TimerSpec, at position: Int, now: ClockReading
  ) -> Effect {
    let id = makeID()
    let start = TimerCheckpoint(startOf: spec, at: now)
    let timer = BoardTimer(id: id, spec, as: start, at: now)
    timers.insert(timer, at: position)
    transitions.add(Transition(.added, of: timer))
    return .create(id, spec, restoring: timer.status.state == .running ? nil : start)
  }

  /// Restores the timers of a session and reports those that fired or finished in the meantime. Timers that
  /// fire once and had already finished are not restored.
  private mutating func restore(
    _ saved: [SavedTimer], _ policy: RestorePolicy, at now: ClockReading
  ) -> [Effect] {
    let current = saved.filter { !($0.spec.fireCount == 1 && $0.state == .finished) }
    let catchUp = OfflineCatchUp(of: current, policy, until: now)
    var effects: [Effect] = []
    for (index, timer) in catchUp.timers.enumerated() {
      let id = makeID()
      timers.insert(BoardTimer(id: id, timer.spec, as: timer.checkpoint, at: now), at: timers.count)
      effects.append(.create(id, timer.spec, restoring: timer.checkpoint))
      if catchUp.finished.contains(index) {
        timers.change(at: timers.count - 1) { $0.needsAttention = true }
      }
      if catchUp.fires[index] > 0 {
        let missed = Fire(lateness: nil, missed: catchUp.fires[index])
        transitions.add(Transition(.missed, of: timers[timers.count - 1], missed))
      }
    }
    let events = catchUp.report
    guard !events.isEmpty else { return effects }
    for event in events {
      log.add(.action("\(event.text) while carillon was not running"), label: event.label, at: now)
    }
    let shown = events.prefix(3).map { "\($0.label) \($0.text)" }.joined(separator: ", ")
    let rest = events.count > 3 ? " and \(events.count - 3) more" : ""
    return effects + [.report(Report("while carillon was not running: \(shown)\(rest)"))]
  }

  private mutating func takeOver(
    _ saved: SavedBoard, after gap: Duration, at now: ClockReading
  ) -> [Effect] {
    for entry in saved.log { log.add(entry) }
    return zip(saved.timers, saved.alerts).map { timer, needsAttention in
      var timer = timer
      timer.pass(gap)
      let id = makeID()
      timers.insert(BoardTimer(id: id, timer.spec, as: timer.checkpoint, at: now), at: timers.count)
      if needsAttention { timers.change(at: timers.count - 1) { $0.needsAttention = true } }
      return .create(id, timer.spec, restoring: timer.checkpoint)
    }
  }

  private mutating func duplicate(_ ids: [TimerID], at now: ClockReading) -> [Effect] {
    var effects: [Effect] = []
    var copies: [TimerID] = []
    for id in ids {
      guard let position = timers.position(of: id) else { continue }
      var spec = timers[position].spec
      spec.name = spec.name.map(nextName)
      effects.append(insert(spec, at: position + 1, now: now))
      copies.append(timers[position + 1].id)
    }
    guard let first = copies.first.flatMap({ timers[$0] }) else { return effects }
    let copyName = copies.count == 1 ? first.name.map { " as \($0)" } ?? "" : ""
    return effects
      + [report(Report("copied\(copyName)", label: label(of: ids), timers: copies), at: now)]
  }

  /// Returns the first free name of `tea-2`, `tea-3` and so on.
  private func nextName(after name: String) -> String {
    let taken = Set(timers.all.compactMap(\.name))
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? parts.last.flatMap { Int($0) } : nil
    let stem = number == nil ? name : parts.dropLast().joined(separator: "-")
    let free = (2...).first { !taken.contains("\(stem)-\($0)") }
    return "\(stem)-\(free ?? 2)"
  }

  private mutating func delete(_ ids: [TimerID], at now: ClockReading) -> [Effect] {
    let label = label(of: ids)
    addUndoStep("delete", of: ids.compactMap { timers[$0] }) { $0.checkpoint(at: now) }
    for id in ids {
      guard let position = timers.position(of: id) else { continue }
      transitions.add(Transition(.deleted, of: timers.remove(at: position)))
    }
    return ids.map { .remove($0) } + [report(Report("deleted", label: label), at: now)]
  }
}
