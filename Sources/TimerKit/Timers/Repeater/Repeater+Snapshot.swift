extension Repeater {
  /// Everything there is to know about it at this moment: one consistent value.
  public var snapshot: Snapshot {
    storage.snapshot
  }

  /// The time until the next fire, frozen while it is paused; `nil` where none is to come.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// Whether a tick still counts: no control has taken it back, or the schedule it came from.
  ///
  /// Ask under the mutex that guards what the handler is about to change, and change that only where
  /// the answer is true; controls called under the same mutex cannot then be superseded (S0).
  public func isCurrent(_ tick: Tick) -> Bool { storage.read { $0.isCurrent(tick) } }
}

extension TimerStorage where Machine == RepeaterStateMachine {
  var snapshot: Repeater.Snapshot {
    let clock = time.kind
    return readState { state in
      let machine = state.machine
      return Repeater.Snapshot(
        phase: machine.phase, isExecuting: machine.isExecuting, mode: machine.mode,
        interval: .nanoseconds(machine.interval), schedule: machine.recurrence.schedule,
        missedTicks: machine.missedTicks,
        tolerance: .nanoseconds(state.tolerance), clock: clock,
        remainingIterations: machine.left,
        deadline: machine.deadline.map(TimerClock.Instant.init(nanoseconds:)),
        frozenTimeLeft: machine.frozenTimeLeft.map(Duration.nanoseconds(_:)),
        generation: machine.generation, deliveredCount: machine.deliveredCount,
        missedCount: machine.missedCount, staleCount: machine.staleCount,
        elapsedWhileStoppedCount: machine.elapsedWhileStoppedCount,
        lastLateness: machine.lastLateness.map(Duration.nanoseconds(_:)))
    }
  }

  var checkpoint: Repeater.Checkpoint {
    snapshot.checkpoint(
      at: time.instant, takenAt: time.wallInstant)
  }
}
