import TimerKit

extension Board {
  /// Performs a command.
  mutating func handle(_ command: Command, at now: ClockReading) {
    switch command {
    case .start(let specs): add(specs, at: now, isReported: false)
    case .add(let specs): add(specs, at: now, isReported: true)
    case .restore(let restored, let policy): restore(restored, policy, at: now)
    case .takeOver(let restored): takeOver(restored, at: now)
    case .control(.adjustTime(let step), let ids):
      if !snooze(ids, by: step, at: now) { control(.adjustTime(step), ids, at: now) }
    case .control(let action, let ids): control(action, ids, at: now)
    case .pauseAll: control(.toggleAll, timers.all.map(\.id), at: now)
    case .edit(let id, let spec): edit(id, to: spec, at: now)
    case .duplicate(let ids): duplicate(ids, at: now)
    case .delete(let ids): delete(ids, at: now)
    case .move(let id, let position):
      if let old = timers.position(of: id) { timers.move(from: old, to: position) }
    case .undo: undo(isRedo: false, at: now)
    case .redo: undo(isRedo: true, at: now)
    case .mute(let isMuted):
      self.isMuted = isMuted
      if isMuted { silence() }
      report("bell and notifications \(isMuted ? "off" : "on")", at: now)
    case .log(let text, let label): log.add(.message(text), label: label, at: now)
    case .acknowledge:
      acknowledge(at: now) { $0.alert.map { $0.cause != .standsReady } ?? false }
      silence()
    case .dismiss(let id): acknowledge(at: now) { $0.id == id && $0.standsReady }
    case .silence: silence()
    }
  }

  /// Returns the label of one timer, or the number of several, for a report.
  package func label(of ids: [TimerID]) -> String {
    if ids.count == 1, let timer = timers[ids[0]] { return timer.label }
    return counted(ids.count, "timer")
  }

  /// Adds timers. Names that were already in use are reported even if `isReported` is false.
  /// - Parameter isReported: True if the command is reported and can be undone.
  private mutating func add(_ specs: [TimerSpec], at now: ClockReading, isReported: Bool) {
    let unique = uniquelyNamed(specs)
    var ids: [TimerID] = []
    for spec in unique {
      guard let timer = makeTimer(spec, at: now) else { continue }
      timers.append(timer)
      followRun(ofTimerAt: timers.count - 1, at: now)
      ids.append(timer.id)
    }
    let newNames = newNamesText(specs, unique)
    guard !ids.isEmpty, isReported || !newNames.isEmpty else { return }
    if isReported { nameStep("add") }
    let name = newNames.isEmpty || specs.count > 1 ? nil : specs[0].name
    report("added\(newNames)", label: name ?? label(of: ids), timers: ids, at: now)
  }

  /// Makes a timer that begins now; `nil` if TimerKit cannot make it, which is reported.
  private mutating func makeTimer(_ spec: TimerSpec, at now: ClockReading) -> BoardTimer? {
    do throws(TimerConfigurationError) {
      let timer = try BoardTimer(id: makeID(), startOf: spec, seed: runIDs.next(), at: now)
      change.add(Transition(.added, of: timer))
      if timer.state == .running { change.add(Transition(.started, of: timer)) }
      return timer
    } catch {
      reportProblem("\(error)", of: spec, at: now)
      return nil
    }
  }

  /// Reports a timer that TimerKit cannot make.
  mutating func reportProblem(_ reason: String, of spec: TimerSpec, at now: ClockReading) {
    log.add(.action("removed: \(reason)"), label: spec.title, at: now)
    change.reports.append(Report(label: spec.title, text: reason, isFailure: true))
  }

  private mutating func duplicate(_ ids: [TimerID], at now: ClockReading) {
    let positions = ids.compactMap { timers.position(of: $0) }.sorted()
    let specs = uniquelyNamed(positions.map { timers[$0].spec })
    var copies: [(timer: BoardTimer, position: Int)] = []
    for (position, spec) in zip(positions, specs) {
      // Each earlier copy moves the later ones down by one row.
      if let timer = makeTimer(spec, at: now) {
        copies.append((timer, position + copies.count + 1))
      }
    }
    guard let first = copies.first?.timer else { return }
    timers.insert(copies)
    for position in copies.compactMap({ timers.position(of: $0.timer.id) }) {
      followRun(ofTimerAt: position, at: now)
    }
    nameStep("copy")
    let copyName = copies.count == 1 ? first.name.map { " as \($0)" } ?? "" : ""
    report("copied\(copyName)", label: label(of: ids), timers: copies.map(\.timer.id), at: now)
  }

  private mutating func delete(_ ids: [TimerID], at now: ClockReading) {
    let label = label(of: ids)
    unlink(ids, at: now)
    nameStep("delete")
    remove(ids, at: now)
    for id in ids { change.add(.dropWaitingCommands(id)) }
    report("deleted", label: label, at: now)
  }
}
