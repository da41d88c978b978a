// What each kind of timer adds to its description for an inspector, and how it fires at will.

extension TimerStateMachine {
  @usableFromInline mutating func fireNow(at now: Int64) -> ControlResult? { nil }
}

extension RepeaterStateMachine {
  @usableFromInline static var kindName: String { "repeater" }

  @usableFromInline func describe(_ description: inout TimerDescription) {
    description.state = state.rawValue
    if !isInfinite { (description.remaining, description.iterations) = (remaining, count) }
    description.interval = recurrence.isSchedule ? nil : interval
    description.timeLeft = pausedTimeLeft
    (description.lateness, description.missedCount) = (lastLateness, missedCount)
  }

  @usableFromInline mutating func fireNow(at now: Int64) -> ControlResult? {
    fire(pausing: false, at: now)
  }
}

extension CycleStateMachine {
  @usableFromInline static var kindName: String { "cycle" }

  @usableFromInline func describe(_ description: inout TimerDescription) {
    description.state = state.rawValue
    description.remaining = plan.remainingRounds(from: phaseIndex)
    description.iterations = plan.configuration.rounds
    (description.interval, description.timeLeft) = (plan.duration(of: phaseIndex), pausedTimeLeft)
    description.lateness = lastTick?.lateness.clampedNanoseconds
    description.missedCount = missedCount
  }

  @usableFromInline mutating func fireNow(at now: Int64) -> ControlResult? { skip(at: now) }
}

extension StopwatchStateMachine {
  @usableFromInline static var kindName: String { "stopwatch" }

  @usableFromInline func describe(_ description: inout TimerDescription) {
    (description.state, description.interval) = (state.rawValue, alarmTime)
    if state == .paused, !alarmHasFired {
      description.timeLeft = alarmTime?.subtractingSaturated(elapsedWhenStopped ?? 0)
    }
  }
}

extension DeadlineStateMachine {
  @usableFromInline static var kindName: String { "deadline" }

  @usableFromInline func describe(_ description: inout TimerDescription) {
    let ended = isCancelled ? "cancelled" : firedDeadline == nil ? "idle" : "finished"
    description.state = deadline == nil ? ended : "running"
  }
}

extension TimeLimitedStateMachine {
  @usableFromInline static var kindName: String { "limited" }

  @usableFromInline func describe(_ description: inout TimerDescription) {
    let ended = isCancelled ? "cancelled" : "finished"
    (description.state, description.interval) = (deadline == nil ? ended : "running", lifetime)
  }
}

extension PendingStateMachine {
  @usableFromInline func describe(_ description: inout TimerDescription) {
    (description.state, description.interval) = (state.rawValue, pendingInterval)
    // Without a value, it is the time at which its history ends.
    if !isPending { description.deadline = nil }
  }
}

extension LimiterStateMachine {
  /// Delivers what is pending.
  @usableFromInline mutating func fireNow(at now: Int64) -> ControlResult? {
    .changed(if: isClosed ? nil : flush(at: now))
  }
}

extension BackgroundStateMachine {
  @usableFromInline static var kindName: String { "background" }
  @usableFromInline var pendingInterval: Int64? { nil }
}

extension DebounceStateMachine {
  @usableFromInline static var kindName: String { "debouncer" }
  @usableFromInline var pendingInterval: Int64? { delay }
}

extension ThrottleStateMachine {
  @usableFromInline static var kindName: String { "throttler" }
  @usableFromInline var pendingInterval: Int64? { interval }
}

extension KeyedStateMachine {
  @usableFromInline static var kindName: String { "keyed" }
  @usableFromInline var pendingInterval: Int64? { prototype.pendingInterval }
}

extension BatchStateMachine {
  @usableFromInline static var kindName: String { "batcher" }
  @usableFromInline var pendingInterval: Int64? { maxWait < .max ? maxWait : nil }
}
