import TimerKit

/// The part of a timer's status that decides which stretch it is in.
struct StretchSegment {
  /// True if the timer runs or is paused.
  var isActive: Bool
  var isPaused: Bool
  /// The stretch that begins with it, with its phase and its planned time.
  var stretch = SavedStretch()
  /// The time of the stretch that has elapsed if it was never paused or changed; zero for a stopwatch and for an
  /// endless `every`.
  var elapsed = Duration.zero
  var kind: StretchRecord.Kind
  /// The clock on which the stretch counts.
  var clock: TimerClock.Kind
  /// A number that increases when a control changes the schedule of the live timer, and when a run ends.
  var generation: UInt64

  /// - Returns: `nil` for a kind of timer that has no stretches.
  init?(_ status: TimerStatus, at now: ClockReading) {
    isActive = status.state == .running || status.state == .paused
    isPaused = status.state == .paused
    clock = status.clock
    switch status {
    case .repeater(let repeater):
      guard let interval = repeater.configuration.interval else { return nil }
      generation = repeater.generation
      kind = repeater.configuration.mode == .once ? .once : .every
      let planned = repeater.configuration.mode.count.map { interval.multiplied(by: $0) }
      stretch.planned = planned?.clampedNanoseconds
      if let planned, let left = status.timeLeft(at: now), let count = repeater.remainingIterations
      {
        elapsed = max(.zero, planned - left - interval.multiplied(by: max(0, count - 1)))
      }
    case .cycle(let cycle):
      generation = cycle.generation
      kind = .cycle
      let planned = cycle.position?.phase.duration
      stretch.number = cycle.phaseIndex
      stretch.phase = cycle.position?.phase.name
      stretch.round = cycle.position?.round
      stretch.planned = planned?.clampedNanoseconds
      if let planned, let left = status.timeLeft(at: now) { elapsed = max(.zero, planned - left) }
    case .stopwatch(let stopwatch):
      generation = stopwatch.generation
      kind = .stopwatch
    case .triggered: return nil
    }
  }
}
