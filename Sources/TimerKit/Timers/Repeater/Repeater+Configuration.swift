extension Repeater {
  /// Everything that a timer is created with, besides its clock, queue and handler.
  public struct Configuration: Sendable, Hashable, Codable {
    /// The times at which it fires.
    public var timing: Timing
    /// The number of times it fires before it finishes.
    public var mode: Mode
    /// The treatment of ticks whose time has passed.
    public var missedTicks: MissedTicks
    /// The time by which a tick may be late, so that several timers share a wake-up. It never adds up,
    /// and is at most half the interval.
    public var tolerance: Duration

    /// Creates a configuration. Its values are checked when a timer is created from it.
    public init(
      _ timing: Timing, mode: Mode = .infinite, missedTicks: MissedTicks = .skip,
      tolerance: Duration = .zero
    ) {
      self.timing = timing
      self.mode = mode
      self.missedTicks = missedTicks
      self.tolerance = tolerance
    }

    /// The time between two ticks; `nil` if the timer follows a schedule.
    public var interval: Duration? {
      if case .interval(let interval) = timing { interval } else { nil }
    }

    /// The schedule that the timer follows in place of an interval.
    public var schedule: WallSchedule? {
      if case .schedule(let schedule) = timing { schedule } else { nil }
    }

    /// The clock of a timer with this configuration, if that can follow it.
    func checked(_ clock: TimerClock?) throws(TimerConfigurationError) -> TimerClock {
      let hasSchedule = schedule != nil
      let clock = clock ?? (hasSchedule ? .wall : .suspending)
      if hasSchedule, clock.kind != .wall { throw .notWallClock(clock.kind) }
      return clock
    }
  }

  /// The times at which a timer fires.
  public enum Timing: Sendable, Hashable, Codable {
    /// Once every interval from its start.
    case interval(Duration)
    /// By the time of day.
    case schedule(WallSchedule)
  }

  /// The number of times a timer fires before it finishes.
  public enum Mode: Sendable, Hashable, Codable {
    /// Once.
    case once
    /// A fixed number of times; at least 1.
    case finite(Int)
    /// Until it is cancelled.
    case infinite

    /// The number of ticks in a run; `nil` where there is no end.
    public var count: Int? {
      switch self {
      case .once: 1
      case .finite(let count): count
      case .infinite: nil
      }
    }
  }

  /// The treatment of ticks whose time has passed because a handler or the machine was late.
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
  /// Deliveries use up iterations; ticks that were merged into another do not. A timer of mode
  /// ``Mode/once`` has none to miss.
  ///
  /// The names are those of tokio's `MissedTickBehavior`. A repeating dispatch source skips, and has
  /// the count in its `data`.
  public enum MissedTicks: Sendable, Hashable, Codable {
    /// Missed ticks are merged into one, whose ``Tick/missed`` counts them. The timer then continues
    /// along the grid.
    case skip
    /// The interval restarts when the handlers have returned: there is always a whole interval
    /// between the end of one call and the next. Nothing is missed, and there is no grid.
    case delay
    /// Missed ticks are caught up: delivered at once, one after the other and each for its own time,
    /// but no more than `limit` of them, nor more than are left. The last one counts the others in
    /// ``Tick/missed``. A control called inside a burst drops the rest of it. The timer continues
    /// along the grid. `limit` is at least 1, which is the same as ``skip``.
    case burst(limit: Int)
  }

  /// The moment from which a new interval counts.
  public enum IntervalChange: String, Sendable, Hashable, Codable {
    /// The next fire comes a whole new interval from now.
    case fromNow
    /// The next fire comes a new interval after the last one, or at once if that is past.
    case fromLastFire
    /// The next fire comes at its old time; the new interval counts from there.
    case nextPeriod
  }
}
