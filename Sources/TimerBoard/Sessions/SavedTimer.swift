package import TimerKit

/// A timer as a session keeps it: what was asked for, and how it stood at a moment.
package struct SavedTimer: Hashable, Sendable {
  package var spec: TimerSpec
  package var checkpoint: TimerCheckpoint

  package init(_ spec: TimerSpec, _ checkpoint: TimerCheckpoint) {
    self.spec = spec
    self.checkpoint = checkpoint
  }

  /// A timer that begins at that moment, as it was asked for.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    self.init(spec, TimerCheckpoint(startOf: spec, at: now))
  }

  package var name: String { spec.name ?? spec.text }

  /// The state at the moment it was saved.
  package var state: TimerState {
    // A date that has passed since has not fired yet.
    if case .repeater(let repeater) = checkpoint { return repeater.state }
    return status(at: ClockReading(wall: takenAt)).state
  }

  /// What it tells of itself if it goes on from where it stood.
  package func status(at now: ClockReading) -> TimerStatus { checkpoint.status(at: now) }

  /// It follows the clock on the wall, whatever becomes of other timers meanwhile.
  var isBoundToDates: Bool {
    if case .repeater(let checkpoint) = checkpoint {
      checkpoint.configuration.schedule != nil
    } else {
      false
    }
  }

  private var takenAt: WallInstant {
    switch checkpoint {
    case .repeater(let checkpoint): checkpoint.takenAt
    case .cycle(let checkpoint): checkpoint.takenAt
    case .stopwatch(let checkpoint): checkpoint.takenAt
    case .calls: WallInstant(nanosecondsSince1970: 0)
    }
  }

  /// Lets the time up to `wall` go by.
  /// - Returns: how often it would have fired.
  package mutating func catchUp(to wall: WallInstant) -> Int {
    switch checkpoint {
    case .repeater(var repeater):
      let fires = repeater.catchUp(to: wall)
      checkpoint = .repeater(repeater)
      return fires
    case .cycle(var cycle):
      // What a cycle has is checked when it is made.
      let fires = (try? cycle.catchUp(to: wall)) ?? 0
      checkpoint = .cycle(cycle)
      return fires
    case .stopwatch(var stopwatch):
      stopwatch.catchUp(to: wall)
      checkpoint = .stopwatch(stopwatch)
      return 0
    case .calls: return 0
    }
  }

  /// When its last fire is due, if it runs and that is by `now`; else `nil`.
  func end(by now: WallInstant) -> WallInstant? {
    lastFire(by: now).flatMap { $0 <= now ? $0 : nil }
  }

  private func lastFire(by now: WallInstant) -> WallInstant? {
    switch checkpoint {
    case .repeater(let repeater):
      guard repeater.state == .running, let count = repeater.remainingIterations else { return nil }
      if let schedule = repeater.configuration.schedule {
        return repeater.lastFire(along: schedule, count, by: now)
      }
      let interval = repeater.configuration.interval ?? .zero
      let first = repeater.takenAt.advanced(by: repeater.timeLeft ?? interval)
      return first.advanced(by: interval.multiplied(by: count - 1))
    case .cycle(let cycle):
      let phases = cycle.configuration.phases
      guard cycle.state == .running, let rounds = cycle.configuration.rounds else { return nil }
      let count = phases.count
      let all =
        cycle.configuration.includesFinalRest || count == 1 ? rounds * count : rounds * count - 1
      let left = cycle.timeLeft ?? phases[cycle.phaseNumber % count].duration
      return cycle.takenAt.advanced(
        by: left + cycle.length(of: all) - cycle.length(of: cycle.phaseNumber + 1))
    case .stopwatch, .calls: return nil
    }
  }
}

extension ClockReading {
  /// All clocks as one: for what is not to be compared with any other.
  package init(wall: WallInstant) {
    let nanoseconds = wall.nanosecondsSince1970
    self.init(
      uptime: TimerClock.suspending.instant(nanoseconds: nanoseconds),
      boot: TimerClock.continuous.instant(nanoseconds: nanoseconds), wall: wall, secondsFromUTC: 0)
  }
}

extension Repeater.Checkpoint {
  /// The last of `count` occurrences, or one after `now`: no more of them are computed than that takes.
  fileprivate func lastFire(
    along schedule: WallSchedule, _ count: Int, by now: WallInstant
  ) -> WallInstant? {
    let isDue = timeLeft.map { $0 <= .zero } ?? false
    guard var fire = isDue ? takenAt : schedule.next(after: takenAt) else { return takenAt }
    var left = count - 1
    while left > 0, fire <= now, let next = schedule.next(after: fire) {
      fire = next
      left -= 1
    }
    return fire
  }
}

extension Cycle.Checkpoint {
  /// How long the first so many stages take.
  fileprivate func length(of stages: Int) -> Duration {
    let phases = configuration.phases
    let round = phases.reduce(Duration.zero) { $0 + $1.duration }
    let (rounds, rest) = stages.quotientAndRemainder(dividingBy: phases.count)
    return phases[..<rest].reduce(round.multiplied(by: rounds)) { $0 + $1.duration }
  }
}

extension Duration {
  /// No timer takes longer than the longest time there is.
  fileprivate func multiplied(by count: Int) -> Duration {
    let (product, overflow) = clampedNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }
}

extension SavedTimer {
  /// The time to its next fire, zero when it is due; `nil` where none is to come.
  package func timeLeft(at now: ClockReading) -> Duration? { status(at: now).timeLeft(at: now) }

  /// What a board would show of its time: what is left, rounded up, or what a stopwatch has counted.
  package func timeText(at now: ClockReading) -> String? {
    if case .stopwatch(let stopwatch) = checkpoint {
      return TimeText.clock(
        stopwatch.elapsed.clampedNanoseconds / 1_000_000_000, showsTenths: false)
    }
    return timeLeft(at: now).map {
      TimeText.clock(
        (min($0.clampedNanoseconds, .max - 999_999_999) + 999_999_999) / 1_000_000_000,
        showsTenths: false)
    }
  }

  /// `3/8`, `∞`; `nil` for kinds without runs.
  package func iterationsText(at now: ClockReading) -> String? {
    switch status(at: now).iterations {
    case .counted(let left, let count): "\(left)/\(count)"
    case .endless: "∞"
    case .none: nil
    }
  }

  /// Deliveries or rounds that are left; `nil` where there is no end.
  package func iterationsLeft(at now: ClockReading) -> Int? {
    if case .counted(let left, _) = status(at: now).iterations { left } else { nil }
  }

  /// What is written for where it stands: of a cycle that runs, the phase.
  package func stateText(at now: ClockReading) -> String {
    let status = status(at: now)
    if case .cycle(let cycle) = status, cycle.state == .running, let position = cycle.position {
      return position.phase.name
    }
    return "\(status.state)"
  }
}
