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
    let burst = pendingBurst
    var advanced = recurrence
    var passed: Recurrence.PassedDeadlines?
    var dueOnGrid = 0
    if let deadline, deadline < .max, now >= deadline {
      let newly = advanced.advancePastDeadlines(
        since: deadlineOrTimeLeft, at: now.subtractingSaturated(jitterDelay))
      // Each of the occurrences that a pause has merged uses up an iteration, too. Without an interval, all are due at once.
      dueOnGrid =
        recurrence.shortestPeriod == 0
        ? remaining : newly.count.addingSaturated(newly.keptMissedCount).addingSaturated(1)
      passed = newly
    }
    let due = min(remaining, dueOnGrid.addingSaturated(burst?.ticks ?? 0))
    let count = due.subtractingSaturated(max(0, left))
    guard state == .running, count > 0 else { return 0 }
    remaining -= count
    iteration = iteration.addingSaturated(count)
    let ofBurst = min(count, burst?.ticks ?? 0)
    if let burst, ofBurst > 0 { passTicks(ofBurst, of: burst, at: now) }
    if let passed, count > ofBurst {
      awaitsFirstTick = false
      let ofGrid = count - ofBurst
      if ofGrid == dueOnGrid {
        recurrence = advanced
        drawJitterDelay()
        endWait(until: passed.next)
      } else {
        passDeadlines(ofGrid, of: passed, at: now)
      }
    }
    if remaining == 0 || wait == .forLastTick && pendingBurst == nil { finish() }
    return count
  }

  /// Passes the first ticks of a burst.
  private mutating func passTicks(_ count: Int, of burst: Burst, at now: Int64) {
    var rest = burst
    rest.ticks -= count
    rest.due = recurrence.deadline(count, after: burst.begin, by: now) ?? burst.due
    rest.begin = rest.due
    coldState.change { $0.burst = rest.ticks > 0 ? rest : nil }
  }

  /// Passes the first ones of the deadlines that are due on the grid. The others keep the random delay with which they are
  /// due.
  private mutating func passDeadlines(
    _ count: Int, of passed: Recurrence.PassedDeadlines, at now: Int64
  ) {
    let ofGrid = count - passed.keptMissedCount
    guard ofGrid > 0 else {
      return recurrence.restoreOccurrence(missedCount: -ofGrid)
    }
    deadlineOrTimeLeft =
      recurrence.deadline(ofGrid, after: passed.begin, by: now) ?? deadlineOrTimeLeft
    recurrence.recordFired(before: deadlineOrTimeLeft)
  }

  func end(by limit: Int64) -> Int64? {
    guard state == .running else { return nil }
    let ofBurst = pendingBurst?.ticks ?? 0
    let afterBurst = remaining - ofBurst
    let end: Int64?
    if let pendingBurst, afterBurst == 0 || wait == .forLastTick {
      end = recurrence.deadline(ofBurst - 1, after: pendingBurst.begin, by: limit)
        .map { ofBurst == 1 ? pendingBurst.due : $0 }
    } else {
      end = deadline.flatMap { endOnGrid($0, remaining: afterBurst, by: limit) }
    }
    return end.flatMap { $0 < .max && $0 <= limit ? $0 : nil }
  }

  /// - Parameter first: the next deadline, with its random delay. Those of the later ticks are not known.
  private func endOnGrid(_ first: Int64, remaining: Int, by limit: Int64) -> Int64? {
    guard first <= limit else { return nil }
    let kept = recurrence.progress?.keptMissedCount ?? 0
    let others = isInfinite ? nil : max(0, remaining - 1 - kept)
    if others == 0 { return first }
    return recurrence.last(others, after: deadlineOrTimeLeft, by: limit)
      .map { $0 == deadlineOrTimeLeft ? first : $0 }
  }

  // MARK: - Snapshots

  func timeLeft(at now: Int64) -> Int64? {
    deadline.map { max(0, $0.subtractingSaturated(now)) } ?? pausedTimeLeft
  }

  func snapshot(_ context: SnapshotContext) -> Repeater.Snapshot {
    let timing: Repeater.Timing =
      recurrence.schedule.map { .schedule($0) } ?? .interval(.nanoseconds(interval))
    var snapshot = Repeater.Snapshot(
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
    if recurrence.keepsOccurrence { snapshot.progress = recurrence.progress }
    return snapshot
  }
}
