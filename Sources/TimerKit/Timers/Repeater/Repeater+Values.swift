extension Repeater {
  /// How often a timer delivers before it finishes by itself.
  public enum Mode: Sendable, Hashable, Codable {
    /// One time.
    case once
    /// That many times; at least 1.
    case finite(Int)
    /// Until it is told to stop.
    case infinite

    /// The deliveries of a whole run; `nil` where there is no end.
    public var count: Int? {
      switch self {
      case .once: 1
      case .finite(let count): count
      case .infinite: nil
      }
    }
  }

  /// Where a timer's machine stands. *Executing* is not a phase: see ``State``.
  public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not started, or reset.
    case idle
    /// A fire is to come.
    case running
    /// Its time stands still.
    case paused
    /// All it had to deliver is delivered.
    case finished
    /// Ended for good.
    case cancelled

    func shown(whileExecuting isExecuting: Bool) -> State {
      if isExecuting { return .executing }
      return switch self {
      case .idle: .idle
      case .running: .running
      case .paused: .paused
      case .finished: .finished
      case .cancelled: .cancelled
      }
    }
  }

  /// What a timer shows: its ``Phase``, or `executing` while handlers run over any phase.
  public enum State: String, Sendable, Hashable, CustomStringConvertible {
    /// Not started, or reset.
    case idle
    /// A fire is to come.
    case running
    /// A delivery is committed, and its handlers have not returned.
    case executing
    /// Its time stands still.
    case paused
    /// All it had to deliver is delivered.
    case finished
    /// Ended for good.
    case cancelled

    public var description: String { rawValue }
  }

  /// What becomes of ticks whose time went by while a handler or the machine was late.
  ///
  /// An interval is four steps here, `-` or `=` being one; the handler of the second tick runs for
  /// ten. A digit is the tick that is delivered then:
  ///
  /// ```
  /// due               ----1---2---3---4---5---6---7---
  /// .skip             ----1---2=========3-5---6---7---   3 has missed == 1: it stands for 4 too
  /// .delay            ----1---2=========----3---4---5-   a whole interval after the return
  /// .burst(limit: 2)  ----1---2=========345---6---7---   3 and 4 at once
  /// ```
  ///
  /// Iterations are used up by deliveries, never by ticks that others stand for. A timer of mode
  /// ``Mode/once`` has none to miss.
  ///
  /// The names are tokio's; a repeating dispatch source skips, and has the count in its `data`.
  public enum MissedTicks: Sendable, Hashable, Codable {
    /// One tick is delivered, which says in ``Tick/missed`` how many others it stands for. The timer
    /// then goes on along the grid.
    case skip
    /// The next period starts when the handlers have returned: there is always a whole interval
    /// between the end of one call and the next. Nothing is missed, and there is no grid.
    case delay
    /// The missed ticks are delivered at once, one after the other and each for its own time, but no
    /// more than `limit` of them, nor more than are left; the last one says in ``Tick/missed`` how
    /// many it stands for besides. A control called inside a burst drops the rest of it. The timer
    /// goes on along the grid. `limit` is at least 1, which is the same as ``skip``.
    case burst(limit: Int)
  }

  /// From where a new interval counts.
  public enum IntervalChange: String, Sendable, Hashable, Codable {
    /// The next fire comes a whole new interval from now.
    case fromNow
    /// The next fire comes a new interval after the last one, or at once if that is past.
    case fromLastFire
    /// The next fire comes when it was to come; the new interval counts from there.
    case nextPeriod
  }

  /// One delivery.
  public struct Tick: Sendable, Hashable {
    /// Which delivery of this run it is, from 1.
    public var iteration: Int
    /// The deliveries that remain after this one; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// Ticks whose time went by and that this one stands for, besides its own.
    public var missed: Int
    /// The generation it was delivered for: see ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// When it was due, on the timer's timeline.
    public var scheduled: TimerClock.Instant
    /// How much later than `scheduled` it was delivered; zero for a manual one.
    public var lateness: Duration
    /// Asked for by `fire()`, not by the clock.
    public var isManual: Bool
    /// The last one of its run.
    public var isLast: Bool

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
    public init(
      iteration: Int, remainingIterations: Int?, missed: Int, generation: UInt64,
      scheduled: TimerClock.Instant, lateness: Duration, isManual: Bool, isLast: Bool
    ) {
      self.iteration = iteration
      self.remainingIterations = remainingIterations
      self.missed = missed
      self.generation = generation
      self.scheduled = scheduled
      self.lateness = lateness
      self.isManual = isManual
      self.isLast = isLast
    }
  }

  /// What an observer is told, in the order it happened.
  public typealias Event = TimerEvent<State, Tick>

  /// Everything there is to know about a timer at one moment: one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// Where it stands.
    public var phase: Phase
    /// A delivery is committed and its handlers have not returned yet.
    public var isExecuting: Bool
    /// How often it delivers before it finishes.
    public var mode: Mode
    /// Zero if it follows a schedule.
    public var interval: Duration
    /// What it follows in place of an interval.
    public var schedule: WallSchedule?
    /// What becomes of ticks whose time went by.
    public var missedTicks: MissedTicks
    /// How much later than its time it may be woken.
    public var tolerance: Duration
    /// The clock it follows.
    public var clock: TimerClock.Kind
    /// The deliveries left in this run; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// When it fires next, on its timeline; `nil` unless it is running.
    public var deadline: TimerClock.Instant?
    /// What was left when it was paused; `nil` unless it is paused, and on a schedule, which does not
    /// wait.
    public var frozenTimeLeft: Duration?
    /// Counts the controls that changed its schedule: see ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// Deliveries since the timer was made, manual ones included.
    public var deliveredCount: Int
    /// Ticks that others stood for.
    public var missedCount: Int
    /// Fires that were refused because a control had superseded them.
    public var staleCount: Int
    /// Periods that went by before the timer was restored: see ``RestorePolicy/catchUp``.
    public var elapsedWhileStoppedCount: Int
    /// How late the newest delivery was, zero for a manual one; `nil` before the first.
    public var lastLateness: Duration?

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
    public init(
      phase: Phase, isExecuting: Bool = false, mode: Mode, interval: Duration,
      schedule: WallSchedule? = nil, missedTicks: MissedTicks = .skip, tolerance: Duration = .zero,
      clock: TimerClock.Kind = .uptime,
      remainingIterations: Int?, deadline: TimerClock.Instant? = nil, frozenTimeLeft: Duration? = nil,
      generation: UInt64 = 0, deliveredCount: Int = 0, missedCount: Int = 0, staleCount: Int = 0,
      elapsedWhileStoppedCount: Int = 0, lastLateness: Duration? = nil
    ) {
      self.phase = phase
      self.isExecuting = isExecuting
      self.mode = mode
      self.interval = interval
      self.schedule = schedule
      self.missedTicks = missedTicks
      self.tolerance = tolerance
      self.clock = clock
      self.remainingIterations = remainingIterations
      self.deadline = deadline
      self.frozenTimeLeft = frozenTimeLeft
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.missedCount = missedCount
      self.staleCount = staleCount
      self.elapsedWhileStoppedCount = elapsedWhileStoppedCount
      self.lastLateness = lastLateness
    }

    /// What it shows to observers.
    public var state: State { phase.shown(whileExecuting: isExecuting) }

    /// The time until the next fire, frozen while paused, zero when it is due; `nil` where none is
    /// to come.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      if let deadline { return max(.zero, now.duration(to: deadline)) }
      return frozenTimeLeft
    }

    /// What undo and the session file keep of it, as of a moment on the timer's timeline.
    /// - Parameters:
    ///   - now: that moment.
    ///   - wall: the wall clock then, in nanoseconds since 1970 UTC.
    public func checkpoint(at now: TimerClock.Instant, takenAt wall: TimerClock.Instant) -> Checkpoint {
      Checkpoint(
        mode: mode, interval: interval, schedule: schedule, missedTicks: missedTicks,
        tolerance: tolerance,
        clock: clock, phase: phase, remainingIterations: remainingIterations,
        timeLeft: timeLeft(at: now), takenAt: wall)
    }
  }

  /// What is needed to make a timer again as it was: see
  /// ``Repeater/init(restoring:_:on:queue:handler:)``.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// How often it delivers before it finishes.
    public var mode: Mode
    /// Zero if it follows a schedule.
    public var interval: Duration
    /// What it follows in place of an interval.
    public var schedule: WallSchedule?
    /// What becomes of ticks whose time went by.
    public var missedTicks: MissedTicks
    /// How much later than its time it may be woken.
    public var tolerance: Duration
    /// The clock it follows.
    public var clock: TimerClock.Kind
    /// Where it stands.
    public var phase: Phase
    /// The deliveries left in this run; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// The time until the next fire; `nil` where none is to come.
    public var timeLeft: Duration?
    /// The wall clock when it was taken, in nanoseconds since 1970 UTC.
    public var takenAt: TimerClock.Instant

    /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
    public init(
      mode: Mode, interval: Duration, schedule: WallSchedule? = nil,
      missedTicks: MissedTicks = .skip, tolerance: Duration = .zero, clock: TimerClock.Kind = .uptime,
      phase: Phase,
      remainingIterations: Int?, timeLeft: Duration?, takenAt: TimerClock.Instant
    ) {
      self.mode = mode
      self.interval = interval
      self.schedule = schedule
      self.missedTicks = missedTicks
      self.tolerance = tolerance
      self.clock = clock
      self.phase = phase
      self.remainingIterations = remainingIterations
      self.timeLeft = timeLeft
      self.takenAt = takenAt
    }
  }
}
