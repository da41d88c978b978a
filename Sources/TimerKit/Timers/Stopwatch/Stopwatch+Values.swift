extension Stopwatch {
  /// What it shows.
  public enum State: String, Sendable, Hashable, Codable, CustomStringConvertible {
    /// Nothing has elapsed.
    case idle
    /// Time is counted.
    case running
    /// Time stands still, and will go on.
    case paused
    /// For good.
    case cancelled

    /// The name of the state.
    public var description: String { rawValue }
  }

  /// The time from one press of the lap button to the next.
  public struct Lap: Sendable, Hashable, Codable {
    /// Which one it is, from 1.
    public var number: Int
    /// How long the lap took.
    public var time: Duration
    /// What had elapsed at its end.
    public var total: Duration

    /// Made by hand, for a test or a demonstration.
    public init(number: Int, time: Duration, total: Duration) {
      self.number = number
      self.time = time
      self.total = total
    }
  }

  /// What handlers are given.
  public enum Mark: Sendable, Hashable {
    /// A lap was taken.
    case lap(Lap)
    /// The alarm that was asked for: that much has elapsed, and the alarm is that late.
    case alarm(at: Duration, lateness: Duration)
  }

  /// What handlers are given.
  public typealias Delivery = Mark

  /// Everything there is to know about a stopwatch at one moment: one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// What it shows.
    public var phase: State
    /// The clock it follows.
    public var clock: TimerClock.Kind
    /// When nothing had elapsed, pauses taken out, on the timer's timeline; `nil` unless it is
    /// running.
    public var origin: TimerClock.Instant?
    /// What has elapsed; `nil` while it is running.
    public var frozenElapsed: Duration?
    /// The laps of this run.
    public var laps: [Lap]
    /// What has to have elapsed for the alarm; `nil` if there is none.
    public var alarmTime: Duration?
    /// It has rung in this run, or is past, and will not ring again before a reset.
    public var alarmHasFired: Bool
    /// Counts the controls that changed the schedule.
    public var generation: UInt64
    /// Laps and alarms that were delivered since the stopwatch was made.
    public var deliveredCount: Int
    /// Those that were refused because a control had superseded them.
    public var staleCount: Int
    /// Alarms that went by before it was restored: see ``RestorePolicy/catchUp``.
    public var elapsedWhileStoppedCount: Int

    /// Made by hand, for a test or a demonstration.
    public init(
      phase: State, clock: TimerClock.Kind = .uptime, origin: TimerClock.Instant? = nil,
      frozenElapsed: Duration? = nil, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasFired: Bool = false, generation: UInt64 = 0, deliveredCount: Int = 0,
      staleCount: Int = 0, elapsedWhileStoppedCount: Int = 0
    ) {
      self.phase = phase
      self.clock = clock
      self.origin = origin
      self.frozenElapsed = frozenElapsed
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasFired = alarmHasFired
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.staleCount = staleCount
      self.elapsedWhileStoppedCount = elapsedWhileStoppedCount
    }

    /// The time it has run, pauses not counted.
    public func elapsed(at now: TimerClock.Instant) -> Duration {
      if let origin { return max(.zero, origin.duration(to: now)) }
      return frozenElapsed ?? .zero
    }

    /// The time of the lap that is not over.
    public func lapTime(at now: TimerClock.Instant) -> Duration {
      max(.zero, elapsed(at: now) - (laps.last?.total ?? .zero))
    }

    /// The time until the alarm, frozen while it does not run; `nil` if none is to come.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      guard let alarmTime, !alarmHasFired else { return nil }
      return max(.zero, alarmTime - elapsed(at: now))
    }

    /// What undo and the session file keep of it, as of a moment on the timer's timeline.
    /// - Parameters:
    ///   - now: that moment.
    ///   - wall: the wall clock then, in nanoseconds since 1970 UTC.
    public func checkpoint(at now: TimerClock.Instant, takenAt wall: TimerClock.Instant) -> Checkpoint {
      Checkpoint(
        phase: phase, elapsed: elapsed(at: now), laps: laps, alarmTime: alarmTime,
        alarmHasFired: alarmHasFired, clock: clock, takenAt: wall)
    }
  }

  /// What is needed to make a stopwatch again as it was: see
  /// ``Stopwatch/init(restoring:_:on:queue:handler:)``.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// What it showed.
    public var phase: State
    /// The time it had run, pauses not counted.
    public var elapsed: Duration
    /// The laps of the run.
    public var laps: [Lap]
    /// What had to have elapsed for the alarm; `nil` if there was none.
    public var alarmTime: Duration?
    /// Whether it had rung in the run.
    public var alarmHasFired: Bool
    /// The clock it followed.
    public var clock: TimerClock.Kind
    /// The wall clock when it was taken, in nanoseconds since 1970 UTC.
    public var takenAt: TimerClock.Instant

    /// Made by hand, for a test or a demonstration.
    public init(
      phase: State, elapsed: Duration, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasFired: Bool = false, clock: TimerClock.Kind = .uptime, takenAt: TimerClock.Instant
    ) {
      self.phase = phase
      self.elapsed = elapsed
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasFired = alarmHasFired
      self.clock = clock
      self.takenAt = takenAt
    }

    /// Lets the time from ``takenAt`` to `wall` go by; does nothing to one that was not running.
    /// - Returns: how many alarms went by: 0 or 1.
    @discardableResult
    public mutating func catchUp(to wall: TimerClock.Instant) -> Int {
      let passed = max(.zero, takenAt.duration(to: wall))
      takenAt = max(takenAt, wall)
      guard phase == .running else { return 0 }
      elapsed += passed
      guard let alarmTime, !alarmHasFired, elapsed >= alarmTime else { return 0 }
      alarmHasFired = true
      return 1
    }

    /// The same, if a stopwatch can be made of it: it may come from a file.
    func checked() throws(TimerError) -> Self {
      guard phase != .cancelled else { throw .cancelled }
      guard elapsed >= .zero else { throw .invalidInterval(elapsed) }
      _ = try alarmTime?.checkedInterval()
      var checked = self
      checked.elapsed = max(elapsed, laps.last?.total ?? .zero)
      return checked
    }
  }
}
