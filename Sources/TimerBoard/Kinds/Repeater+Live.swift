package import TimerKit

extension Repeater: LiveTimer {
  package var status: TimerStatus { .repeater(snapshot) }

  package func perform(_ command: TimerCommand) throws(TimerConfigurationError) -> ControlResult {
    switch command {
    case .start: start()
    case .pause: pause()
    case .reset(let restart): restart ? self.restart() : reset()
    case .fire(let pausing): fire(pausing: pausing)
    case .adjustTimeLeft(let change): adjustTimeLeft(by: change)
    case .setInterval(let interval, let change): try setInterval(interval, counting: change)
    case .setRemainingIterations(let count): try setRemainingIterations(count)
    case .skip, .lap: .unchanged
    }
  }

  package func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    observe(handler) { tick in
      .fired(
        Fire(
          isManual: tick.isManual, lateness: tick.lateness, missed: tick.missedCount,
          due: tick.deadline, iteration: tick.iteration))
    }
  }

  package func end() { cancel() }
}
