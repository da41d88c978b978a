import TimerBoard
import TimerKit

extension Row {
  /// The past fires and runs of a timer, and the rule of the future ones. A ``Lane`` draws it.
  struct Events: Hashable, Sendable {
    /// The next fire in nanoseconds of the suspending clock; `nil` if there is none.
    var due: Int64?
    /// The fires that are left, with the next one; `nil` for a timer without an end. Of a cycle, those of its current phase.
    var firesLeft: Int?
    /// The time between fires; `nil` for a timer that has one fire, and for one that follows the time of day.
    var interval: Duration?
    /// The times from the next fire to those after it, of a timer that follows the time of day; `nil` for others.
    var laterFires: [Duration]?
    /// The phases of a cycle, the number of the current one, and that of all phases through all rounds.
    var phases: [Cycle.Phase] = []
    var currentPhase: Int?
    var phaseCount: Int?
    var spans: ArraySlice<RecentActivity.Span> = []
    var fires: ArraySlice<PastFire> = []
    /// A Boolean value that indicates whether the time counts up, so that nothing of the future is known.
    var countsUp = false
    /// A Boolean value that indicates whether a stopwatch runs.
    var isCounting = false
    var isPaused = false
    /// The time from one fire to the next, for the rate of fires that are too close to be distinguished.
    var period: Duration?
    /// The end of the run, or of the phase of a cycle; `nil` for a timer that does not run or has no end.
    var end: TimerClock.Instant?
  }
}

extension Row.Events {
  init(of timer: BoardTimer, at now: ClockReading) {
    let machine = timer.machine
    due = timer.due(at: now)?.nanoseconds
    switch machine.iterations {
    case _ where machine.mode == nil: firesLeft = 1
    case .counted(let left, _): firesLeft = left
    case .endless, .none: firesLeft = nil
    }
    interval = machine.mode == .once ? nil : machine.interval
    laterFires = timer.wallOccurrences?.offsetsOfLaterOccurrences
    phases = machine.phases
    (currentPhase, phaseCount) = (machine.phaseNumbers?.current, machine.phaseNumbers?.count)
    spans = timer.recentActivity.spans.elements
    fires = timer.recentActivity.fires.elements
    countsUp = machine.countsUp
    isCounting = machine.origin != nil
    isPaused = timer.state == .paused
    period = timer.period
    end = timer.timeToEnd(at: now).map { now.suspending.advanced(by: $0) }
  }

  /// The last fire of the run, or the end of the current phase of a cycle; `.max` if there is none, or if it is not known.
  var lastFire: Int64 {
    guard let due else { return .max }
    guard let firesLeft else { return .max }
    if let laterFires {
      return firesLeft - 1 > laterFires.count
        ? .max : due.addingSaturated(laterFires.last?.clampedNanoseconds ?? 0)
    }
    let (rest, overflow) = Int64(max(1, firesLeft) - 1).multipliedReportingOverflow(
      by: (interval ?? .zero).clampedNanoseconds)
    return overflow ? .max : due.addingSaturated(rest)
  }

  /// The duration of a round of a cycle.
  var round: Duration { phases.reduce(.zero) { $0 + $1.duration } }

  /// The instant at which the run ends, of a cycle that of its last phase; `nil` if it has no end, or none that is known.
  var runEnd: Int64? {
    guard let current = currentPhase, !phases.isEmpty else {
      return lastFire == .max ? nil : lastFire
    }
    guard let due, let phaseCount else { return nil }
    let (rounds, rest) = max(0, phaseCount - current - 1).quotientAndRemainder(
      dividingBy: phases.count)
    let (time, overflow) = round.clampedNanoseconds.multipliedReportingOverflow(by: Int64(rounds))
    guard !overflow else { return nil }
    return (0..<rest).reduce(due.addingSaturated(time)) { sum, number in
      let phase = phases[(current + 1 + number) % phases.count]
      return sum.addingSaturated(phase.duration.clampedNanoseconds)
    }
  }

  /// The instant of the first known event, in nanoseconds; the largest one if there is none.
  var earliest: Int64 {
    let run = spans.first { $0.activity != .notRunning }
    return min(run?.start.nanoseconds ?? .max, fires.first?.at.nanoseconds ?? .max)
  }

  /// A Boolean value that indicates whether nobody waits for the next fire: that of an endless interval, or of a cycle with
  /// short phases and without an end.
  var isBackground: Bool {
    phases.isEmpty
      ? interval != nil && firesLeft == nil : phaseCount == nil && round < .seconds(60)
  }

  /// A Boolean value that indicates whether the timer only follows the time of day, so that it does not run between fires.
  var isDaily: Bool { interval == nil && firesLeft == nil && phases.isEmpty && !countsUp }

  /// The instant of the last known event, in nanoseconds; the smallest one if there is none.
  var latest: Int64 {
    let hasRun = spans.contains { $0.activity != .notRunning }
    let instants = [
      due, hasRun ? spans.last?.start.nanoseconds : nil, fires.last?.at.nanoseconds,
    ]
    return instants.compactMap(\.self).max() ?? .min
  }

  /// The number of fires in a second, a minute or an hour: `60 a minute`; of a cycle its phases: `5s/3s`.
  var rateText: String {
    if !phases.isEmpty {
      return phases.map { DurationText.text($0.duration) }.joined(separator: "/")
    }
    let seconds = Double((period ?? .seconds(1)).clampedNanoseconds) / 1_000_000_000
    let (unit, name) =
      seconds < 0.2 ? (1.0, "a second") : seconds <= 60 ? (60.0, "a minute") : (3600.0, "an hour")
    return "\(Int((unit / max(seconds, 0.000_001)).rounded())) \(name)"
  }
}
