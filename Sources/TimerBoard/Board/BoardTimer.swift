package import TimerKit

/// A timer on a board: its requested specification and the most recent status of the live timer.
package struct BoardTimer: Hashable, Sendable {
  package let id: TimerID
  /// The requested specification; ``spec`` includes later changes of the live timer.
  private var requested: TimerSpec
  package private(set) var status: TimerStatus
  /// The fires before the live timer was created.
  fileprivate var earlierCounts = FireCounts()
  /// The instant of the next fire, converted to the suspending clock.
  package private(set) var due: TimerClock.Instant?
  /// The instant on the suspending clock from which a stopwatch counts, without pauses; `nil` unless it runs.
  package private(set) var stopwatchOrigin: TimerClock.Instant?
  /// The period of a timer that follows the time of day; `nil` unless it runs.
  package private(set) var wallOccurrences: WallOccurrences?
  /// The longest time that the timer can show before its next event.
  package private(set) var longestTime = Duration.zero
  /// The instant of the most recent fire on the continuous clock, which counts through sleep.
  package private(set) var lastFired: TimerClock.Instant?
  package private(set) var recentActivity = RecentActivity()
  /// The alert that nobody has acknowledged; `nil` if there is none.
  package private(set) var alert: TimerAlert?
  /// The overtime of a countdown or an alarm at the instant at which it was acknowledged.
  package private(set) var stoppedOvertime: Duration?
  /// The instant on the suspending clock from which the overtime counts; `nil` if it does not count.
  package private(set) var overtimeOrigin: TimerClock.Instant?
  package private(set) var chain = ChainState()
  /// The number of times that another timer has started this one, or made it stand ready, without the rounds of its own
  /// chain.
  var startsByOthers = 0
  package var commandState = CommandState() {
    // The texts contain the interval before back-off increased it.
    didSet {
      if commandState.intervalBeforeBackoff != oldValue.intervalBeforeBackoff { updateTexts() }
    }
  }
  /// The name, or the kind if there is no name.
  package private(set) var label = ""
  /// The kind in words: `every 45s ×8`.
  package private(set) var kindAndSuccessorText = ""
  /// The text that a filter searches: name, kind, successor, group, note and command, in lower case.
  package private(set) var searchText = ""

  /// Creates a timer in the state of a checkpoint, which the live timer is about to have.
  init(id: TimerID, _ spec: TimerSpec, as checkpoint: TimerCheckpoint, at now: ClockReading) {
    self.id = id
    requested = spec
    status = checkpoint.status(at: now)
    update(from: status, at: now)
    updateTexts()
  }

  /// Creates the timer of a session.
  init(_ saved: SavedTimer, at now: ClockReading) {
    self.init(id: saved.id, saved.spec, as: saved.checkpoint, at: now)
    earlierCounts = saved.counts
    chain = saved.chain
    if chainCount != nil { updateTexts() }
    if saved.hasAlert {
      let since = now.continuous.advanced(by: .zero - (saved.overtime ?? .zero))
      let cause: TimerAlert.Cause =
        saved.state == .finished ? .finished : saved.standsReady ? .standsReady : .fired
      setAlert(TimerAlert(cause: cause, since: since, isRinging: false), at: now)
    } else {
      stoppedOvertime = saved.overtime
    }
  }

  /// The lateness of the most recent scheduled fire.
  package var lateness: Duration? {
    recentActivity.fires.elements.last { $0.lateness != nil }?.lateness
  }

  package var name: String? { requested.name }
  package var note: String? { requested.note }
  package var needsAttention: Bool { alert != nil }
  package var isRinging: Bool { alert?.isRinging == true }
  /// A Boolean value that indicates whether the timer, or its next phase, stands ready until the user starts it.
  package var standsReady: Bool { alert?.cause == .standsReady }
  package var group: String? { requested.group }
  /// The name of the timer or the group that starts when this one finishes.
  package var successor: String? { requested.successor }
  /// The number of rounds of the chain whose head this timer is.
  package var chainCount: Int? { requested.chainCount }
  package var waits: Bool { requested.waits }
  package var hasCommand: Bool { requested.command != nil }

  /// Sets the requested specification, without changing the live timer.
  mutating func setRequestedSpec(_ spec: TimerSpec) {
    if spec.command != requested.command { commandState = CommandState() }
    requested = spec
    updateTexts()
  }

  mutating func setChain(_ chain: ChainState) {
    self.chain = chain
    if chainCount != nil { updateTexts() }
  }

  /// Updates the timer from the status of the live timer.
  mutating func update(from status: TimerStatus, at now: ClockReading) {
    let keepsTexts = self.status.period == status.period && self.status.mode == status.mode
    self.status = status
    due = status.deadline.map { onSuspendingClock($0, at: now) }
    stopwatchOrigin = status.stopwatch?.origin.map { onSuspendingClock($0, at: now) }
    updateWallOccurrences(at: now)
    recentActivity.record(status.activity, from: now.suspending)
    longestTime = max(status.longestTime, status.timeLeft(at: now) ?? .zero)
    if let alert, !alert.cause.applies(to: status.state) { self.alert = nil }
    if status.state != .finished { stoppedOvertime = nil }
    updateOvertime(at: now)
    if !keepsTexts { updateTexts() }
  }

  /// Updates the timer for a new live timer, whose counts begin at zero. A command that runs goes on.
  mutating func recreate(as checkpoint: TimerCheckpoint, at now: ClockReading) {
    earlierCounts = counts
    commandState.resetFailures()
    update(from: checkpoint.status(at: now), at: now)
  }

  /// Forgets the recent activity, except the last beginning.
  mutating func forgetRecentActivity() {
    let last = recentActivity.spans.elements.last
    recentActivity = RecentActivity()
    if let last { recentActivity.record(last.activity, from: last.start) }
  }

  /// Keeps the counts of the live timer, which another one is about to replace.
  mutating func keepCounts() { earlierCounts = counts }

  mutating func record(_ fire: Fire, at now: ClockReading) {
    lastFired = now.continuous
    recentActivity.add(
      PastFire(
        at: now.suspending, latenessNanoseconds: fire.lateness?.clampedNanoseconds ?? -1,
        missed: fire.missed, periodNanoseconds: period?.clampedNanoseconds ?? 0))
  }

  /// Updates `wallOccurrences`. It stays the same if the deadline does, even if the clock was set.
  private mutating func updateWallOccurrences(at now: ClockReading) {
    guard case .repeater(let snapshot) = status, let schedule = snapshot.configuration.schedule,
      let deadline = snapshot.deadline?.wallInstant
    else {
      wallOccurrences = nil
      return
    }
    guard deadline != wallOccurrences?.deadline else { return }
    wallOccurrences = WallOccurrences(
      schedule, until: deadline, left: snapshot.remainingIterations, at: now)
  }

  mutating func setAlert(_ alert: TimerAlert, at now: ClockReading) {
    self.alert = alert
    updateOvertime(at: now)
  }

  /// Stops the bell of the alert.
  mutating func silence(at now: ClockReading) {
    guard var alert else { return }
    alert.isRinging = false
    setAlert(alert, at: now)
  }

  /// Ends the alert and stops the overtime.
  mutating func acknowledge(at now: ClockReading) {
    stoppedOvertime = overtime(at: now)
    alert = nil
    updateOvertime(at: now)
  }

  /// Ends the alert of a run's end, without overtime, because another timer continues the chain.
  mutating func endAlertOfLink() {
    if alert?.cause == .finished { (alert, overtimeOrigin) = (nil, nil) }
  }

  private mutating func updateOvertime(at now: ClockReading) {
    overtimeOrigin =
      if let alert, requested.kind.hasOvertime, status.state == .finished {
        now.suspending.advanced(by: now.continuous.duration(to: alert.since))
      } else { nil }
    // As wide as the longest text, `+1:00:00`.
    if overtimeOrigin != nil || stoppedOvertime != nil {
      longestTime = max(longestTime, .hours(10))
    }
  }

  private func onSuspendingClock(_ instant: TimerClock.Instant, at now: ClockReading)
    -> TimerClock.Instant
  {
    status.clock == .suspending
      ? instant : now.suspending.advanced(by: now[status.clock].duration(to: instant))
  }

  private mutating func updateTexts() {
    let kind = spec.kindText
    kindAndSuccessorText = kind + (successorText.map { " \($0)" } ?? "")
    label = name ?? kind
    searchText =
      "\(label) \(kindAndSuccessorText) \(group ?? "") \(note ?? "") \(requested.command ?? "")"
      .searchable
  }

  /// The successor, with the number of rounds that are left: `→ dry ×2`; `nil` if there is none.
  package var successorText: String? {
    successor.map { "→ \($0)" + (chainCount.map { " ×\(max(0, $0 - chain.roundsDone))" } ?? "") }
  }

  /// The whole time from the previous fire to the next one; `nil` if there is none.
  package var period: Duration? { status.period ?? wallOccurrences?.length }

  /// The specification with the changes of the live timer, such as another interval.
  package var spec: TimerSpec {
    var spec = requested
    status.content.update(&spec, intervalBeforeBackoff: commandState.intervalBeforeBackoff)
    return spec
  }

  /// The fires since the timer was added.
  package var counts: FireCounts {
    let common = status.common
    return earlierCounts
      + FireCounts(
        delivered: common.deliveredCount, missed: common.missedCount ?? 0, stale: common.staleCount)
  }

  /// Returns true if the timer is for a date that has passed.
  package func isPast(at now: ClockReading) -> Bool {
    guard requested.kind.hasOvertime, let schedule = requested.kind.repeater?.schedule else {
      return false
    }
    return schedule.next(after: now.wall) == nil
  }

  package func checkpoint(at now: ClockReading) -> TimerCheckpoint { checkpoint(status, at: now) }

  /// Returns the checkpoint to save. A timer whose last fire was not delivered yet is saved as due, so that the next
  /// process performs the effects of its end if this one is killed now.
  func savedCheckpoint(at now: ClockReading) -> TimerCheckpoint {
    guard status.state == .finished, status.isExecuting else { return checkpoint(at: now) }
    return lastFire(in: .zero, at: now) ?? checkpoint(at: now)
  }

  /// Returns the checkpoint with which a finished timer fires for the last time after `time`; `nil` if it cannot.
  func lastFire(in time: Duration, at now: ClockReading) -> TimerCheckpoint? {
    switch checkpoint(at: now) {
    case .repeater(var repeater) where time == .zero || repeater.configuration.schedule == nil:
      (repeater.state, repeater.timeLeft, repeater.remainingIterations) = (.running, time, 1)
      return .repeater(repeater)
    case .cycle(var cycle) where cycle.phaseIndex > 0:
      (cycle.state, cycle.timeLeft) = (.running, time)
      cycle.phaseIndex -= 1
      return .cycle(cycle)
    default: return nil
    }
  }

  /// Returns the checkpoint of a current or past status of the timer.
  func checkpoint(_ status: TimerStatus, at now: ClockReading) -> TimerCheckpoint {
    status.content.checkpoint(at: now, intervalBeforeBackoff: commandState.intervalBeforeBackoff)
  }

  /// Returns the time left, rounded up to seconds, the overtime, or the elapsed time of a stopwatch; `nil` if there is
  /// none.
  package func timeText(at now: ClockReading) -> String? {
    var saved = SavedTimer(spec, checkpoint(at: now))
    saved.overtime = overtime(at: now)
    return saved.timeText(at: now)
  }

  /// Returns the instant of the most recent fire on the suspending clock; `nil` if there was none.
  package func lastFire(at now: ClockReading) -> TimerClock.Instant? {
    lastFired.map { now.suspending.advanced(by: now.continuous.duration(to: $0)) }
  }

  /// Returns the time until the next fire; `nil` if there is none.
  package func timeLeft(at now: ClockReading) -> Duration? { status.timeLeft(at: now) }

  /// Returns the instant at which the run ends; `nil` if the timer does not run, if the run has no end, or if it has
  /// more than one fire and follows the time of day.
  package func end(at now: ClockReading) -> WallInstant? {
    if wallOccurrences != nil, status.iterations != .counted(left: 1, of: 1) { return nil }
    return checkpoint(at: now).content.lastFire(by: now.wall)
  }

  /// Returns the time until the run or the phase of a cycle ends; `nil` if the timer does not run or has no end.
  package func timeToEnd(at now: ClockReading) -> Duration? {
    if !status.phases.isEmpty { return timeLeft(at: now) }
    return end(at: now).map { now.wall.duration(to: $0) }
  }

  /// Returns the time since the end of a countdown or an alarm: up to now, or until it was acknowledged. `nil` if
  /// there is none.
  package func overtime(at now: ClockReading) -> Duration? {
    guard let alert, overtimeOrigin != nil else { return stoppedOvertime }
    return min(Overtime.limit, alert.since.duration(to: now.continuous))
  }

  /// A Boolean value that indicates whether a fire is being delivered or its command runs.
  package var isExecuting: Bool { status.isExecuting || commandState.isRunning }
}
