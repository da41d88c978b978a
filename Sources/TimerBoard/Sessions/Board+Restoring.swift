package import TimerKit

/// Timers that return from a file.
extension Board {
  /// Creates a board with the timers of a file as they are now, for a list of them.
  package init(listing restored: RestoredBoard, _ policy: RestorePolicy, at now: ClockReading) {
    self.init()
    for timer in restored.timers { timers.append(timer) }
    passUnattended(policy, since: restored.savedAt, to: now)
    _ = takeChange()
  }

  /// Restores the timers of a session, and reports those that fired or finished in the meantime. Timers that fire once and
  /// had already finished are not restored, unless they have an alert or others start them again.
  /// - Parameter policy: With `catchUp`, all timers have continued; with `keepTimeLeft`, only those that follow the time of day
  ///   have, and the others continue now with the time that they had left.
  mutating func restore(
    _ restored: RestoredBoard, _ policy: RestorePolicy, at now: ClockReading
  ) {
    let kept = restored.timers.restoredPositions.map { restored.timers[$0] }
    let specs = kept.map(\.settings.requested)
    let unique = uniquelyNamed(specs)
    append(kept, named: unique == specs ? nil : unique)
    let newNames = newNamesText(specs, unique)
    if !newNames.isEmpty {
      report("restored\(newNames)", label: label(of: timers.all.map(\.id)), at: now)
    }
    change.reports += restored.problems
    let events = passUnattended(policy, since: restored.savedAt, to: now)
    guard !events.isEmpty else { return }
    for event in events {
      log.add(.message("\(event.text) while carillon was not running"), label: event.label, at: now)
    }
    let shown = events.prefix(3).map { "\($0.label) \($0.text)" }.joined(separator: ", ")
    let rest = events.count > 3 ? " and \(events.count - 3) more" : ""
    change.reports.append(Report(text: "while carillon was not running: \(shown)\(rest)"))
  }

  /// Continues the board of another process. What was due since fires, late.
  mutating func takeOver(_ restored: RestoredBoard, at now: ClockReading) {
    for entry in restored.log { log.add(entry) }
    isMuted = restored.isMuted
    append(restored.timers)
    change.reports += restored.problems
  }

  /// Adds timers of a file, with identifiers that no timer of the board has.
  private mutating func append(_ restored: [BoardTimer], named specs: [TimerSpec]? = nil) {
    reserve(restored.map(\.id))
    let ids = Set(restored.map(\.id))
    for (index, timer) in restored.enumerated() {
      let isFree = timer.id != TimerID(0) && timers[timer.id] == nil
      var timer = isFree ? timer : timer.withID(makeID())
      // A head that is not restored continues no chain.
      if let head = timer.chain.head, !ids.contains(head) { timer.beginChain(leaves: true) }
      if let specs { timer.setRequestedSpec(specs[index]) }
      timers.append(timer)
      if timer.alert != nil { alertOrder.append(timer.id) }
    }
  }
}

/// The passing of time while no process runs the timers. Each deadline counts at its own time and uses up an iteration.
/// Deadlines are passed in one step up to where something follows: the end of a run, and a phase that waits.
extension Board {
  /// The maximum number of starts, which take less than a second: those of a loop of 20 seconds in 23 days.
  private static let startLimit = 100_000

  /// The events of a timer in the meantime.
  private struct Absence {
    var fires = 0
    var hasFinished = false
    /// A Boolean value that indicates whether it starts now and not in the meantime, because chains have reached the limit.
    var isDelayed = false
  }

  /// Lets time pass.
  /// - Parameters:
  ///   - policy: With `keepTimeLeft`, time passes only for timers that follow the time of day.
  ///   - before: The reading at which the time of the others stopped.
  /// - Returns: The timers that fired, finished or start now, each with its label and what happened to it: `tea`,
  ///   `finished`.
  @discardableResult
  mutating func passUnattended(
    _ policy: RestorePolicy = .catchUp, since before: ClockReading? = nil, to now: ClockReading
  ) -> [(label: String, text: String)] {
    let alertStart = newestAlertStart
    var absences: [TimerID: Absence] = [:]
    var stops = Stops()
    var passing: Set<TimerID> = []
    for position in 0..<timers.count {
      if let before, policy == .keepTimeLeft, timers.all[position].machine.schedule == nil {
        timers.change(at: position) { $0.skipTime(since: before, to: now) }
      } else {
        passing.insert(timers.all[position].id)
        stops.add(timers.all[position], by: now)
      }
    }
    var starts = 0
    while let (id, time) = stops.popFirst() {
      guard let position = timers.position(of: id), timers.all[position].stop(by: now) == time
      else { continue }
      // Beyond the limit, the chain continues from now, so that the user notices its end.
      let isDelayed = starts >= Self.startLimit
      let reading = isDelayed ? now : now.moved(by: now.duration(to: time))
      absences[id, default: Absence()].fires += pass(to: reading, ofTimerAt: position)
      guard timers.all[position].state == .finished else { continue }
      absences[id]?.hasFinished = true
      let (started, ready) = startSuccessors(of: timers[position], .unattended, at: reading)
      starts += started.count + ready.count
      if timers.all[position].settings.requested.sound != .ring, !started.isEmpty {
        timers.change(at: position) { $0.endAlertOfLink() }
      }
      for next in started { startUnattended(next, at: reading, absences: &absences) }
      for next in started + ready {
        absences[next, default: Absence()].hasFinished = false
        if isDelayed { absences[next]?.isDelayed = true }
        passing.insert(next)
        if let timer = timers[next] { stops.add(timer, by: now) }
      }
    }
    for position in 0..<timers.count where passing.contains(timers.all[position].id) {
      absences[timers.all[position].id, default: Absence()].fires +=
        pass(to: now, ofTimerAt: position)
      openRunUnattended(ofTimerAt: position, at: now)
    }
    newestAlertStart = alertStart
    timers.releaseStarted()
    return report(absences)
  }

  /// Lets a timer pass its deadlines up to a reading, without anything that follows from the last one but its alert.
  /// - Returns: The number of deadlines.
  private mutating func pass(to reading: ClockReading, ofTimerAt position: Int) -> Int {
    let before = timers.all[position].machine
    var fires = 0
    timers.change(at: position) { fires = $0.catchUp(to: reading) }
    guard fires > 0 else { return 0 }
    let machine = timers.all[position].machine
    if var run = timers.all[position].settings.run {
      run.addFires(fires)
      timers.change(at: position) { $0.setRun(run) }
      // The run of a phase ends with the phase, also if others have followed.
      if !machine.isInRun || machine.runNumber != run.number {
        let end = before.cycle == nil ? nil : before.deadline
        let last = end.map { reading.moved(by: min(.zero, reading.duration(to: $0))) } ?? reading
        record(run, of: timers[position], .finished, at: last)
        timers.change(at: position) { $0.setRun(nil) }
      }
    }
    if machine.state == .finished {
      if timers.all[position].settings.requested.sound != .silent {
        beginAlert(.finished, since: reading.continuous, ofTimerAt: position, at: reading)
      }
    } else if timers.all[position].waits, case .cycle(let cycle) = machine,
      let waiting = cycle.waiting(atPhase: cycle.snapshot.phaseIndex, at: reading)
    {
      timers.change(at: position) { $0.setMachine(.cycle(waiting), at: reading) }
      beginAlert(.standsReady, since: reading.continuous, ofTimerAt: position, at: reading)
    }
    return fires
  }

  private mutating func startUnattended(
    _ id: TimerID, at reading: ClockReading, absences: inout [TimerID: Absence]
  ) {
    guard let position = timers.position(of: id) else { return }
    absences[id, default: Absence()].fires += pass(to: reading, ofTimerAt: position)
    endRun(ofTimerAt: position, .reset, at: reading)
    timers.change(at: position) { $0.restart(at: reading) }
  }

  /// Opens the run of a timer that runs now. Runs that both began and ended in the meantime are not recorded.
  private mutating func openRunUnattended(ofTimerAt position: Int, at now: ClockReading) {
    let machine = timers.all[position].machine
    guard timers.all[position].settings.run == nil, machine.runKind != nil,
      machine.state == .running
    else { return }
    let run = Run(
      runIDs.next(), of: machine, activeTime: machine.elapsedInRun(at: now), at: now)
    timers.change(at: position) { $0.setRun(run) }
  }

  private mutating func report(_ absences: [TimerID: Absence]) -> [(label: String, text: String)] {
    timers.all.compactMap { timer in
      guard let absence = absences[timer.id] else { return nil }
      if absence.fires > 0 {
        let missed = Fire(lateness: nil, missed: absence.fires)
        change.add(Transition(.missed, of: timer, missed))
      }
      let label = timer.settings.requested.title
      if absence.isDelayed { return (label, "started now: too many chained starts to follow") }
      if absence.hasFinished { return (label, "finished") }
      guard absence.fires > 0 else { return nil }
      return (label, absence.fires == 1 ? "fired once" : "fired \(absence.fires) times")
    }
  }
}

extension BoardTimer {
  /// Returns the instant at which something follows from the timer while no process runs it; `nil` if that is after `now`.
  fileprivate func stop(by now: ClockReading) -> TimerClock.Instant? {
    if waits, machine.state == .running, machine.nextPhase != nil, let deadline = machine.deadline {
      return now.duration(to: deadline) <= .zero ? deadline : nil
    }
    return machine.end(by: now)
  }
}

/// Instants of several clocks at which something follows, in the order in which they have passed.
private struct Stops {
  /// The latest first.
  private var stops: [(overdue: Duration, id: TimerID, time: TimerClock.Instant)] = []

  mutating func add(_ timer: BoardTimer, by now: ClockReading) {
    guard let time = timer.stop(by: now) else { return }
    let overdue = .zero - now.duration(to: time)
    var low = 0
    var high = stops.count
    while low < high {
      let middle = (low + high) / 2
      if (stops[middle].overdue, -stops[middle].id.rawValue) < (overdue, -timer.id.rawValue) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    stops.insert((overdue, timer.id, time), at: low)
  }

  mutating func popFirst() -> (id: TimerID, time: TimerClock.Instant)? {
    stops.popLast().map { ($0.id, $0.time) }
  }
}

extension [BoardTimer] {
  /// The positions of the timers that a board restores: not those that fire once and have finished, unless they have an
  /// alert or are started again by others.
  fileprivate var restoredPositions: [Int] {
    let kept = indices.filter {
      !(self[$0].spec.fireCount == 1 && self[$0].state == .finished && self[$0].alert == nil)
    }
    guard kept.count < count else { return kept }
    let positions = Dictionary(enumerated().map { ($1.id, $0) }) { first, _ in first }
    var named: [String: [Int]] = [:]
    for (position, timer) in enumerated() {
      if let group = timer.group { named[group, default: []].append(position) }
    }
    // A timer's name precedes that of a group.
    for (position, timer) in enumerated() {
      if let name = timer.name { named[name] = [position] }
    }
    var found = Set(kept)
    var next = kept
    // A group that many timers start is followed once.
    var followed: Set<String> = []
    while let position = next.popLast() {
      if let head = self[position].chain.head.flatMap({ positions[$0] }),
        found.insert(head).inserted
      {
        next.append(head)
      }
      guard let name = self[position].successor, followed.insert(name).inserted else { continue }
      next += (named[name] ?? []).filter { found.insert($0).inserted }
    }
    return found.sorted()
  }
}
