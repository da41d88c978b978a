package import TimerKit

extension Board {
  /// Changes a timer to a new specification, and keeps its time left if possible. Without a name it keeps its own.
  mutating func edit(_ id: TimerID, to spec: TimerSpec, at now: ClockReading) {
    guard let position = timers.position(of: id) else { return }
    let old = timers[position]
    var spec = spec
    spec.name = spec.name ?? old.name
    let requested = spec.name
    spec = uniquelyNamed([spec], for: [id])[0]
    let isTaken = spec.name != requested
    let reason = isTaken ? "; the name is taken" : ""
    guard spec != old.spec else {
      return report(Report(label: old.label, text: "unchanged\(reason)", timers: [id]), at: now)
    }
    let edit: TimerEdit
    do throws(TimerConfigurationError) {
      edit = try TimerEdit(of: old, to: spec, seed: runIDs.next(), at: now)
    } catch {
      return report(Report(label: old.label, text: "\(error)", isFailure: true), at: now)
    }
    switch edit {
    case .keepsTimer(let action):
      setSpec(spec, ofTimerAt: position)
      if let action { control(action, [id], .consequence, at: now) }
      let label = timers[position].label
      let text = old.label == label ? "changed" : "renamed to \(label)"
      report(text + reason, label: old.label, timers: [id], at: now)
      nameStep(spec.name == old.name ? "change" : "rename")
    case .recreates(let machine, _):
      // The run is recorded with the name and the kind that it had.
      endRun(ofTimerAt: position, .edited, at: now)
      setSpec(spec, ofTimerAt: position)
      if old.state == .finished || old.chain.isSnoozed {
        self[chain: id].begin(leavesChain: true)
      }
      timers.change(at: position) { $0.setMachine(machine, at: now) }
      followRun(ofTimerAt: position, isEdited: true, at: now)
      let name = isTaken ? " as \(timers[position].label)" : ""
      let text = "changed to \(timers[position].kindAndSuccessorText)\(name)"
      report(text, label: old.label, timers: [id], includesTimeLeft: true, at: now)
      nameStep("change")
    }
    change.add(Transition(.changed, of: timers[position]))
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

  // MARK: Names

  /// Returns the specifications of new timers with names that no other timer and no group has: a second `tea` becomes
  /// `tea-2`. A timer that starts another one of them, or itself, starts the one with the new name.
  /// - Parameter ids: The timers that the specifications are for; empty for new timers.
  func uniquelyNamed(_ specs: [TimerSpec], for ids: Set<TimerID> = []) -> [TimerSpec] {
    var names = NameAllocator(timers: timers, ids: ids)
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
  mutating func unlink(_ ids: [TimerID], at now: ClockReading) {
    guard !ids.isEmpty else { return }
    let deleted = Set(ids)
    for position in 0..<timers.count {
      guard let next = timers.all[position].successor,
        let target = timers.timer(named: next)?.id, deleted.contains(target),
        !deleted.contains(timers.all[position].id)
      else { continue }
      setSuccessor(nil, count: nil, ofTimerAt: position)
      log.add(.action("no longer starts \(next)"), label: timers.all[position].label, at: now)
    }
  }

  /// Sets the timer that another one starts when it finishes, and the number of rounds.
  mutating func setSuccessor(_ name: String?, count: Int?, ofTimerAt position: Int) {
    timers.change(at: position) { timer in
      var spec = timer.settings.requested
      spec.successor = name
      spec.chainCount = count
      timer.setRequestedSpec(spec)
    }
  }
}

/// Names that no timer and no group of a list has, each given once.
private struct NameAllocator {
  let timers: TimerList
  /// The timers whose own names count as free.
  let ids: Set<TimerID>
  var given: Set<String> = []
  /// The next number to try for each name without its number.
  var numbers: [Substring: Int] = [:]

  /// Takes a name if it is free: no timer and no group has it.
  /// - Returns: True if it was free.
  mutating func reserve(_ name: String) -> Bool {
    let holder = timers.timer(named: name)?.id
    let isFree = holder == nil ? !timers.contains(named: name) : holder.map(ids.contains) ?? false
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

/// The change of a timer's time that an edit requires.
package enum TimerEdit: Hashable, Sendable {
  /// The time stays; if `paused` was added or removed, an action is performed.
  case keepsTimer(TimerAction?)
  /// The timer continues as another machine.
  ///
  /// A countdown or an `every` keeps its time left and the number of its past iterations if its interval stays; a timer
  /// that follows the time of day keeps that number. A cycle keeps its phase and its time left if its phases stay and
  /// its rounds still include that phase. A stopwatch keeps its time. Every other timer, and one that has finished,
  /// starts from the beginning.
  /// - Parameter keepsTime: False if it starts from the beginning.
  case recreates(TimerMachine, keepsTime: Bool)

  package init(
    of timer: BoardTimer, to spec: TimerSpec, seed: UInt64 = 0, at now: ClockReading
  ) throws(TimerConfigurationError) {
    guard !spec.recreatesTimer(of: timer.spec) else {
      let start = try spec.kind.family.start(of: spec, seed: seed, at: now)
      let kept = start.keeping(timer.machine, seed: seed, at: now)
      self = .recreates(kept ?? start, keepsTime: kept != nil)
      return
    }
    switch (timer.state, spec.isPaused) {
    case (.running, true): self = .keepsTimer(.pause)
    case (.paused, false), (.idle, false): self = .keepsTimer(.start)
    case (.finished, true): self = .keepsTimer(.reset(restart: false))
    default: self = .keepsTimer(nil)
    }
  }
}

extension TimerMachine {
  /// Returns a new timer with the time and the iterations that another one has left, or the time that it has counted, if
  /// both are repeaters of the same interval, cycles of the same phases, or stopwatches; otherwise `nil`.
  fileprivate func keeping(
    _ old: TimerMachine, seed: UInt64, at now: ClockReading
  ) -> TimerMachine? {
    switch (self, old) {
    case (.cycle(let new), .cycle(let old)):
      var checkpoint = new.checkpoint(at: now[clock], wall: now.wall)
      let snapshot = old.snapshot
      guard snapshot.configuration.phases == checkpoint.configuration.phases,
        snapshot.phaseIndex < checkpoint.configuration.phaseCount ?? .max,
        snapshot.state != .finished
      else { return nil }
      checkpoint.phaseIndex = snapshot.phaseIndex
      checkpoint.timeLeft =
        snapshot.timeLeft(at: now[snapshot.clock]) ?? checkpoint.timeLeft
      return (try? Cycle.Value(restoring: checkpoint, at: now)).map { .cycle($0) }
    case (.stopwatch(let new), .stopwatch(let old)):
      var checkpoint = new.checkpoint(at: now[clock], wall: now.wall)
      let counted = old.checkpoint(at: now[old.clock], wall: now.wall)
      checkpoint.elapsed = counted.elapsed
      checkpoint.laps = counted.laps
      return (try? Stopwatch.Value(restoring: checkpoint, at: now)).map { .stopwatch($0) }
    case (.repeater(let new), .repeater(let old)):
      var checkpoint = new.checkpoint(at: now[clock], wall: now.wall)
      let snapshot = old.snapshot
      // Timers that follow the time of day have no interval, which counts as the same.
      guard snapshot.configuration.interval == checkpoint.configuration.interval,
        snapshot.state != .finished
      else { return nil }
      if checkpoint.configuration.schedule == nil,
        let timeLeft = snapshot.timeLeft(at: now[snapshot.clock])
      {
        checkpoint.timeLeft = timeLeft - snapshot.jitterDelay
      }
      if let count = checkpoint.configuration.mode.count,
        let oldCount = snapshot.configuration.mode.count,
        let left = snapshot.remainingIterations
      {
        checkpoint.remainingIterations = max(1, count - max(0, oldCount - left))
      }
      return (try? Repeater.Value(restoring: checkpoint, at: now, seed: seed)).map { .repeater($0) }
    default: return nil
    }
  }
}
