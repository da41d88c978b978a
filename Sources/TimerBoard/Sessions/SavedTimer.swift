package import TimerKit

/// A timer in a session: its specification, and its state at the time at which it was saved.
package struct SavedTimer: Hashable, Sendable {
  /// The identifier on the board; 0 for a timer that has been on none.
  package var id = TimerID(0)
  package var spec: TimerSpec
  package var checkpoint: TimerCheckpoint
  /// The stretch that has not ended; `nil` if there is none.
  package var stretch: SavedStretch?

  /// A Boolean value that indicates whether it has an alert that is not acknowledged.
  package var hasAlert = false
  /// A Boolean value that indicates whether it has the alert because it, or its next phase, stands ready.
  package var standsReady = false
  /// The time since the alert began; without an alert, the overtime when it was acknowledged.
  package var overtime: Duration?
  /// The fires until it was saved.
  package var counts = FireCounts()
  package var chain = ChainState()
  /// A Boolean value that indicates whether "pause all" has paused the timer.
  package var isPausedTogether = false

  package init(_ spec: TimerSpec, _ checkpoint: TimerCheckpoint) {
    self.spec = spec
    self.checkpoint = checkpoint
  }

  /// Creates a timer that begins now.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    self.init(spec, TimerCheckpoint(startOf: spec, at: now))
  }

  package var name: String { spec.title }

  /// The number of rounds that are left of the chain whose head the timer is; `nil` if it is no head.
  package var roundsLeft: Int? { spec.chainCount.map { max(0, $0 - chain.roundsDone) } }

  /// The state at the time at which it was saved.
  package var state: TimerState { checkpoint.content.state }

  /// Returns the status of the timer if it is restored now.
  package func status(at now: ClockReading) -> TimerStatus { checkpoint.status(at: now) }

  /// A Boolean value that indicates whether it follows the time of day.
  var followsTimeOfDay: Bool { checkpoint.content.followsTimeOfDay }

  /// Advances the timer.
  /// - Returns: The number of fires that were due in the meantime.
  package mutating func catchUp(to wall: WallInstant) -> Int {
    if spec.waits, case .cycle(var cycle) = checkpoint, let end = cycle.phaseEnd {
      guard end <= wall else { return checkpoint.content.advance(to: wall) }
      cycle.phaseIndex += 1
      cycle.waitForPhase()
      cycle.takenAt = wall
      checkpoint = .cycle(cycle)
      (hasAlert, standsReady, overtime) = (true, true, end.duration(to: wall))
      return 1
    }
    let (before, wasRunning) = (checkpoint.content.takenAt, state == .running)
    let end = wasRunning ? end(by: wall) : nil
    let fires = checkpoint.content.advance(to: wall)
    if wasRunning, state == .finished {
      hasAlert = spec.sound != .silent
      overtime = hasAlert ? end.map { max(.zero, $0.duration(to: wall)) } : nil
    } else if hasAlert {
      addOvertime(before.duration(to: checkpoint.content.takenAt))
    }
    return fires
  }

  private mutating func addOvertime(_ time: Duration) {
    overtime = overtime.map { min(Overtime.limit, $0 + max(.zero, time)) }
  }

  /// Lets time pass without a fire: what was due in the meantime fires, late, when the timer is restored.
  package mutating func elapse(_ time: Duration) {
    checkpoint.content.elapse(time)
    if hasAlert { addOvertime(time) }
  }

  /// Sets the time of the save to `passed` before `now`. Since the save at `before`, the time of day can have been set,
  /// and the machine can have slept.
  /// - Parameter passed: The time since the save on the timer's clock.
  package mutating func setTime(
    _ passed: Duration, since before: WallInstant, at now: WallInstant
  ) {
    let moved = now.advanced(by: .zero - passed)
    checkpoint.content.takenAt = moved
    stretch?.move(by: before.duration(to: moved))
  }

  /// Returns the instant of the last fire if it is due by `now`; otherwise `nil`.
  func end(by now: WallInstant) -> WallInstant? {
    if spec.waits, case .cycle(let cycle) = checkpoint, cycle.phaseEnd != nil { return nil }
    return checkpoint.content.lastFire(by: now).flatMap { $0 <= now ? $0 : nil }
  }

  /// Returns the time until the next fire, zero if it is due; `nil` if there is none.
  package func timeLeft(at now: ClockReading) -> Duration? { status(at: now).timeLeft(at: now) }

  /// Returns the time as a board shows it: the time left, rounded up to seconds, the overtime, or the time that a
  /// stopwatch has counted; `nil` if there is none.
  package func timeText(at now: ClockReading) -> String? {
    if let overtime = shownOvertime { return Overtime.text(overtime) }
    let time: Duration? =
      if case .stopwatch(let stopwatch) = checkpoint { stopwatch.elapsed } else {
        timeLeft(at: now).map { .nanoseconds($0.clampedNanoseconds.addingSaturated(999_999_999)) }
      }
    return time.map { TimeText.clock($0.clampedNanoseconds / 1_000_000_000, showsTenths: false) }
  }

  /// The time since the end of a countdown or an alarm, up to an hour; `nil` if there is none.
  package var shownOvertime: Duration? {
    guard state == .finished, spec.kind.hasOvertime else { return nil }
    return overtime.map { min($0, Overtime.limit) }
  }

  /// Returns the iterations left and in all, such as `3/8` or `∞`; `nil` for kinds without runs.
  package func iterationsText(at now: ClockReading) -> String? {
    switch status(at: now).iterations {
    case .counted(let left, let count): "\(left)/\(count)"
    case .endless: "∞"
    case .none: nil
    }
  }

  /// Returns the number of iterations or rounds left; `nil` for an endless timer.
  package func iterationsLeft(at now: ClockReading) -> Int? {
    if case .counted(let left, _) = status(at: now).iterations { left } else { nil }
  }

  /// Returns the name of the state; for a running cycle, the name of the phase.
  package func stateText(at now: ClockReading) -> String {
    let status = status(at: now)
    if status.state == .running, let phase = status.phaseName { return phase }
    return "\(status.state)"
  }
}

extension Duration {
  /// Returns the product, clamped to the nanoseconds that an `Int64` can hold.
  func multiplied(by count: Int) -> Duration {
    let (product, overflow) = clampedNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }
}
