import TimerKit

extension TimerAction {
  /// Chooses the command for each timer by the states of the timers.
  /// - Returns: A command or a refusal for each timer that the action applies to, in order. A toggle of several
  ///   timers, for example, does not apply to those that are already paused.
  func commands(
    for timers: [(id: TimerID, status: TimerStatus)], at now: ClockReading
  ) -> [(id: TimerID, command: Result<TimerCommand, TimerRefusal>)] {
    var targets = timers
    switch self {
    case .toggle where timers.count > 1:
      let running = timers.filter { $0.status.canPause }
      if !running.isEmpty { targets = running }
    case .toggleAll(let resuming):
      targets = timers.filter { $0.status.canPause }
      if targets.isEmpty {
        targets = timers.filter { resuming.contains($0.id) && $0.status.state == .paused }
      }
    default: break
    }
    return targets.map { timer in
      do throws(TimerRefusal) {
        return (
          timer.id, .success(try timer.status.content.command(for: self, to: timer.id, at: now))
        )
      } catch {
        return (timer.id, .failure(error))
      }
    }
  }

  /// Returns the command of an action that is the same for all kinds; `nil` for other actions.
  func commonCommand(_ facts: TimerFacts) -> TimerCommand? {
    switch self {
    case .toggle, .toggleAll: facts.state == .running ? .pause : .start
    case .start: .start
    case .pause: .pause
    case .reset(let restart): .reset(restart: restart)
    case .startAsSuccessor: .reset(restart: true)
    default: nil
    }
  }

  /// Returns the step by which a key adds or removes time: one minute, ten seconds if less than five minutes are
  /// left, one second if less than thirty seconds are left.
  package static func timeStep(for left: Duration) -> Duration {
    left < .seconds(30) ? .seconds(1) : left < .minutes(5) ? .seconds(10) : .minutes(1)
  }

  /// The intervals of ``stepInterval(longer:usual:)``.
  package static let intervals: [Duration] =
    [1, 2, 5, 10, 15, 20, 30, 45].map { .seconds($0) }
    + [1, 2, 5, 10, 15, 20, 30, 45].map { .minutes($0) }
    + [1, 2, 5, 10, 15, 20].map { .hours($0) } + [1, 2, 5, 10, 20, 50, 100].map { .days($0) }
}

extension TimerAction.TimeStep {
  /// Returns the command that adds or removes the time.
  func command(
    _ status: TimerStatus, at now: ClockReading
  ) throws(TimerRefusal) -> TimerCommand {
    guard status.state != .finished else { throw .finished }
    guard let left = status.timeLeft(at: now) else { throw .notStarted }
    let amount: Duration =
      switch self {
      case .more: TimerAction.timeStep(for: left)
      case .less: .zero - TimerAction.timeStep(for: left)
      case .exactly(let amount): amount
      }
    guard amount > .zero || left > .zero else { throw .noTimeLeft }
    return .adjustTimeLeft(amount)
  }
}
