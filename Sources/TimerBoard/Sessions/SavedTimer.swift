package import TimerKit

/// A timer as a session keeps it: its specification, and its state at a time.
package struct SavedTimer: Hashable, Sendable {
  package var spec: TimerSpec
  package var checkpoint: TimerCheckpoint

  package init(_ spec: TimerSpec, _ checkpoint: TimerCheckpoint) {
    self.spec = spec
    self.checkpoint = checkpoint
  }

  /// Creates a timer that begins now.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    self.init(spec, TimerCheckpoint(startOf: spec, at: now))
  }

  package var name: String { spec.name ?? spec.text }

  /// The state at the time at which it was saved.
  package var state: TimerState { checkpoint.content.state }

  /// Returns the status of the timer if it continues from where it was.
  package func status(at now: ClockReading) -> TimerStatus { checkpoint.status(at: now) }

  /// A Boolean value that indicates whether it follows the time of day, whatever other timers do.
  var isBoundToDates: Bool { checkpoint.content.isBoundToDates }

  /// Advances the timer.
  /// - Returns: the number of fires that were due meanwhile.
  package mutating func catchUp(to wall: WallInstant) -> Int {
    checkpoint.content.advance(to: wall)
  }

  /// The instant of its last fire, if it runs and that is due by `now`; else `nil`.
  func end(by now: WallInstant) -> WallInstant? {
    checkpoint.content.lastFire(by: now).flatMap { $0 <= now ? $0 : nil }
  }
}

extension ClockReading {
  /// Creates a reading in which all clocks agree, for times that are compared with no other reading.
  package init(wall: WallInstant) {
    let nanoseconds = wall.nanosecondsSince1970
    self.init(
      uptime: TimerClock.suspending.instant(nanoseconds: nanoseconds),
      boot: TimerClock.continuous.instant(nanoseconds: nanoseconds), wall: wall, secondsFromUTC: 0)
  }
}

extension Duration {
  /// The product, or the longest duration there is.
  func multiplied(by count: Int) -> Duration {
    let (product, overflow) = clampedNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }
}

extension SavedTimer {
  /// The time to its next fire, zero when it is due; `nil` where none is to come.
  package func timeLeft(at now: ClockReading) -> Duration? { status(at: now).timeLeft(at: now) }

  /// The time as a board shows it: the time left, rounded up, or the time that a stopwatch has counted.
  package func timeText(at now: ClockReading) -> String? {
    let time = checkpoint.content.countedTime ?? timeLeft(at: now).map(\.roundedUpToSeconds)
    return time.map { TimeText.clock($0.clampedNanoseconds / 1_000_000_000, showsTenths: false) }
  }

  /// `3/8`, `∞`; `nil` for kinds without runs.
  package func iterationsText(at now: ClockReading) -> String? {
    switch status(at: now).iterations {
    case .counted(let left, let count): "\(left)/\(count)"
    case .endless: "∞"
    case .none: nil
    }
  }

  /// The deliveries or rounds that are left; `nil` where there is no end.
  package func iterationsLeft(at now: ClockReading) -> Int? {
    if case .counted(let left, _) = status(at: now).iterations { left } else { nil }
  }

  /// The name of the state: of a cycle that runs, the phase.
  package func stateText(at now: ClockReading) -> String {
    let status = status(at: now)
    if status.state == .running, let phase = status.phaseName { return phase }
    return "\(status.state)"
  }
}

extension Duration {
  fileprivate var roundedUpToSeconds: Duration {
    .nanoseconds(min(clampedNanoseconds, .max - 999_999_999) + 999_999_999)
  }
}
