import TimerKit

extension Board {
  /// Handles a command.
  /// - Returns: Its effects, to be performed in order.
  package mutating func handle(_ command: Command, at now: ClockReading) -> [Effect] {
    reconvertInstantsIfClocksJumped(at: now)
    return perform(command, at: now) + stopUnneededBell()
  }

  private mutating func perform(_ command: Command, at now: ClockReading) -> [Effect] {
    switch command {
    case .start(let specs): return add(specs, at: now, isReported: false)
    case .add(let specs): return add(specs, at: now, isReported: true)
    case .restore(let saved, let policy): return restore(saved, policy, at: now)
    case .takeOver(let saved, let board, let gap):
      return takeOver(saved, board, after: gap, at: now)
    case .control(let action, let ids):
      if case .adjustTime(let step) = action, let effects = snooze(ids, by: step, at: now) {
        return effects
      }
      return [.control(withBaseIntervals(action, ids), ids, .request)]
    case .pauseAll:
      return [.control(.toggleAll(resuming: pausedTogether), timers.all.map(\.id), .request)]
    case .edit(let id, let spec): return edit(id, to: spec, at: now)
    case .duplicate(let ids): return duplicate(ids, at: now)
    case .delete(let ids): return delete(ids, at: now)
    case .move(let id, let position):
      if let old = timers.position(of: id) { timers.move(from: old, to: position) }
    case .undo: return undo(isRedo: false, at: now)
    case .redo: return undo(isRedo: true, at: now)
    case .mute(let isMuted):
      self.isMuted = isMuted
      if isMuted { silence(at: now) }
      return [report("bell and notifications \(isMuted ? "off" : "on")", at: now)]
    case .log(let text): log.add(.message(text), at: now)
    case .acknowledge:
      acknowledge(at: now) { $0.alert.map { $0.cause != .standsReady } ?? false }
      silence(at: now)
    case .dismiss(let id): acknowledge(at: now) { $0.id == id && $0.standsReady }
    case .silence: silence(at: now)
    }
    return []
  }

  /// Returns the label of one timer, or the number of several, for a report.
  package func label(of ids: [TimerID]) -> String {
    if ids.count == 1, let timer = timers[ids[0]] { return timer.label }
    return counted(ids.count, "timer")
  }

  private func withBaseIntervals(_ action: TimerAction, _ ids: [TimerID]) -> TimerAction {
    guard case .stepInterval(let longer, _) = action else { return action }
    var intervalsBeforeBackoff: [TimerID: Duration] = [:]
    for id in ids { intervalsBeforeBackoff[id] = timers[id]?.commandState.intervalBeforeBackoff }
    return .stepInterval(longer: longer, intervalsBeforeBackoff: intervalsBeforeBackoff)
  }

  /// Adds timers. Names that were already in use are reported even if `isReported` is false.
  /// - Parameter isReported: True if the command is reported and can be undone.
  private mutating func add(
    _ specs: [TimerSpec], at now: ClockReading, isReported: Bool
  ) -> [Effect] {
    let unique = uniquelyNamed(specs)
    let effects = unique.map { spec in
      let (timer, effect) = makeTimer(spec, at: now)
      timers.append(timer)
      trackStretch(ofTimerAt: timers.count - 1, at: now)
      return effect
    }
    let newNames = newNamesText(specs, unique)
    guard !specs.isEmpty, isReported || !newNames.isEmpty else { return effects }
    let ids = timers.all.suffix(specs.count).map(\.id)
    if isReported { addUndoStep("add", added: ids, at: now) }
    let name = newNames.isEmpty || specs.count > 1 ? nil : specs[0].name
    return effects + [
      report("added\(newNames)", label: name ?? label(of: ids), timers: ids, at: now)
    ]
  }

  /// Makes a new timer in the state that its live timer is about to have.
  private mutating func makeTimer(
    _ spec: TimerSpec, at now: ClockReading
  ) -> (timer: BoardTimer, effect: Effect) {
    let id = makeID()
    let start = TimerCheckpoint(startOf: spec, at: now)
    let timer = BoardTimer(id: id, spec, as: start, at: now)
    transitions.append(Transition(.added, of: timer))
    if timer.status.state == .running { transitions.append(Transition(.started, of: timer)) }
    return (timer, .create(id, spec, restoring: start))
  }

  /// Restores the timers of a session and reports those that fired or finished in the meantime. Timers that
  /// fire once and had already finished are not restored, unless they have an alert or others start them again.
  private mutating func restore(
    _ saved: [SavedTimer], _ policy: RestorePolicy, at now: ClockReading
  ) -> [Effect] {
    let kept = saved.restoredPositions
    var current = identified(kept.map { saved[$0] })
    let specs = current.map(\.spec)
    let unique = uniquelyNamed(specs)
    // If all names are free, it is the same array, whose comparison takes no time.
    if unique != specs {
      for (index, spec) in unique.enumerated() { current[index].spec = spec }
    }
    let catchUp = OfflineCatchUp(of: consume current, policy, until: now)
    var effects: [Effect] = []
    for (index, timer) in catchUp.timers.enumerated() {
      effects.append(append(timer, at: now))
      // With `catchUp`, a running timer counts through the gap, and so does its stretch. With `keepTimeLeft`, only
      // timers that follow the time of day do, and they have no stretches.
      restoreStretch(
        of: saved[kept[index]], fires: catchUp.fires[index], countsGap: policy == .catchUp,
        ofTimerAt: timers.count - 1, at: now)
      if catchUp.fires[index] > 0 {
        let missed = Fire(lateness: nil, missed: catchUp.fires[index])
        transitions.append(Transition(.missed, of: timers[timers.count - 1], missed))
      }
    }
    let newNames = newNamesText(specs, unique)
    if !newNames.isEmpty {
      effects.append(report("restored\(newNames)", label: label(of: timers.all.map(\.id)), at: now))
    }
    let events = catchUp.report
    guard !events.isEmpty else { return effects }
    for event in events {
      log.add(.message("\(event.text) while carillon was not running"), label: event.label, at: now)
    }
    let shown = events.prefix(3).map { "\($0.label) \($0.text)" }.joined(separator: ", ")
    let rest = events.count > 3 ? " and \(events.count - 3) more" : ""
    effects.append(.report(Report(text: "while carillon was not running: \(shown)\(rest)")))
    return effects
  }

  private mutating func takeOver(
    _ saved: [SavedTimer], _ board: SavedBoard, after gap: Duration, at now: ClockReading
  ) -> [Effect] {
    for entry in board.log { log.add(entry) }
    isMuted = board.isMuted
    return identified(saved).map { timer in
      var timer = timer
      timer.elapse(gap)
      stretches.open[timer.id] = timer.stretch.map {
        OpenStretch($0, on: timer.spec.clock, countsGap: true, at: now)
      }
      return append(timer, at: now)
    }
  }

  /// Returns saved timers with identifiers that no timer of the board has.
  private mutating func identified(_ saved: [SavedTimer]) -> [SavedTimer] {
    reserve(saved.map(\.id))
    let ids = Set(saved.map(\.id))
    return saved.map { timer in
      var timer = timer
      // A head that is not restored continues no chain.
      if let head = timer.chain.head, !ids.contains(head) { timer.chain.head = nil }
      if timer.id == TimerID(0) || timers[timer.id] != nil { timer.id = makeID() }
      return timer
    }
  }

  /// Adds a saved timer.
  private mutating func append(_ saved: SavedTimer, at now: ClockReading) -> Effect {
    timers.append(BoardTimer(saved, at: now))
    if timers[timers.count - 1].alert != nil { alertOrder.append(saved.id) }
    if saved.isPausedTogether, saved.state == .paused { pausedTogether.insert(saved.id) }
    return .create(saved.id, saved.spec, restoring: saved.checkpoint)
  }

  private mutating func duplicate(_ ids: [TimerID], at now: ClockReading) -> [Effect] {
    let positions = ids.compactMap { timers.position(of: $0) }.sorted()
    let specs = uniquelyNamed(positions.map { timers[$0].spec })
    var effects: [Effect] = []
    var copies: [(timer: BoardTimer, position: Int)] = []
    for (position, spec) in zip(positions, specs) {
      let (timer, effect) = makeTimer(spec, at: now)
      effects.append(effect)
      // Each earlier copy moves the later ones down by one row.
      copies.append((timer, position + copies.count + 1))
    }
    guard let first = copies.first?.timer else { return effects }
    timers.insert(copies)
    for position in copies.compactMap({ timers.position(of: $0.timer.id) }) {
      trackStretch(ofTimerAt: position, at: now)
    }
    addUndoStep("copy", added: copies.map(\.timer.id), at: now)
    let copyName = copies.count == 1 ? first.name.map { " as \($0)" } ?? "" : ""
    return effects + [
      report("copied\(copyName)", label: label(of: ids), timers: copies.map(\.timer.id), at: now)
    ]
  }

  private mutating func delete(_ ids: [TimerID], at now: ClockReading) -> [Effect] {
    let label = label(of: ids)
    let predecessors = unlink(ids, at: now)
    addUndoStep("delete", of: ids.compactMap { timers[$0] }, startedBy: predecessors, at: now) {
      .state($0.checkpoint(at: now), since: nil)
    }
    remove(ids, at: now)
    return ids.map { .remove($0) } + [report("deleted", label: label, at: now)]
  }
}
