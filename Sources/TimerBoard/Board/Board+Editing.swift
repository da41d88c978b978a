import TimerKit

extension Board {
  /// Changes a timer to a new specification, and keeps its time left if possible. Without a name it keeps its own.
  mutating func edit(_ id: TimerID, to spec: TimerSpec, at now: ClockReading) -> [Effect] {
    guard let position = timers.position(of: id) else { return [] }
    let old = timers[position]
    var spec = spec
    spec.name = spec.name ?? old.name
    let requested = spec.name
    spec = uniquelyNamed([spec], for: id)[0]
    let isTaken = spec.name != requested
    let reason = isTaken ? "; the name is taken" : ""
    guard spec != old.spec else {
      return [.report(Report(label: old.label, text: "unchanged\(reason)", timers: [id]))]
    }
    let edit = TimerEdit(of: old, to: spec, at: now)
    let changesTime = edit != .keepsTimer(nil)
    let isRenamed = if case .keepsTimer = edit { spec.name != old.name } else { false }
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
        report(text + reason, label: old.label, timers: [id], at: now)
      ]
    case .recreates(let checkpoint):
      if old.status.state == .finished || old.chain.isSnoozed {
        self[chain: id].begin(leavesChain: true)
      }
      let effect = recreate(at: position, as: checkpoint, now: now)
      trackStretch(ofTimerAt: position, isEdited: true, at: now)
      let name = isTaken ? " as \(timers[position].label)" : ""
      let text = "changed to \(timers[position].kindAndSuccessorText)\(name)"
      return [
        effect, report(text, label: old.label, timers: [id], includesTimeLeft: true, at: now),
      ]
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

  // MARK: Names

  /// Returns the specifications of new timers with names that no other timer and no group has: a second `tea` becomes
  /// `tea-2`. A timer that starts another one of them, or itself, starts the one with the new name.
  /// - Parameter id: The timer that a specification is for; `nil` for a new timer.
  func uniquelyNamed(_ specs: [TimerSpec], for id: TimerID? = nil) -> [TimerSpec] {
    var names = NameAllocator(timers: timers, id: id)
    // Names that are free stay the same, even if an earlier timer needs a new name.
    let isFree = specs.map { spec in spec.name.map { names.reserve($0) } ?? true }
    guard isFree.contains(false) else { return specs }
    var unique = specs
    for index in specs.indices where !isFree[index] {
      unique[index].name = specs[index].name.map { names.next(after: $0) }
    }
    var newNames: [String: String] = [:]
    for (old, new) in zip(specs, unique) {
      if let name = old.name, newNames[name] == nil { newNames[name] = new.name }
    }
    for index in specs.indices {
      guard let next = specs[index].successor else { continue }
      unique[index].successor =
        next == specs[index].name ? unique[index].name : newNames[next] ?? next
    }
    return unique
  }

  /// Returns the end of a report that names the timers with a new name; empty if there are none.
  func newNamesText(_ specs: [TimerSpec], _ unique: [TimerSpec]) -> String {
    guard unique != specs else { return "" }
    let renamed = zip(specs, unique).compactMap { old, new in
      old.name == new.name ? nil : (old: old.name ?? "", new: new.name ?? "")
    }
    guard let first = renamed.first else { return "" }
    if specs.count == 1 { return " as \(first.new); the name is taken" }
    let shown = renamed.prefix(3).map { ", \($0.old) as \($0.new)" }.joined()
    return renamed.count > 3 ? "\(shown) and \(renamed.count - 3) more" : shown
  }

  /// Removes the timers that are about to be deleted from the chains of the others.
  /// - Returns: For each deleted timer, the timers that started it.
  mutating func unlink(
    _ ids: [TimerID], at now: ClockReading
  ) -> [TimerID: [UndoHistory.Predecessor]] {
    guard !ids.isEmpty else { return [:] }
    let deleted = Set(ids)
    var predecessors: [TimerID: [UndoHistory.Predecessor]] = [:]
    for position in 0..<timers.count {
      let timer = timers[position]
      guard let next = timer.successor, let target = timers.timer(named: next)?.id,
        deleted.contains(target), !deleted.contains(timer.id)
      else { continue }
      predecessors[target, default: []].append(
        UndoHistory.Predecessor(timer: timer.id, count: timer.chainCount))
      setSuccessor(nil, count: nil, ofTimerAt: position)
      log.add(.action("no longer starts \(next)"), label: timer.label, at: now)
    }
    return predecessors
  }

  /// Sets the timer that another one starts when it finishes, and the number of rounds.
  mutating func setSuccessor(_ name: String?, count: Int?, ofTimerAt position: Int) {
    timers.change(at: position) { timer in
      var spec = timer.spec
      (spec.successor, spec.chainCount) = (name, count)
      timer.setRequestedSpec(spec)
    }
  }
}

/// Names that no timer and no group of a list has, each given once.
private struct NameAllocator {
  let timers: TimerList
  /// The timer whose own name counts as free.
  let id: TimerID?
  var given: Set<String> = []
  /// The next number to try for each name without its number.
  var numbers: [Substring: Int] = [:]

  /// Takes a name if it is free: no timer and no group has it.
  /// - Returns: True if it was free.
  mutating func reserve(_ name: String) -> Bool {
    let holder = timers.timer(named: name)?.id
    let isFree = holder == nil ? !timers.contains(named: name) : holder == id
    return isFree && given.insert(name).inserted
  }

  /// Takes the first free name of `tea-2`, `tea-3` and so on.
  mutating func next(after name: String) -> String {
    var stem = name[...]
    if let dash = name.lastIndex(of: "-"), Int(name[dash...].dropFirst()) != nil {
      stem = name[..<dash]
    }
    var number = numbers[stem] ?? 2
    while !reserve("\(stem)-\(number)") { number += 1 }
    numbers[stem] = number + 1
    return "\(stem)-\(number)"
  }
}

/// The change of a live timer that an edit requires.
package enum TimerEdit: Hashable, Sendable {
  /// The live timer stays; if `paused` was added or removed, an action is performed on it.
  case keepsTimer(TimerAction?)
  /// The live timer is recreated from a checkpoint.
  ///
  /// A countdown or an `every` keeps its time left and the number of its past iterations if its interval stays; a timer
  /// that follows the time of day keeps that number. A cycle keeps its phase and its time left if its phases stay and
  /// its rounds still include that phase. A stopwatch keeps its time. Every other timer, and one that has finished,
  /// starts from the beginning.
  case recreates(TimerCheckpoint)

  package init(of timer: BoardTimer, to spec: TimerSpec, at now: ClockReading) {
    let start = TimerCheckpoint(startOf: spec, at: now)
    let action: TimerAction? =
      switch (timer.status.state, spec.isPaused) {
      case (.running, true): .pause
      case (.paused, false), (.idle, false): .start
      case (.finished, true): .reset(restart: false)
      default: nil
      }
    self =
      spec.recreatesTimer(of: timer.spec)
      ? .recreates(start.keeping(timer.status, at: now) ?? start) : .keepsTimer(action)
  }
}

extension TimerCheckpoint {
  /// Returns the checkpoint with the time and the iterations that a timer has left, or the time that it has counted, if
  /// the timer is a repeater of the same interval, a cycle of the same phases, or a stopwatch; otherwise `nil`.
  fileprivate func keeping(_ status: TimerStatus, at now: ClockReading) -> TimerCheckpoint? {
    switch (self, status) {
    case (.cycle(var checkpoint), .cycle(let snapshot)):
      guard snapshot.configuration.phases == checkpoint.configuration.phases,
        snapshot.phaseIndex < checkpoint.configuration.phaseCount ?? .max,
        snapshot.state != .finished
      else { return nil }
      checkpoint.phaseIndex = snapshot.phaseIndex
      checkpoint.timeLeft = status.timeLeft(at: now) ?? checkpoint.timeLeft
      return .cycle(checkpoint)
    case (.stopwatch(var checkpoint), .stopwatch(let snapshot)):
      let old = snapshot.checkpoint(at: now[snapshot.clock], wall: now.wall)
      (checkpoint.elapsed, checkpoint.laps) = (old.elapsed, old.laps)
      return .stopwatch(checkpoint)
    case (.repeater(var checkpoint), .repeater(let snapshot)):
      // Timers that follow the time of day have no interval, which counts as the same.
      guard snapshot.configuration.interval == checkpoint.configuration.interval,
        snapshot.state != .finished
      else { return nil }
      let timeLeft = snapshot.timeLeft(at: now[snapshot.clock]).map { $0 - snapshot.jitterDelay }
      checkpoint.timeLeft = timeLeft ?? checkpoint.timeLeft
      if let count = checkpoint.configuration.mode.count,
        let oldCount = snapshot.configuration.mode.count,
        let left = snapshot.remainingIterations
      {
        checkpoint.remainingIterations = max(1, count - max(0, oldCount - left))
      }
      return .repeater(checkpoint)
    default: return nil
    }
  }
}
