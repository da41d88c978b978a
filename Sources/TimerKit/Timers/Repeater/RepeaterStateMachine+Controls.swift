extension RepeaterStateMachine {
  mutating func start(at now: Int64) -> ControlResult {
    let deadline: Int64?
    switch state {
    case .running: return .unchanged
    case .cancelled: return .refused(.cancelled)
    case .paused: deadline = recurrence.resume(at: now, timeLeft: deadlineOrTimeLeft)
    case .idle, .finished: deadline = recurrence.start(at: now, after: startDelay ?? interval)
    }
    guard let deadline else { return .refused(.noOccurrence) }
    let resumes = state == .paused
    if state == .finished { resetIterations() }
    run(until: deadline)
    if !resumes { beginFirstWait() }
    return .changed
  }

  mutating func pause(at now: Int64) -> ControlResult {
    if let refusal = state.refusal { return refusal }
    guard state == .running else { return .unchanged }
    var timeLeft = max(-jitterDelay, nominalDeadline(at: now).subtractingSaturated(now))
    if let burst = pendingBurst {
      recurrence.keepOccurrence(due: burst.due, countingFrom: burst.due, at: now)
    } else if wait == .forDeadline {
      recurrence.keepOccurrence(due: deadlineOrTimeLeft, at: now)
    }
    if recurrence.keepsOccurrence {
      // The delay that was chosen is that of the tick after the burst. A clock that was set back does not defer it.
      if pendingBurst != nil { jitterDelay = 0 }
      timeLeft = max(-jitterDelay, min(0, timeLeft))
    }
    enter(.paused)
    runState.revokeDeliveries()
    deadlineOrTimeLeft = timeLeft
    return .changed
  }

  mutating func reset(restart: Bool, at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    var newRecurrence = recurrence
    newRecurrence.resetFiredOccurrences()
    return reset(to: newRecurrence, restart: restart, at: now)
  }

  var isReset: Bool {
    guard state == .idle, iteration == 0, remaining == count else { return false }
    return coldState.isUnused
      || coldState.value.requests.last.map { runState.isRevoked($0.generation) } ?? true
  }

  mutating func restart(every interval: Int64, at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    if recurrence.isSchedule { return .refused(.followsSchedule) }
    return reset(to: .interval(interval), restart: true, at: now)
  }

  private mutating func reset(
    to newRecurrence: Recurrence, restart: Bool, at now: Int64
  ) -> ControlResult {
    var newRecurrence = newRecurrence
    var deadline: Int64?
    if restart {
      deadline = newRecurrence.start(at: now, after: startDelay ?? newRecurrence.interval)
      if deadline == nil { return .refused(.noOccurrence) }
    }
    recurrence = newRecurrence
    resetIterations()
    if let deadline {
      run(until: deadline)
      beginFirstWait()
    } else {
      enter(.idle)
    }
    runState.revokeDeliveries()
    return .changed
  }

  mutating func setInterval(
    _ newInterval: Int64, counting start: Repeater.IntervalStart, at now: Int64
  ) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    if recurrence.isSchedule { return .refused(.followsSchedule) }
    let old = interval
    let lastFire = nominalDeadline(at: now).subtractingSaturated(old)
    recurrence = .interval(newInterval)
    dropBurst()
    if start == .fromNextFire || start == .fromLastFire && awaitsFirstTick { return .changed }
    awaitsFirstTick = false
    drawJitterDelay()
    switch (state, start) {
    case (.running, .fromNow):
      run(until: now.addingSaturated(newInterval))
    case (.running, .fromLastFire):
      run(until: max(now, lastFire.addingSaturated(newInterval)))
    case (.paused, .fromNow):
      deadlineOrTimeLeft = newInterval
    case (.paused, .fromLastFire):
      deadlineOrTimeLeft = max(
        0, newInterval.subtractingSaturated(old.subtractingSaturated(deadlineOrTimeLeft)))
    default: break
    }
    return .changed
  }

  mutating func adjustTimeLeft(by change: Int64, at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    if recurrence.isSchedule { return .refused(.followsSchedule) }
    if let refusal = state.refusal { return refusal }
    if state == .running {
      let earliest = now.subtractingSaturated(jitterDelay)
      run(until: max(earliest, nominalDeadline(at: now).addingSaturated(change)))
    } else {
      deadlineOrTimeLeft = max(-jitterDelay, deadlineOrTimeLeft.addingSaturated(change))
    }
    return .changed
  }

  mutating func setRemainingIterations(_ count: Int) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    if isInfinite { return .refused(.notFinite) }
    if state == .finished { return .refused(.finished) }
    if remaining == count { return .unchanged }
    if recurrence.occursOnce { return .refused(.followsSchedule) }
    remaining = count
    dropBurst()
    if wait == .forLastTick { finish() }
    return .changed
  }

  mutating func fire(pausing: Bool, at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    if state == .finished { return .refused(.finished) }
    let pending = coldState.isUnused ? 0 : coldState.value.requests.count
    guard pending < ControlResult.Refusal.pendingLimit else { return .refused(.tooManyPending) }
    if pausing { _ = pause(at: now) }
    let generation = generation
    coldState.change { $0.requests.append(Request(generation: generation, at: now)) }
    return .changed
  }

  /// Sets the state of a new machine from a validated checkpoint.
  /// - Returns: false if the timer was running and its schedule has no further occurrence.
  mutating func restore(_ checkpoint: Repeater.Checkpoint, at now: Int64) -> Bool {
    let timeLeft = checkpoint.timeLeft?.clampedNanoseconds ?? interval
    remaining = checkpoint.remainingIterations ?? .max
    iteration = max(0, count - remaining)
    if checkpoint.timeLeft != nil, timeLeft <= 0 {
      recurrence.restoreOccurrence(missedCount: max(0, checkpoint.pendingMissedCount ?? 0))
    }
    switch checkpoint.state {
    case .running:
      guard let deadline = recurrence.resume(at: now, timeLeft: timeLeft) else { return false }
      run(until: deadline)
    case .paused:
      enter(.paused)
      deadlineOrTimeLeft = max(0, timeLeft)
    default: runState = RunState(checkpoint.state)
    }
    // A checkpoint of an infinite timer does not tell whether it has fired. It matters only for a new interval.
    awaitsFirstTick = startDelay.map { remaining == count && timeLeft <= $0 } ?? false
    drawJitterDelay()
    return true
  }

  @usableFromInline
  mutating func cancel() {
    enter(.cancelled)
    runState.revokeDeliveries()
  }

  /// Returns the deadline on the grid of a running timer. While it waits for handlers to return, the deadline is a whole
  /// interval after `now`.
  private func nominalDeadline(at now: Int64) -> Int64 {
    wait == .forHandlers ? now.addingSaturated(interval) : deadlineOrTimeLeft
  }

  private mutating func resetIterations() {
    remaining = count
    iteration = 0
  }

  /// Begins the wait for the first tick of a run.
  private mutating func beginFirstWait() {
    awaitsFirstTick = startDelay != nil
    drawJitterDelay()
  }

  mutating func run(until deadline: Int64) {
    enter(.running)
    deadlineOrTimeLeft = deadline
  }
}
