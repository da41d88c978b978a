import TimerKit

extension TimerAction {
  /// Performs the action on live timers. The current state of each timer determines its command, so that an
  /// action that is sent twice is performed twice.
  /// - Returns: The outcome for each timer that the action applies to, in order.
  package func perform(
    on timers: [(id: TimerID, timer: any LiveTimer)], at now: ClockReading
  ) -> [ControlOutcome] {
    let statuses = timers.map { (id: $0.id, status: $0.timer.status) }
    var index = 0
    return commands(for: statuses, at: now).map { id, command in
      while timers[index].id != id { index += 1 }
      let (timer, before) = (timers[index].timer, statuses[index].status)
      let result: ControlOutcome.Result =
        switch command {
        case .success(let command): timer.outcome(of: command)
        case .failure(let refusal): .refused(refusal)
        }
      return ControlOutcome(id: id, result: result, before: before, after: timer.status)
    }
  }
}

extension LiveTimer {
  fileprivate func outcome(of command: TimerCommand) -> ControlOutcome.Result {
    do throws(TimerConfigurationError) {
      switch try perform(command) {
      case .changed: return .changed(command)
      case .unchanged: return .unchanged(command)
      case .refused(let refusal): return .refused(.other("\(refusal)"))
      }
    } catch {
      return .refused(.other("\(error)"))
    }
  }
}

extension LiveTimer {
  /// Triggers a timer that waits for triggers.
  package func trigger() {
    _ = outcome(of: .fire(andPause: false))
  }
}
