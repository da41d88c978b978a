package import TimerKit

/// What is needed to make a timer again as it was, whatever its kind: what undo keeps.
package enum TimerCheckpoint: Hashable, Sendable {
  case repeater(Repeater.Checkpoint)
  case cycle(Cycle.Checkpoint)
  case stopwatch(Stopwatch.Checkpoint)
  /// A debouncer, a throttler or a background timer keeps no time: it is made anew.
  case calls

  /// How a timer stands that was just asked for: running from its start, or paused there.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    let state: TimerState = spec.isPaused ? .paused : .running
    switch spec.kind {
    case .once(let interval):
      self = .start(spec, interval, .once, state, now)
    case .every(let interval, let count):
      self = .start(spec, interval, count.map { .finite($0) } ?? .infinite, state, now)
    case .at(let schedule): self = .start(spec, on: schedule, .once, state, now)
    case .daily(let schedule, let count):
      self = .start(spec, on: schedule, count.map { .finite($0) } ?? .infinite, state, now)
    case .cycle(let phases, let rounds):
      self = .cycle(
        Cycle.Checkpoint(
          configuration: .init(phases, rounds: rounds, tolerance: spec.tolerance), state: state,
          phaseNumber: 0, timeLeft: phases.first?.duration, takenAt: now.wall))
    case .stopwatch:
      self = .stopwatch(
        Stopwatch.Checkpoint(
          state: spec.isPaused ? .paused : .running, elapsed: .zero, takenAt: now.wall))
    case .debounce, .throttle, .coalesce, .idle:
      self = .calls
    }
  }

  private static func start(
    _ spec: TimerSpec, _ interval: Duration, _ mode: Repeater.Mode, _ state: TimerState,
    _ now: ClockReading
  ) -> TimerCheckpoint {
    .repeater(
      Repeater.Checkpoint(
        configuration: .init(
          .interval(interval), mode: mode, missedTicks: spec.missedTicks, tolerance: spec.tolerance),
        state: state, remainingIterations: mode.count, timeLeft: interval, takenAt: now.wall))
  }

  /// A date that is past can be asked for when it was not: then the timer never starts.
  private static func start(
    _ spec: TimerSpec, on schedule: WallSchedule, _ mode: Repeater.Mode, _ state: TimerState,
    _ now: ClockReading
  ) -> TimerCheckpoint {
    let next = schedule.next(after: now.wall)
    return .repeater(
      Repeater.Checkpoint(
        configuration: .init(
          .schedule(schedule), mode: mode, missedTicks: spec.missedTicks, tolerance: spec.tolerance),
        clock: .wall, state: next == nil ? .idle : state,
        remainingIterations: mode.count,
        timeLeft: state == .running ? next.map { now.wall.duration(to: $0) } : nil,
        takenAt: now.wall))
  }

  /// What a timer made from this tells of itself at first.
  func status(at now: ClockReading) -> TimerStatus {
    switch self {
    case .repeater(let checkpoint): .repeater(checkpoint.snapshot(at: now))
    case .cycle(let checkpoint): .cycle(checkpoint.snapshot(at: now[checkpoint.clock]))
    case .stopwatch(let checkpoint): .stopwatch(checkpoint.snapshot(at: now[checkpoint.clock]))
    case .calls:
      .calls(
        CallSnapshot(
          state: .idle, pendingCount: 0, callCount: 0, deliveredCount: 0, staleCount: 0,
          deadline: nil))
    }
  }
}

extension Repeater.Checkpoint {
  fileprivate func snapshot(at now: ClockReading) -> Repeater.Snapshot {
    // A schedule goes on by the clock; everything else from where it stood.
    var checkpoint = self
    if configuration.schedule != nil { checkpoint.catchUp(to: now.wall) }
    return Repeater.Snapshot(
      configuration: configuration, clock: clock, state: checkpoint.state,
      remainingIterations: checkpoint.remainingIterations,
      deadline: checkpoint.state == .running
        ? now[clock].advanced(by: checkpoint.timeLeft ?? configuration.interval ?? .zero) : nil,
      frozenTimeLeft: state == .paused && configuration.schedule == nil ? timeLeft : nil)
  }
}

extension Cycle.Checkpoint {
  fileprivate func snapshot(at now: TimerClock.Instant) -> Cycle.Snapshot {
    let phases = configuration.phases
    let (round, index) = phaseNumber.quotientAndRemainder(dividingBy: phases.count)
    let isFinished = state == .finished
    let left = timeLeft ?? phases[index].duration
    return Cycle.Snapshot(
      configuration: configuration, clock: clock, state: state,
      position: isFinished
        ? nil : Cycle.Position(phase: phases[index], index: index, round: round + 1),
      phaseNumber: phaseNumber,
      remainingRounds: configuration.rounds.map { isFinished ? 0 : $0 - round },
      deadline: state == .running ? now.advanced(by: left) : nil,
      frozenTimeLeft: state == .paused ? left : nil)
  }
}

extension Stopwatch.Checkpoint {
  fileprivate func snapshot(at now: TimerClock.Instant) -> Stopwatch.Snapshot {
    Stopwatch.Snapshot(
      state: state, clock: clock,
      origin: state == .running ? now.advanced(by: .zero - elapsed) : nil,
      frozenElapsed: state == .running ? nil : elapsed, laps: laps, alarmTime: alarmTime,
      alarmHasFired: alarmHasFired)
  }
}
