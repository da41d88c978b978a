// What a live timer and a value have in common besides the machine: validation, snapshots, and time that passes without
// deliveries.

extension RepeaterStateMachine {
  // MARK: - Controls with an argument to validate

  mutating func restart(every interval: Duration, at now: Int64) -> ControlResult {
    .refusingInvalid(try checked(interval)) { restart(every: $0, at: now) }
  }

  mutating func setInterval(
    _ interval: Duration, counting start: Repeater.IntervalStart, at now: Int64
  ) -> ControlResult {
    .refusingInvalid(try checked(interval)) { setInterval($0, counting: start, at: now) }
  }

  mutating func adjustTimeLeft(by change: Duration, at now: Int64) -> ControlResult {
    adjustTimeLeft(by: change.clampedNanoseconds, at: now)
  }

  /// - Parameter parameter: the name of the count in an error.
  mutating func setRemainingIterations(
    _ count: Int, as parameter: TimerConfigurationError.CountParameter
  ) -> ControlResult {
    count < 1
      ? .refused(.invalid(.invalidCount(count, parameter: parameter)))
      : setRemainingIterations(count)
  }

  private func checked(_ interval: Duration) throws(TimerConfigurationError) -> Int64 {
    try interval.checked(mode == .once ? .oneShotInterval : .interval)
  }

  // MARK: - Time without deliveries

  mutating func catchUp(to now: Int64, leaving left: Int) -> Int {
    let burst = coldState.isUnused ? nil : coldState.value.burst
    var passed = recurrence
    var dueOnGrid = 0
    var next = deadlineOrTimeLeft
    if let deadline, deadline < .max, now >= deadline {
      let (missed, following) = passed.advancePastDeadlines(
        since: deadlineOrTimeLeft, at: now.subtractingSaturated(jitterDelay))
      dueOnGrid = missed.addingSaturated(1)
      next = following
    }
    let due = min(remaining, dueOnGrid.addingSaturated(burst?.ticks ?? 0))
    let count = due.subtractingSaturated(max(0, left))
    guard state == .running, count > 0 else { return 0 }
    remaining -= count
    iteration = iteration.addingSaturated(count)
    if remaining == 0 {
      enter(.finished)
      return count
    }
    let ofBurst = min(count, burst?.ticks ?? 0)
    if var burst, ofBurst > 0 {
      burst.ticks -= ofBurst
      burst.due = recurrence.deadline(ofBurst, after: burst.due, by: .max) ?? .max
      coldState.change { $0.burst = burst.ticks > 0 ? burst : nil }
    }
    let ofGrid = count - ofBurst
    guard ofGrid > 0 else { return count }
    awaitsFirstTick = false
    if ofGrid == dueOnGrid {
      recurrence = passed
      deadlineOrTimeLeft = next
      drawJitterDelay()
      // A schedule can have no further occurrence.
      if next == .max, recurrence.isSchedule { finish() }
    } else {
      // The deadlines that are left keep the random delay with which they are due.
      deadlineOrTimeLeft =
        recurrence.deadline(ofGrid, after: deadlineOrTimeLeft, by: now) ?? now
      recurrence.recordFired(before: deadlineOrTimeLeft)
    }
    return count
  }

  func end(by limit: Int64) -> Int64? {
    guard !isInfinite, let deadline else { return nil }
    let burst = coldState.isUnused ? nil : coldState.value.burst
    let afterBurst = remaining - (burst?.ticks ?? 0)
    let end: Int64?
    if let burst, afterBurst == 0 {
      end = recurrence.deadline(burst.ticks - 1, after: burst.due, by: limit)
    } else if afterBurst == 1 {
      end = deadline
    } else {
      // The random delays of later ticks are not known.
      end = recurrence.deadline(afterBurst - 1, after: deadlineOrTimeLeft, by: limit)
    }
    return end.flatMap { $0 < .max && $0 <= limit ? $0 : nil }
  }

  /// Ends the run of a timer whose schedule has no further occurrence.
  mutating func finish() {
    remaining = 0
    enter(.finished)
  }

  // MARK: - Snapshots

  func timeLeft(at now: Int64) -> Int64? {
    deadline.map { max(0, $0.subtractingSaturated(now)) } ?? pausedTimeLeft
  }

  func snapshot(_ context: SnapshotContext) -> Repeater.Snapshot {
    let timing: Repeater.Timing =
      recurrence.schedule.map { .schedule($0) } ?? .interval(.nanoseconds(interval))
    return Repeater.Snapshot(
      configuration: Repeater.Configuration(
        timing, mode: mode, startingAfter: startDelay.map(Duration.nanoseconds(_:)),
        tolerance: .nanoseconds(context.tolerance), missedTicks: missedTicks,
        jitter: jitter.map(Duration.nanoseconds(_:))),
      clock: context.clock.kind, state: state, isExecuting: context.isExecuting,
      remainingIterations: remainingIterations, deadline: context.instant(deadline),
      pausedTimeLeft: pausedTimeLeft.map(Duration.nanoseconds(_:)),
      jitterDelay: .nanoseconds(jitterDelay), generation: generation,
      deliveredCount: context.deliveredCount, missedCount: missedCount,
      staleCount: context.staleCount,
      deadlinesPassedBeforeRestore: context.deadlinesPassedBeforeRestore,
      lastLateness: lastLateness.map(Duration.nanoseconds(_:)))
  }
}
