extension Stopwatch {
  /// What it shows.
  public enum State: String, Sendable, Hashable, Codable, CustomStringConvertible {
    /// Not started, or reset.
    case idle
    /// Time is being counted.
    case running
    /// Its time stands still.
    case paused
    /// Ended for good.
    case cancelled

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

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
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

  public typealias Delivery = Mark

  /// Everything there is to know about a stopwatch at one moment: one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// Where it stands.
    public var phase: State
    /// The clock it follows.
    public var clock: ClockKind
    /// When nothing had elapsed, pauses taken out, on the timer's timeline; `nil` unless it is
    /// running.
    public var origin: TimelineInstant?
    /// What has elapsed; `nil` while it is running.
    public var frozenElapsed: Duration?
    /// The laps of this run, in order.
    public var laps: [Lap]
    /// What has to have elapsed for the alarm; `nil` if there is none.
    public var alarmTime: Duration?
    /// It has rung in this run, or is past, and will not ring again before a reset.
    public var alarmHasRung: Bool
    /// Counts the controls that changed its schedule: see ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// Laps and alarms that were delivered since the stopwatch was made.
    public var deliveredCount: Int
    /// Those that were refused because a control had overtaken them.
    public var staleCount: Int
    /// Alarms that went by before it was restored: see ``Resumption/byClock``.
    public var wentByCount: Int

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
    public init(
      phase: State, clock: ClockKind = .uptime, origin: TimelineInstant? = nil,
      frozenElapsed: Duration? = nil, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasRung: Bool = false, generation: UInt64 = 0, deliveredCount: Int = 0,
      staleCount: Int = 0, wentByCount: Int = 0
    ) {
      self.phase = phase
      self.clock = clock
      self.origin = origin
      self.frozenElapsed = frozenElapsed
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasRung = alarmHasRung
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.staleCount = staleCount
      self.wentByCount = wentByCount
    }

    /// The time it has run, pauses not counted.
    public func elapsed(at now: TimelineInstant) -> Duration {
      if let origin { return max(.zero, origin.duration(to: now)) }
      return frozenElapsed ?? .zero
    }

    /// The time of the lap that is not over.
    public func lapTime(at now: TimelineInstant) -> Duration {
      max(.zero, elapsed(at: now) - (laps.last?.total ?? .zero))
    }

    /// The time until the alarm, frozen while it does not run; `nil` if none is to come.
    public func timeLeft(at now: TimelineInstant) -> Duration? {
      guard let alarmTime, !alarmHasRung else { return nil }
      return max(.zero, alarmTime - elapsed(at: now))
    }

    /// What undo and the session file keep of it, as of a moment on the timer's timeline.
    /// - Parameters:
    ///   - now: the moment.
    ///   - wall: the wall clock then, in nanoseconds since 1970 UTC.
    public func checkpoint(at now: TimelineInstant, takenAt wall: TimelineInstant) -> Checkpoint {
      Checkpoint(
        phase: phase, elapsed: elapsed(at: now), laps: laps, alarmTime: alarmTime,
        alarmHasRung: alarmHasRung, clock: clock, takenAt: wall)
    }
  }

  /// What is needed to make a stopwatch again as it was: see
  /// ``Stopwatch/init(restoring:_:on:queue:handler:)``.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// Where it stands.
    public var phase: State
    /// The time counted so far.
    public var elapsed: Duration
    /// The laps of this run, in order.
    public var laps: [Lap]
    /// The elapsed time at which it is to ring; `nil` if it is not to.
    public var alarmTime: Duration?
    /// Whether the alarm has rung in this run.
    public var alarmHasRung: Bool
    /// The clock it follows.
    public var clock: ClockKind
    /// The wall clock when it was taken, in nanoseconds since 1970 UTC.
    public var takenAt: TimelineInstant

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
    public init(
      phase: State, elapsed: Duration, laps: [Lap] = [], alarmTime: Duration? = nil,
      alarmHasRung: Bool = false, clock: ClockKind = .uptime, takenAt: TimelineInstant
    ) {
      self.phase = phase
      self.elapsed = elapsed
      self.laps = laps
      self.alarmTime = alarmTime
      self.alarmHasRung = alarmHasRung
      self.clock = clock
      self.takenAt = takenAt
    }

    /// Lets the time from ``takenAt`` to `wall` go by; does nothing to one that was not running.
    /// - Returns: how many alarms went by: 0 or 1.
    @discardableResult
    public mutating func catchUp(to wall: TimelineInstant) -> Int {
      let passed = max(.zero, takenAt.duration(to: wall))
      takenAt = max(takenAt, wall)
      guard phase == .running else { return 0 }
      elapsed += passed
      guard let alarmTime, !alarmHasRung, elapsed >= alarmTime else { return 0 }
      alarmHasRung = true
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
