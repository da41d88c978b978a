extension Repeater {
  /// Everything there is to know about it at this moment: one consistent value.
  public var snapshot: Snapshot {
    shell.snapshot
  }

  /// The time until the next fire, frozen while it is paused; `nil` where none is to come.
  public var timeLeft: Duration? { snapshot.timeLeft(at: shell.time.instant) }

  /// Whether a tick still counts: no control has taken it back, or the schedule it came from.
  ///
  /// Ask under the mutex that guards what the handler is about to change, and change that only where
  /// the answer is true; controls called under the same mutex cannot then be overtaken (S0).
  public func isCurrent(_ tick: Tick) -> Bool { shell.read { $0.isCurrent(tick) } }
}

extension Shell where Machine == RepeaterMachine {
  var snapshot: Repeater.Snapshot {
    let clock = time.kind
    return readState { state in
      let machine = state.machine
      return Repeater.Snapshot(
        phase: machine.phase, isExecuting: machine.isExecuting, mode: machine.mode,
        interval: .nanoseconds(machine.interval), schedule: machine.rhythm.schedule,
        missedTicks: machine.missedTicks,
        tolerance: .nanoseconds(state.tolerance), clock: clock,
        remainingIterations: machine.left,
        deadline: machine.deadline.map(TimelineInstant.init(nanoseconds:)),
        frozenTimeLeft: machine.frozenTimeLeft.map(Duration.nanoseconds(_:)),
        generation: machine.generation, deliveredCount: machine.deliveredCount,
        missedCount: machine.missedCount, staleCount: machine.staleCount,
        wentByCount: machine.wentByCount,
        lastLateness: machine.lastLateness.map(Duration.nanoseconds(_:)))
    }
  }

  var checkpoint: Repeater.Checkpoint {
    snapshot.checkpoint(
      at: time.instant, takenAt: time.wallInstant)
  }
}
