package import TimerKit

extension Repeater.Snapshot: FamilyStatus {
  var common: CommonStatus {
    CommonStatus(
      state: state, isExecuting: isExecuting, clock: clock, deadline: deadline,
      pausedTimeLeft: pausedTimeLeft, period: configuration.interval,
      iterations: .init(left: remainingIterations, of: configuration.mode.count),
      deliveredCount: deliveredCount, missedCount: missedCount, staleCount: staleCount)
  }

  var longestTime: Duration { configuration.interval ?? .zero }

  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    if let schedule = configuration.schedule { try check(schedule, for: action, at: now) }
    if let command = action.commonCommand(common) { return command }
    switch action {
    case .fire(let pausing):
      guard state != .finished else { throw .finished }
      return .fire(pausing: pausing)
    case .adjustTime(let step): return try step.command(.repeater(self), at: now)
    case .stepInterval where configuration.mode == .once,
      .setInterval where configuration.mode == .once:
      // The timer is a countdown, whose interval is its time.
      throw ControlRefusal("fires once; add or remove time instead")
    case .stepInterval(let longer, let intervalsBeforeBackoff):
      let interval = intervalsBeforeBackoff[id] ?? configuration.interval ?? .zero
      let steps = TimerAction.intervals
      let next = longer ? steps.first { $0 > interval } : steps.last { $0 < interval }
      guard let next else { throw longer ? .longestInterval : .shortestInterval }
      return .setInterval(next, .fromLastFire)
    case .setInterval(let interval, let change): return .setInterval(interval, change)
    case .adjustIterations(let change):
      guard let count = configuration.mode.count, count > 1 else { throw .noIterations }
      guard state != .finished else { throw .finished }
      let left = (remainingIterations ?? 1) + change
      guard left >= 1 else { throw ControlRefusal("at its last iteration") }
      guard left <= TimerParser.largestCount else { throw .mostIterations }
      return .setRemainingIterations(left)
    case .skip: throw ControlRefusal("no phases to skip")
    default: throw .noLaps
    }
  }

  /// Throws a refusal if a timer that follows the time of day cannot perform an action.
  private func check(
    _ schedule: WallSchedule, for action: TimerAction, at now: ClockReading
  ) throws(ControlRefusal) {
    switch action {
    case .toggle where state != .running, .start, .startAsSuccessor, .reset(restart: true):
      guard schedule.next(after: now.wall) == nil else { return }
      throw ControlRefusal("its date is past; edit it")
    case .adjustTime, .stepInterval: throw ControlRefusal("follows the time of day; edit it")
    default: return
    }
  }

  func checkpoint(at now: ClockReading, intervalBeforeBackoff: Duration?) -> TimerCheckpoint {
    var checkpoint = checkpoint(at: now[clock], wall: now.wall)
    if configuration.schedule == nil, let intervalBeforeBackoff {
      checkpoint.configuration.timing = .interval(intervalBeforeBackoff)
    }
    return .repeater(checkpoint)
  }

  func update(_ spec: inout TimerSpec, intervalBeforeBackoff: Duration?) {
    // Of the kind, only the interval can have changed. A run of one fire is written in two ways: `5m` and
    // `every 5m x1`.
    if case .repeater(var family) = spec.kind, family.interval != nil,
      let interval = intervalBeforeBackoff ?? configuration.interval
    {
      family.timing = .interval(interval)
      family.fireCount = configuration.mode.count
      spec.kind = .repeater(family)
    }
    spec.tolerance = configuration.tolerance
    spec.missedTicks = configuration.missedTicks
    spec.isPaused = state == .paused || state == .idle
  }
}

extension TimerStatus {
  private var repeater: Repeater.Snapshot? {
    if case .repeater(let repeater) = self { repeater } else { nil }
  }

  /// The mode of a timer that fires after intervals or at times of day; `nil` for other kinds.
  package var mode: Repeater.Mode? { repeater?.configuration.mode }
  /// The interval; `nil` for a timer that follows the time of day, and for other kinds.
  package var interval: Duration? { repeater?.configuration.interval }

  /// The instant of the next fire of a timer that follows the time of day; `nil` for other timers.
  package var wallDeadline: WallInstant? { repeater?.deadline?.wallInstant }
}

extension Repeater.Checkpoint: FamilyCheckpoint {
  var followsTimeOfDay: Bool { configuration.schedule != nil }
  var checkpoint: TimerCheckpoint { .repeater(self) }

  func status(at now: ClockReading) -> TimerStatus {
    // The next fire of a schedule is at its time of day; everything else continues with the time that it had left.
    var checkpoint = self
    if configuration.schedule != nil { checkpoint.catchUp(to: now.wall) }
    return .repeater(
      Repeater.Snapshot(
        configuration: configuration, clock: clock, state: checkpoint.state,
        remainingIterations: checkpoint.remainingIterations,
        deadline: checkpoint.state == .running
          ? now[clock].advanced(by: checkpoint.timeLeft ?? configuration.interval ?? .zero) : nil,
        pausedTimeLeft: state == .paused && configuration.schedule == nil ? timeLeft : nil))
  }

  mutating func advance(to wall: WallInstant) -> Int { catchUp(to: wall) }

  mutating func elapse(_ time: Duration) {
    guard state == .running, case .interval(let interval) = configuration.timing else { return }
    timeLeft = (timeLeft ?? interval) - time
  }

  func lastFire(by now: WallInstant) -> WallInstant? {
    guard state == .running, let count = remainingIterations else { return nil }
    switch configuration.timing {
    case .schedule(let schedule): return lastFire(along: schedule, count, by: now)
    case .interval(let interval):
      let first = takenAt.advanced(by: timeLeft ?? interval)
      return first.advanced(by: interval.multiplied(by: count - 1))
    }
  }

  /// Returns the last of `count` occurrences, or the first one after `now`.
  private func lastFire(
    along schedule: WallSchedule, _ count: Int, by now: WallInstant
  ) -> WallInstant? {
    let isDue = timeLeft.map { $0 <= .zero } ?? false
    guard var fire = isDue ? takenAt : schedule.next(after: takenAt) else { return takenAt }
    var left = count - 1
    while left > 0, fire <= now, let next = schedule.next(after: fire) {
      fire = next
      left -= 1
    }
    return fire
  }

  func makeTimer(in environment: TimerEnvironment) throws(RestoreError) -> any LiveTimer {
    func restored(_ policy: RestorePolicy) throws(RestoreError) -> Repeater {
      try Repeater(
        restoring: self, policy: policy, clock: environment.clock, queue: environment.queue
      ) { _, _ in }
    }
    guard followsTimeOfDay else { return try restored(.keepTimeLeft) }
    // The next fire comes from the schedule. A date can pass between two readings of the clock; the second
    // attempt finds it past and the timer finished.
    do throws(RestoreError) {
      return try restored(.catchUp)
    } catch .noOccurrence {
      return try restored(.catchUp)
    }
  }

  var fields: SavedFields {
    SavedFields(state: state, left: timeLeft?.seconds, iterations: remainingIterations)
  }

  mutating func restore(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError) {
    state = fields.state
    if configuration.mode.count != nil {
      let count = min(max(1, fields.iterations ?? 1), TimerParser.largestCount)
      remainingIterations = state == .finished ? 0 : count
    }
    switch configuration.timing {
    case .schedule(let schedule):
      // Of the time left, only the sign counts: the timer is due if none is left. A date that has passed, perhaps in
      // another time zone, is due too.
      let isDue = fields.left.map { $0 <= 0 } ?? false || schedule.next(after: now.wall) == nil
      timeLeft = state == .running ? isDue ? .zero : timeLeft : nil
    case .interval:
      timeLeft = fields.isActive ? fields.left.map(Duration.init(savedTimeLeft:)) ?? timeLeft : nil
    }
  }
}

extension Repeater: ObservableLiveTimer {
  package var status: TimerStatus { .repeater(snapshot) }

  package func perform(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .fire(let pausing): fire(pausing: pausing)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change)
    case .setInterval(let interval, let change): setInterval(interval, counting: change)
    case .setRemainingIterations(let count): setRemainingIterations(count)
    default: control(command)
    }
  }

  package static func event(of tick: Tick) -> Board.TimerEvent {
    // A manual fire was not due, and so cannot be late.
    .fired(
      Fire(
        lateness: tick.isManual ? nil : tick.lateness, missed: tick.missedCount,
        due: tick.isManual ? nil : tick.deadline, iteration: tick.iteration))
  }
}
