import TimerKit

extension TimerAction {
  /// A live timer, with its status before the action.
  private typealias Target = (id: TimerID, timer: any LiveTimer, before: TimerStatus)

  /// Performs the action on live timers. The current state of each timer determines its command, so that an
  /// action that is sent twice is performed twice.
  /// - Returns: The outcome for each timer that the action applies to, in order.
  package func perform(
    on timers: [(id: TimerID, timer: any LiveTimer)], at now: ClockReading
  ) -> [ControlOutcome] {
    targets(among: timers.map { ($0.id, $0.timer, $0.timer.status) }).map { id, timer, before in
      let result: ControlOutcome.Result
      do throws(ControlRefusal) {
        let command = try before.content.command(for: self, to: id, at: now)
        result =
          switch timer.perform(command) {
          case .changed: .changed(command)
          case .unchanged: .unchanged(command)
          // On a board, the pause of a timer that does not run has nothing to do: pausing all timers is no failure.
          case .refused(.idle) where command == .pause, .refused(.finished) where command == .pause:
            .unchanged(command)
          case .refused(let refusal): .refused(ControlRefusal("\(refusal)"))
          }
      } catch {
        result = .refused(error)
      }
      return ControlOutcome(id: id, result: result, before: before, after: timer.status)
    }
  }

  /// Returns the timers that the action applies to, in order. A toggle of several timers, for example, does not apply to
  /// those that are already paused.
  private func targets(among timers: [Target]) -> [Target] {
    let running = timers.filter(\.before.canPause)
    switch self {
    case .toggle where timers.count > 1: return running.isEmpty ? timers : running
    case .toggleAll(let resuming):
      guard running.isEmpty else { return running }
      return timers.filter { resuming.contains($0.id) && $0.before.state == .paused }
    default: return timers
    }
  }

  /// Returns the command of an action that is the same for all kinds except those that wait for triggers; `nil` for
  /// other actions.
  func commonCommand(_ common: CommonStatus) -> TimerCommand? {
    switch self {
    case .toggle, .toggleAll: common.state == .running ? .pause : .start
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

  /// The time for which a key snoozes a finished timer.
  static let snoozeTime = Duration.minutes(5)

  /// The intervals of ``stepInterval(longer:intervalsBeforeBackoff:)``.
  package static let intervals: [Duration] =
    [1, 2, 5, 10, 15, 20, 30, 45].map { .seconds($0) }
    + [1, 2, 5, 10, 15, 20, 30, 45].map { .minutes($0) }
    + [1, 2, 5, 10, 15, 20].map { .hours($0) } + [1, 2, 5, 10, 20, 50, 100].map { .days($0) }

  /// Returns the reason for which the timer in its current state refuses the action; `nil` if it does not.
  package func refusal(of timer: BoardTimer, at now: ClockReading) -> ControlRefusal? {
    do throws(ControlRefusal) {
      _ = try timer.status.content.command(for: self, to: timer.id, at: now)
      return nil
    } catch {
      return error
    }
  }
}

extension TimerAction.TimeStep {
  /// Returns the command that adds or removes the time.
  func command(_ status: TimerStatus, at now: ClockReading) throws(ControlRefusal) -> TimerCommand {
    guard status.state != .finished else { throw .finished }
    guard let left = status.timeLeft(at: now) else { throw .notStarted }
    let amount: Duration =
      switch self {
      case .more: TimerAction.timeStep(for: left)
      case .less: .zero - TimerAction.timeStep(for: left)
      case .exactly(let amount): amount
      }
    guard amount > .zero || left > .zero else { throw ControlRefusal("no time left to remove") }
    return .adjustTimeLeft(amount)
  }
}
