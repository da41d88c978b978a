import TimerKit

extension TimerAction {
  /// Decides what the action means to each timer, by the states that the timers are in.
  /// - Returns: a command or a refusal for each timer that is meant, in order. Of several, those that are
  ///   paused already are not meant by a toggle, for example.
  func commands(
    for timers: [(id: TimerID, status: TimerStatus)], at now: ClockReading
  ) -> [(id: TimerID, command: Result<TimerCommand, TimerRefusal>)] {
    var meant = timers
    switch self {
    case .toggle where timers.count > 1:
      let running = timers.filter { $0.status.canPause }
      if !running.isEmpty { meant = running }
    case .toggleAll(let resuming):
      meant = timers.filter { $0.status.canPause }
      if meant.isEmpty {
        meant = timers.filter { resuming.contains($0.id) && $0.status.state == .paused }
      }
    default: break
    }
    return meant.map { timer in
      do throws(TimerRefusal) {
        return (timer.id, .success(try command(for: timer.id, timer.status, at: now)))
      } catch {
        return (timer.id, .failure(error))
      }
    }
  }

  private func command(
    for id: TimerID, _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand {
    switch status {
    case .repeater(let snapshot): try command(for: id, snapshot, status, at: now)
    case .cycle: try cycleCommand(status, at: now)
    case .stopwatch: try stopwatchCommand(status)
    case .calls: try triggeredCommand()
    }
  }

  /// The commands that mean the same to every timer that runs.
  private func commonCommand(_ status: TimerStatus) -> TimerCommand? {
    switch self {
    case .toggle, .toggleAll: status.state == .running ? .pause : .start
    case .start: .start
    case .pause: .pause
    case .reset(let restart): .reset(restart: restart)
    case .startAsSuccessor: .reset(restart: true)
    default: nil
    }
  }

  private func command(
    for id: TimerID, _ snapshot: Repeater.Snapshot, _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand {
    if let schedule = snapshot.configuration.schedule { try check(schedule, status, at: now) }
    if let command = commonCommand(status) { return command }
    switch self {
    case .fire(let andPause):
      guard status.state != .finished else { throw .finished }
      return .fire(andPause: andPause)
    case .adjustTime(let step): return try timeCommand(step, status, at: now)
    case .stepInterval(let longer, let usual):
      let interval = usual[id] ?? snapshot.configuration.interval ?? .zero
      let next =
        longer ? Self.intervals.first { $0 > interval } : Self.intervals.last { $0 < interval }
      guard let next else { throw longer ? .longestInterval : .shortestInterval }
      return .setInterval(next, .fromLastFire)
    case .setInterval(let interval, let change): return .setInterval(interval, change)
    case .adjustIterations(let change):
      guard case .finite = snapshot.configuration.mode else { throw .noIterations }
      guard status.state != .finished else { throw .finished }
      let left = (snapshot.remainingIterations ?? 1) + change
      guard left >= 1 else { throw .lastIteration }
      guard left <= TimerParser.largestCount else { throw .mostIterations }
      return .setRemainingIterations(left)
    case .skip: throw .noPhases
    default: throw .noLaps
    }
  }

  /// What a timer that follows the time of day cannot do.
  private func check(
    _ schedule: WallSchedule, _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) {
    switch self {
    case .toggle where status.state != .running, .start, .startAsSuccessor,
      .reset(restart: true):
      guard schedule.next(after: now.wall) == nil else { return }
      throw .datePast
    case .adjustTime, .stepInterval: throw .timeFixed
    default: return
    }
  }

  private func cycleCommand(
    _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand {
    if let command = commonCommand(status) { return command }
    switch self {
    case .adjustTime(let step): return try timeCommand(step, status, at: now)
    case .skip, .fire(andPause: false):
      guard status.state != .finished else { throw .finished }
      return .skip
    case .lap: throw .noLaps
    default: throw .hasPhases
    }
  }

  private func stopwatchCommand(_ status: TimerStatus) throws(TimerRefusal) -> TimerCommand {
    if let command = commonCommand(status) { return command }
    guard self == .lap else { throw .neverFires }
    guard status.state == .running else { throw .notRunning }
    return .lap
  }

  private func triggeredCommand() throws(TimerRefusal) -> TimerCommand {
    switch self {
    case .fire(andPause: false), .startAsSuccessor: return .fire(andPause: false)
    case .reset: return .reset(restart: false)
    default: throw .isTriggered
    }
  }

  private func timeCommand(
    _ step: TimeStep, _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand {
    guard status.state != .finished else { throw .finished }
    guard let left = status.timeLeft(at: now) else { throw .notStarted }
    let amount: Duration =
      switch step {
      case .more: Self.timeStep(for: left)
      case .less: .zero - Self.timeStep(for: left)
      case .exactly(let amount): amount
      }
    guard amount > .zero || left > .zero else { throw .noTimeLeft }
    return .adjustTimeLeft(amount)
  }

  /// One minute, ten seconds below five minutes, one second below thirty.
  package static func timeStep(for left: Duration) -> Duration {
    left < .seconds(30) ? .seconds(1) : left < .minutes(5) ? .seconds(10) : .minutes(1)
  }

  /// The intervals of ``stepInterval(longer:usual:)``.
  package static let intervals: [Duration] =
    [1, 2, 5, 10, 15, 20, 30, 45].map { .seconds($0) }
    + [1, 2, 5, 10, 15, 20, 30, 45].map { .minutes($0) }
    + [1, 2, 5, 10, 15, 20].map { .hours($0) } + [1, 2, 5, 10, 20, 50, 100].map { .days($0) }
}

extension TimerStatus {
  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool {
    if case .calls = self { return false }
    return state == .running
  }
}
