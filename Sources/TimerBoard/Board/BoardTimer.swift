package import TimerKit

/// A timer on a board.
///
/// Its settings are what commands change, and what undo puts back. Facts are what has happened: nothing takes them back.
package struct BoardTimer: Hashable, Sendable {
  /// The state that commands change.
  struct Settings: Hashable, Sendable {
    /// The requested specification; ``BoardTimer/spec`` includes later changes of the machine.
    var requested: TimerSpec
    var machine: TimerMachine
    /// The interval before failures of the command increased it; `nil` if they did not.
    var intervalBeforeBackoff: Duration?
    var chain = ChainState()
    /// The alert that nobody has acknowledged; `nil` if there is none.
    var alert: TimerAlert?
    /// The overtime of a countdown or an alarm at the instant at which it was acknowledged.
    var stoppedOvertime: Duration?
    /// The run that has not ended, for the history; `nil` if none is recorded.
    var run: Run?
    /// The number of runs that began without a command: started by another timer, or ready for a start.
    var startsWithoutCommand = 0
    /// A Boolean value that indicates whether "pause all" has paused the timer, and it was not started since.
    var isPausedTogether = false
  }

  /// The past of the timer.
  struct Facts: Hashable, Sendable {
    /// The fires since the timer was added, including those of earlier processes.
    var counts = FireCounts()
    /// The instant of the most recent fire on the continuous clock, which counts through sleep.
    var lastFired: TimerClock.Instant?
    /// The time of day of the most recent fire. It stays the same if the clock is set.
    var lastFireTime: WallInstant?
    var recentActivity = RecentActivity()
    var command = CommandState()
    /// The recorded run whose last command runs or is about to run.
    var runAwaitingResult: UInt64?
  }

  package private(set) var id: TimerID
  private(set) var settings: Settings
  private(set) var facts = Facts()
  /// The period of a timer that follows the time of day; `nil` unless it runs.
  package private(set) var wallOccurrences: WallOccurrences?
  /// The longest time that the timer can show before its next event.
  package private(set) var longestTime = Duration.zero
  /// The name, or the kind if there is no name.
  package private(set) var label = ""
  /// The kind in words: `every 45s ×8`.
  package private(set) var kindAndSuccessorText = ""
  /// The text that a filter searches: name, kind, successor, group, note and command, in lower case.
  package private(set) var searchText = ""

  init(id: TimerID, _ settings: Settings, counts: FireCounts = FireCounts(), at now: ClockReading) {
    self.id = id
    self.settings = settings
    facts.counts = counts
    settingsChanged(at: now)
    updateTexts()
  }

  /// Creates a timer that begins now.
  /// - Parameter seed: The seed of its random delays.
  package init(
    id: TimerID, startOf spec: TimerSpec, seed: UInt64 = 0, at now: ClockReading
  ) throws(TimerConfigurationError) {
    let machine = try spec.kind.family.start(of: spec, seed: seed, at: now)
    self.init(id: id, Settings(requested: spec, machine: machine), at: now)
  }
}

// MARK: What is read

extension BoardTimer {
  package var machine: TimerMachine { settings.machine }
  package var state: TimerState { settings.machine.state }
  package var name: String? { settings.requested.name }
  package var note: String? { settings.requested.note }
  package var group: String? { settings.requested.group }
  /// The name of the timer or the group that starts when this one finishes.
  package var successor: String? { settings.requested.successor }
  /// The number of rounds of the chain whose head this timer is.
  package var chainCount: Int? { settings.requested.chainCount }
  package var waits: Bool { settings.requested.waits }
  package var hasCommand: Bool { settings.requested.command != nil }
  package var intervalBeforeBackoff: Duration? { settings.intervalBeforeBackoff }

  package var alert: TimerAlert? { settings.alert }
  package var stoppedOvertime: Duration? { settings.stoppedOvertime }
  package var chain: ChainState { settings.chain }
  package var needsAttention: Bool { settings.alert != nil }
  package var isRinging: Bool { settings.alert?.isRinging == true }
  /// A Boolean value that indicates whether the timer, or its next phase, stands ready until the user starts it.
  /// A Boolean value that indicates whether nobody waits for the next fire: that of an endless interval or of a triggered
  /// timer.
  package var isBackground: Bool {
    machine.calls != nil || (machine.interval != nil && machine.mode == .infinite)
  }
  package var standsReady: Bool { settings.alert?.cause == .standsReady }

  package var counts: FireCounts { facts.counts }
  package var lastFired: TimerClock.Instant? { facts.lastFired }
  package var lastFireTime: WallInstant? { facts.lastFireTime }
  package var recentActivity: RecentActivity { facts.recentActivity }
  package var commandState: CommandState { facts.command }
  /// The lateness of the most recent scheduled fire.
  package var lateness: Duration? {
    facts.recentActivity.fires.elements.last { $0.lateness != nil }?.lateness
  }

  /// The specification with the changes of the machine, such as another interval.
  package var spec: TimerSpec {
    var spec = settings.requested
    switch settings.machine {
    case .repeater(let value): value.update(&spec, baseInterval: settings.intervalBeforeBackoff)
    case .triggered: return spec
    case .cycle, .stopwatch: break
    }
    spec.isPaused = state == .paused || state == .idle
    return spec
  }

  /// The successor, with the number of rounds that are left: `→ dry ×2`; `nil` if there is none.
  package var successorText: String? {
    successor.map { "→ \($0)" + (roundsLeft.map { " ×\($0)" } ?? "") }
  }

  /// The number of rounds that are left of the chain whose head the timer is; `nil` if it is no head.
  package var roundsLeft: Int? { chainCount.map { max(0, $0 - settings.chain.roundsDone) } }

  /// The whole time from the previous fire to the next one; `nil` if there is none.
  package var period: Duration? { settings.machine.period ?? wallOccurrences?.length }

  /// Returns the time until the next fire; `nil` if there is none.
  package func timeLeft(at now: ClockReading) -> Duration? { settings.machine.timeLeft(at: now) }

  /// Returns the instant of the next fire on the suspending clock; `nil` if there is none.
  package func due(at now: ClockReading) -> TimerClock.Instant? {
    settings.machine.deadline.map { now.onSuspendingClock($0) }
  }

  /// Returns the instant on the suspending clock from which a stopwatch counts, without pauses; `nil` unless it runs.
  package func stopwatchOrigin(at now: ClockReading) -> TimerClock.Instant? {
    settings.machine.origin.map { now.onSuspendingClock($0) }
  }

  /// Returns the instant of the most recent fire on the suspending clock; `nil` if there was none.
  package func lastFire(at now: ClockReading) -> TimerClock.Instant? {
    facts.lastFired.map { now.onSuspendingClock($0) }
  }

  /// Returns true if the timer is for a date that has passed.
  package func isPast(at now: ClockReading) -> Bool {
    guard settings.requested.kind.hasOvertime,
      let schedule = settings.requested.kind.repeater?.schedule
    else { return false }
    return schedule.next(after: now.wall) == nil
  }

  /// Returns the instant at which the run ends; `nil` if the timer does not run, if the run has no end, or if it has
  /// more than one fire and follows the time of day.
  package func end(at now: ClockReading) -> WallInstant? {
    if wallOccurrences != nil, machine.iterations != .counted(left: 1, of: 1) { return nil }
    return machine.end(by: .distantFuture).map { now.wallInstant(of: $0) }
  }

  /// Returns the time until the run or the phase of a cycle ends; `nil` if the timer does not run or has no end.
  package func timeToEnd(at now: ClockReading) -> Duration? {
    if !machine.phases.isEmpty { return timeLeft(at: now) }
    return end(at: now).map { now.wall.duration(to: $0) }
  }

  /// A Boolean value that indicates whether the time since the end of a countdown or an alarm counts.
  package var countsOvertime: Bool {
    settings.alert != nil && settings.requested.kind.hasOvertime && state == .finished
  }

  /// Returns the time since the end of a countdown or an alarm: up to now, or until it was acknowledged. `nil` if
  /// there is none.
  package func overtime(at now: ClockReading) -> Duration? {
    guard let alert = settings.alert, countsOvertime else { return settings.stoppedOvertime }
    return min(Overtime.limit, max(.zero, alert.since.duration(to: now.continuous)))
  }

  /// Returns the time as a line of text shows it: the time left, rounded up to seconds, the overtime, or the time that a
  /// stopwatch has counted; `nil` if there is none.
  package func timeText(at now: ClockReading) -> String? {
    shownOvertime(at: now).map { Overtime.text($0) } ?? machine.timeText(at: now)
  }

  /// Returns the time since the end of a countdown or an alarm, up to an hour; `nil` if there is none.
  package func shownOvertime(at now: ClockReading) -> Duration? {
    guard state == .finished, settings.requested.kind.hasOvertime else { return nil }
    return overtime(at: now).map { min($0, Overtime.limit) }
  }

  /// Returns the part of the interval, or of the phase of a cycle, that has passed; `nil` for a timer without one.
  package func progress(at now: ClockReading) -> Double? {
    guard let period, period > .zero, let left = timeLeft(at: now) else { return nil }
    return machine.progress(in: period, left: left)
  }

  /// The iterations left and in all, such as `3/8` or `∞`; `nil` for kinds without runs.
  package var iterationsText: String? {
    switch machine.iterations {
    case .counted(let left, let count): "\(left)/\(count)"
    case .endless: "∞"
    case .none: nil
    }
  }

  /// The number of iterations or rounds left; `nil` for an endless timer.
  package var iterationsLeft: Int? {
    if case .counted(let left, _) = machine.iterations { left } else { nil }
  }

  /// The name of the state; for a running cycle, the name of the phase.
  package var stateText: String {
    state == .running ? machine.phaseName ?? "\(state)" : "\(state)"
  }

  /// The machine with which a finished timer fires for the last time after `time`; `nil` if it cannot.
  func lastFire(in time: Duration, seed: UInt64, at now: ClockReading) -> TimerMachine? {
    switch settings.machine {
    case .repeater(let value) where value.snapshot.configuration.schedule == nil:
      var checkpoint = value.checkpoint(at: now[value.clock], wall: now.wall)
      checkpoint.state = .running
      checkpoint.timeLeft = time
      checkpoint.remainingIterations = 1
      return (try? Repeater.Value(restoring: checkpoint, at: now, seed: seed)).map { .repeater($0) }
    case .cycle(let value) where value.snapshot.phaseIndex > 0:
      var checkpoint = value.checkpoint(at: now[value.clock], wall: now.wall)
      checkpoint.state = .running
      checkpoint.timeLeft = time
      checkpoint.phaseIndex -= 1
      return (try? Cycle.Value(restoring: checkpoint, at: now)).map { .cycle($0) }
    default: return nil
    }
  }

  /// The base interval, if failures of the command have increased it: the interval with which an edit begins.
  var baseInterval: Duration? { settings.intervalBeforeBackoff ?? machine.interval }
}

extension TimerMachine {
  /// Returns the time left, rounded up to seconds, or the time that a stopwatch has counted; `nil` if there is none.
  func timeText(at now: ClockReading) -> String? {
    let time =
      elapsed(at: now)
      ?? timeLeft(at: now).map {
        Duration.nanoseconds($0.clampedNanoseconds.addingSaturated(999_999_999))
      }
    return time.map { TimeText.clock($0.clampedNanoseconds / 1_000_000_000, showsTenths: false) }
  }
}

// MARK: Changes

extension BoardTimer {
  /// Replaces the machine by one that a command has changed.
  mutating func setMachine(_ machine: TimerMachine, by command: TimerCommand, at now: ClockReading)
  {
    settings.machine = machine
    // Of a stopwatch, the laps are counted.
    if command == .lap { facts.counts.delivered = facts.counts.delivered.addingSaturated(1) }
    machineChanged(by: command, at: now)
  }

  /// Delivers the first fire that is due; `nil` if none is.
  mutating func advance(to now: ClockReading) -> Fire? {
    // A wake-up need not deliver: that at the end of a throttle's interval only lets the next trigger through.
    guard let fire = settings.machine.advance(to: now) else {
      machineChanged(at: now)
      return nil
    }
    facts.counts.delivered = facts.counts.delivered.addingSaturated(1)
    facts.counts.missed = facts.counts.missed.addingSaturated(fire.missed)
    machineChanged(at: now)
    facts.lastFired = now.continuous
    facts.lastFireTime = now.wall
    facts.recentActivity.add(
      PastFire(
        at: now.suspending, latenessNanoseconds: fire.lateness?.clampedNanoseconds ?? -1,
        missed: fire.missed, periodNanoseconds: period?.clampedNanoseconds ?? 0))
    return fire
  }

  /// Passes deadlines without fires.
  /// - Returns: The number of deadlines that were passed.
  mutating func catchUp(to now: ClockReading, leaving: Int = 0) -> Int {
    let passed = settings.machine.catchUp(to: now, leaving: leaving)
    if passed > 0 { machineChanged(at: now) }
    return passed
  }

  /// Continues with the time that was left at an earlier reading, as if no time had passed since. A timer that follows the
  /// time of day continues with its next occurrence.
  mutating func skipTime(since before: ClockReading, to now: ClockReading) {
    settings.machine = moved(from: before, to: now) ?? machine
    settings.run?.skipTime(since: before, to: now)
    if let alert = settings.alert {
      settings.alert?.since = alert.since + before.continuous.duration(to: now.continuous)
    }
    machineChanged(at: now)
  }

  /// Restarts the timer from the beginning, unless it waits for triggers.
  mutating func restart(at now: ClockReading) {
    guard machine.calls == nil else { return }
    _ = try? settings.machine.perform(.reset(restart: true), baseInterval: nil, at: now)
    machineChanged(at: now)
  }

  /// Replaces the machine, because the timer is edited, snoozed, or stands ready. A command that runs goes on.
  mutating func setMachine(_ machine: TimerMachine, at now: ClockReading) {
    settings.machine = machine
    settings.intervalBeforeBackoff = nil
    machineChanged(at: now)
    updateTexts()
  }

  mutating func trigger(times count: Int, at now: ClockReading) {
    settings.machine.trigger(times: count, at: now)
    machineChanged(at: now)
  }

  /// Updates all that follows from the machine. Only a command can change the texts, which contain the interval.
  private mutating func machineChanged(by command: TimerCommand? = nil, at now: ClockReading) {
    if state != .paused { settings.isPausedTogether = false }
    settingsChanged(at: now)
    if command != nil { updateTexts() }
  }

  /// Replaces the settings, because a step is undone.
  mutating func setSettings(_ settings: Settings, at now: ClockReading) {
    self.settings = settings
    settingsChanged(at: now)
    updateTexts()
  }

  /// Sets the requested specification, without changing the machine.
  mutating func setRequestedSpec(_ spec: TimerSpec) {
    if spec.command != settings.requested.command {
      facts.command = CommandState()
      settings.intervalBeforeBackoff = nil
    }
    settings.requested = spec
    updateTexts()
  }

  mutating func setChain(_ chain: ChainState) {
    settings.chain = chain
    if chainCount != nil { updateTexts() }
  }

  /// Begins the rounds of a chain anew.
  /// - Parameter leaves: True if the run no longer belongs to the chain of another timer.
  mutating func beginChain(leaves: Bool) {
    var chain = settings.chain
    chain.begin(leavesChain: leaves)
    setChain(chain)
  }

  func withID(_ id: TimerID) -> BoardTimer {
    var timer = self
    timer.id = id
    return timer
  }

  mutating func setRun(_ run: Run?) { settings.run = run }

  mutating func setPausedTogether(_ isPausedTogether: Bool) {
    settings.isPausedTogether = isPausedTogether
  }

  /// Counts a start by another timer.
  mutating func countStartByOther() { settings.startsWithoutCommand += 1 }

  /// Sets the run of the history whose command has not ended.
  mutating func setRunAwaitingResult(_ id: UInt64?) { facts.runAwaitingResult = id }

  mutating func setCommandRunning(_ isRunning: Bool) { facts.command.isRunning = isRunning }

  /// Records the end of the command.
  mutating func endCommand(with result: CommandResult, isRunning: Bool) {
    facts.command.result = result
    facts.command.isRunning = isRunning
  }

  /// Applies the result of the command to the interval of a timer with back-off.
  /// - Returns: The new interval; `nil` if it does not change.
  mutating func backOff(after result: CommandResult, at now: ClockReading) -> Duration? {
    let interval = machine.period ?? .zero
    let next: Duration?
    if let maximum = state == .running ? settings.requested.backoff : nil, !result.isSuccess {
      let base = settings.intervalBeforeBackoff ?? interval
      let longer = min(interval.multiplied(by: 2), max(base, maximum))
      next = longer == interval ? nil : longer
      if next != nil { settings.intervalBeforeBackoff = base }
    } else {
      next = settings.intervalBeforeBackoff
      settings.intervalBeforeBackoff = nil
    }
    if let next {
      _ = try? settings.machine.perform(
        .setInterval(next, .fromNow), baseInterval: nil, at: now)
      settingsChanged(at: now)
    }
    updateTexts()
    return next
  }

  /// Forgets that failures have increased the interval, because it is another one.
  mutating func resetBackoff() {
    settings.intervalBeforeBackoff = nil
    updateTexts()
  }

  mutating func setAlert(_ alert: TimerAlert?, at now: ClockReading) {
    settings.alert = alert
    settingsChanged(at: now)
  }

  /// Stops the bell of the alert.
  mutating func silence() { settings.alert?.isRinging = false }

  /// Ends the alert and stops the overtime.
  mutating func acknowledge(at now: ClockReading) {
    settings.stoppedOvertime = overtime(at: now)
    settings.alert = nil
    settingsChanged(at: now)
  }

  mutating func setStoppedOvertime(_ overtime: Duration?) { settings.stoppedOvertime = overtime }

  /// Ends the alert of a run's end, without overtime, because another timer continues the chain.
  mutating func endAlertOfLink() {
    guard settings.alert?.cause == .finished else { return }
    settings.alert = nil
    settings.stoppedOvertime = nil
  }

  /// Updates all that follows from the settings.
  private mutating func settingsChanged(at now: ClockReading) {
    let state = state
    if let alert = settings.alert, !alert.cause.applies(to: state) { settings.alert = nil }
    if state != .finished { settings.stoppedOvertime = nil }
    facts.recentActivity.record(settings.machine.activity, from: now.suspending)
    updateWallOccurrences(at: now)
    longestTime = max(settings.machine.longestTime, timeLeft(at: now) ?? .zero)
    // As wide as the longest text, `+1:00:00`.
    if countsOvertime || settings.stoppedOvertime != nil {
      longestTime = max(longestTime, .hours(10))
    }
  }

  /// Forgets the recent activity, except the last beginning.
  mutating func forgetRecentActivity() {
    let last = recentActivity.spans.elements.last
    facts.recentActivity = RecentActivity()
    if let last { facts.recentActivity.record(last.activity, from: last.start) }
  }

  /// Updates `wallOccurrences`. It stays the same if the deadline does, even if the clock was set.
  private mutating func updateWallOccurrences(at now: ClockReading) {
    guard let schedule = settings.machine.schedule,
      let deadline = settings.machine.deadline?.wallInstant
    else {
      wallOccurrences = nil
      return
    }
    guard deadline != wallOccurrences?.deadline else { return }
    wallOccurrences = WallOccurrences(
      schedule, until: deadline, left: iterationsLeft, at: now)
  }

  /// Updates the texts.
  private mutating func updateTexts() {
    let kind = spec.kindText
    kindAndSuccessorText = kind + (successorText.map { " \($0)" } ?? "")
    label = name ?? kind
    let command = settings.requested.command ?? ""
    searchText =
      "\(label) \(kindAndSuccessorText) \(group ?? "") \(note ?? "") \(command)".searchable
  }
}

extension BoardTimer {
  /// Returns the machine with the time that it had left at an earlier reading; one that follows the time of day has passed its
  /// times since. `nil` if TimerKit cannot make it.
  private func moved(from before: ClockReading, to now: ClockReading) -> TimerMachine? {
    switch machine {
    case .repeater(var value) where machine.schedule != nil:
      _ = value.catchUp(to: now[machine.clock])
      return .repeater(value)
    case .repeater(let value):
      let checkpoint = value.checkpoint(at: before[machine.clock], wall: before.wall)
      return (try? Repeater.Value(restoring: checkpoint, at: now, seed: 0)).map { .repeater($0) }
    case .cycle(let value):
      let checkpoint = value.checkpoint(at: before[machine.clock], wall: before.wall)
      return (try? Cycle.Value(restoring: checkpoint, at: now)).map { .cycle($0) }
    case .stopwatch(let value):
      let checkpoint = value.checkpoint(at: before[machine.clock], wall: before.wall)
      return (try? Stopwatch.Value(restoring: checkpoint, at: now)).map { .stopwatch($0) }
    case .triggered(var gate):
      // Pending triggers are lost, but an idle timer counts on.
      let wasPending = gate.isPending
      _ = gate.cancelPending()
      if case .triggered(let family) = settings.requested.kind, family.behavior == .idle,
        wasPending
      {
        gate.start(at: now[machine.clock])
      }
      return .triggered(gate)
    }
  }
}

/// The fires of a timer.
package struct FireCounts: Hashable, Sendable {
  package var delivered = 0
  package var missed = 0
}
