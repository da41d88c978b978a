package import TimerKit

extension RepeaterFamily {
  func start(
    of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(TimerConfigurationError) -> TimerMachine {
    var value = try Repeater.Value(
      configuration(of: spec), clock: TimerClock(spec.clock), seed: seed)
    // If the date has passed since it was typed, the timer does not start.
    value.start(at: now[spec.clock])
    if spec.isPaused { value.pause(at: now[spec.clock]) }
    return .repeater(value)
  }

  func restore(
    _ fields: SavedFields, of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(SavedFieldError) -> TimerMachine {
    var checkpoint = Repeater.Checkpoint(
      configuration: configuration(of: spec), clock: spec.clock, state: fields.state,
      remainingIterations: nil, timeLeft: nil, takenAt: now.wall)
    if fireCount != nil {
      let count = min(max(1, fields.iterations ?? 1), TimerParser.largestCount)
      checkpoint.remainingIterations = fields.state == .finished ? 0 : count
    }
    switch timing {
    case .interval(let interval):
      guard fields.isActive else { break }
      checkpoint.timeLeft =
        fields.left.map(Duration.init(savedTimeLeft:)) ?? checkpoint.configuration.startDelay
        ?? interval
    case .schedule(let schedule):
      guard fields.state == .running else { break }
      // Of the time left, only the sign counts: the timer is due if none is left. A date that has passed, perhaps in
      // another time zone, is due too.
      let next = schedule.next(after: now.wall)
      let isDue = fields.left.map { $0 <= 0 } ?? false
      checkpoint.timeLeft = isDue ? .zero : next.map { now.wall.duration(to: $0) } ?? .zero
    }
    return try .repeater(
      SavedFieldError.ofTimer { [checkpoint] () throws(RestoreError) in
        try Repeater.Value(restoring: checkpoint, at: now, seed: seed)
      })
  }

  private func configuration(of spec: TimerSpec) -> Repeater.Configuration {
    Repeater.Configuration(
      timing, mode: fireCount.map(Repeater.Mode.finite) ?? .infinite,
      startingAfter: spec.startsNow && keyword == .every ? .zero : nil, tolerance: spec.tolerance,
      missedTicks: spec.missedTicks, jitter: spec.jitter > .zero ? spec.jitter : nil)
  }
}

extension Repeater.Value {
  /// Restores a timer with the time that it had left.
  init(
    restoring checkpoint: Repeater.Checkpoint, at now: ClockReading, seed: UInt64
  ) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: .keepTimeLeft, clock: TimerClock(checkpoint.clock),
      at: now[checkpoint.clock], wall: now.wall, seed: seed)
  }

  func command(
    of action: TimerAction, baseInterval: Duration?, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    let configuration = snapshot.configuration
    if let schedule = configuration.schedule { try check(schedule, for: action, at: now) }
    if let command = action.commonCommand(in: state) { return command }
    switch action {
    case .fire(let pausing):
      guard state != .finished else { throw .finished }
      return .fire(pausing: pausing)
    case .adjustTime(let step):
      return try step.command(in: state, timeLeft: timeLeft(at: now[clock]))
    case .stepInterval where configuration.mode == .once,
      .setInterval where configuration.mode == .once:
      // The timer is a countdown, whose interval is its time.
      throw ControlRefusal("fires once; add or remove time instead")
    case .stepInterval(let longer):
      let interval = baseInterval ?? configuration.interval ?? .zero
      let steps = TimerAction.intervals
      let next = longer ? steps.first { $0 > interval } : steps.last { $0 < interval }
      guard let next else { throw longer ? .longestInterval : .shortestInterval }
      return .setInterval(next, .fromLastFire)
    case .setInterval(let interval, let change): return .setInterval(interval, change)
    case .adjustIterations(let change):
      guard let count = configuration.mode.count, count > 1 else { throw .noIterations }
      guard state != .finished else { throw .finished }
      let left = (snapshot.remainingIterations ?? 1) + change
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

  mutating func perform(_ command: TimerCommand, at now: TimerClock.Instant) -> ControlResult {
    switch command {
    case .start: start(at: now)
    case .pause: pause(at: now)
    case .reset(let restart): restart ? self.restart(at: now) : reset(at: now)
    case .fire(let pausing): fire(pausing: pausing, at: now)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change, at: now)
    case .setInterval(let interval, let change): setInterval(interval, counting: change, at: now)
    case .setRemainingIterations(let count): setRemainingIterations(count)
    case .skip, .lap: .unchanged
    }
  }

  /// Updates a specification with the settings that commands may have changed.
  func update(_ spec: inout TimerSpec, baseInterval: Duration?) {
    let configuration = snapshot.configuration
    // Of the kind, only the interval can have changed. A run of one fire is written in two ways: `5m` and
    // `every 5m x1`.
    if case .repeater(var family) = spec.kind, family.interval != nil,
      let interval = baseInterval ?? configuration.interval
    {
      family.timing = .interval(interval)
      family.fireCount = configuration.mode.count
      spec.kind = .repeater(family)
    }
  }

  /// The state as a file stores it.
  func fields(at now: ClockReading) -> SavedFields {
    let checkpoint = checkpoint(at: now[clock], wall: now.wall)
    return SavedFields(
      state: checkpoint.state, left: checkpoint.timeLeft?.seconds,
      iterations: checkpoint.remainingIterations)
  }
}

extension TimerMachine {
  var repeater: Repeater.Snapshot? {
    if case .repeater(let value) = self { value.snapshot } else { nil }
  }

  /// The mode of a timer that fires after intervals or at times of day; `nil` for other kinds.
  package var mode: Repeater.Mode? { repeater?.configuration.mode }
  /// The interval; `nil` for a timer that follows the time of day, and for other kinds.
  package var interval: Duration? { repeater?.configuration.interval }
  /// The schedule of a timer that follows the time of day; `nil` for other kinds.
  var schedule: WallSchedule? { repeater?.configuration.schedule }

  /// The instant of the next fire of a timer that follows the time of day; `nil` for other timers.
  package var wallDeadline: WallInstant? { repeater?.deadline?.wallInstant }
}
