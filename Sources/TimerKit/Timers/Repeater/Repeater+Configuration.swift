extension Repeater {
  // The encoded forms of these types are stable: a later version reads the checkpoints of an earlier one.

  /// The configuration of a timer, except for its clock, queue and handler.
  public struct Configuration: Sendable, Hashable, Codable {
    /// The times at which it fires.
    public var timing: Timing
    /// The number of times it fires before it finishes.
    public var mode: Mode
    /// The time from the start of each run to its first tick, from which the intervals count; `nil` for one interval. Only
    /// a timer with an interval can have one, from zero to 292 years.
    public var startDelay: Duration?
    /// The time by which a tick may be late, so that several timers share a wake-up. For a timer that repeats, at
    /// most half of the interval has an effect, and delays do not add up.
    public var tolerance: Duration
    /// The treatment of ticks whose time has passed.
    public var missedTicks: MissedTicks
    /// The maximum of a random delay of each tick, so that many clients do not call a server at the same time; `nil` for no
    /// delay. Zero or more; at most the interval has an effect.
    ///
    /// The grid does not move: the next tick is a whole interval after the time of this one without its delay. A tick is
    /// due after its delay, so that its ``Repeater/Tick/deadline`` includes the delay and its ``Repeater/Tick/lateness``
    /// does not. A timer on a ``VirtualClock`` gets the same delays each time, which follow from the seed of the clock.
    public var jitter: Duration?

    /// Creates a configuration. Its values are checked when a timer is created from it.
    /// - Parameters:
    ///   - timing: the times at which it fires.
    ///   - mode: the number of times it fires before it finishes.
    ///   - startDelay: the time before the first tick; `nil` for one interval.
    ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
    ///   - missedTicks: the treatment of ticks whose time has passed.
    ///   - jitter: the maximum of the random delay of each tick; `nil` for none.
    public init(
      _ timing: Timing, mode: Mode = .infinite, startingAfter startDelay: Duration? = nil,
      tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil
    ) {
      self.timing = timing
      self.mode = mode
      self.startDelay = startDelay
      self.jitter = jitter
      self.tolerance = tolerance
      self.missedTicks = missedTicks
    }

    /// The time between two ticks; `nil` if the timer follows a schedule.
    public var interval: Duration? {
      if case .interval(let interval) = timing { interval } else { nil }
    }

    /// The schedule that the timer follows; `nil` if it has an interval.
    public var schedule: WallSchedule? {
      if case .schedule(let schedule) = timing { schedule } else { nil }
    }

    /// Returns the clock of a timer with this configuration: `clock`, or the default if it is `nil`.
    /// - Throws: ``TimerConfigurationError/notWallClock(_:)`` for a schedule on another clock.
    func resolvedClock(_ clock: TimerClock?) throws(TimerConfigurationError) -> TimerClock {
      let clock = clock ?? (schedule == nil ? .suspending : .wall)
      if schedule != nil, clock.kind != .wall { throw .notWallClock(clock.kind) }
      return clock
    }
  }

  /// The times at which a timer fires.
  public enum Timing: Sendable, Hashable, Codable {
    /// At the end of each interval since the start of the timer.
    case interval(Duration)
    /// At the occurrences of a schedule, which follows the time of day.
    ///
    /// Indirect, so that it does not increase the size of configurations with an interval.
    indirect case schedule(WallSchedule)

    private enum Key: String, CodingKey { case interval, schedule }

    /// Decodes the times of a timer: `{"interval": …}` or `{"schedule": …}`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      if let interval = try values.decodeIfPresent(Duration.self, forKey: .interval) {
        self = .interval(interval)
      } else {
        self = .schedule(try values.decode(WallSchedule.self, forKey: .schedule))
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      switch self {
      case .interval(let interval): try values.encode(interval, forKey: .interval)
      case .schedule(let schedule): try values.encode(schedule, forKey: .schedule)
      }
    }
  }

  /// The number of times a timer fires before it finishes.
  public enum Mode: Sendable, Hashable, CustomStringConvertible, Codable {
    /// A fixed number of times; at least 1.
    case finite(Int)
    /// Until it is cancelled.
    case infinite

    /// Once: the same as `.finite(1)`. A timer that fires once can have an interval of zero.
    public static var once: Mode { .finite(1) }

    /// The number of ticks in a run; `nil` for an infinite timer.
    public var count: Int? {
      if case .finite(let count) = self { count } else { nil }
    }

    /// Creates the mode of a number of ticks; `nil` is an infinite timer.
    init(count: Int?) { self = count.map(Self.finite) ?? .infinite }

    /// The number of fires: `once`, `5 times` or `infinite`.
    public var description: String {
      count.map { $0 == 1 ? "once" : "\($0) times" } ?? "infinite"
    }

    private enum Key: String, CodingKey { case count }

    /// Decodes a mode: `{"count": 3}`, or `{"count": null}` for an infinite timer.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(count: try values.decode(Int?.self, forKey: .count))
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(count, forKey: .count)
    }
  }

  /// The treatment of ticks whose time has passed because a handler took too long or the machine slept.
  ///
  /// Here an interval is four units of time, each character being one, and the handler of the second tick runs
  /// for ten units. A digit is the delivery of that tick:
  ///
  /// ```
  /// due               ----1---2---3---4---5---6---7---
  /// .skip             ----1---2=========3-5---6---7---   3 has missedCount == 1, for 4
  /// .delay            ----1---2=========----3---4---5-   a whole interval after the return
  /// .burst(limit: 2)  ----1---2=========345---6---7---   3 and 4 at once
  /// ```
  ///
  /// Deliveries use up iterations; ticks that were merged into another one do not. The only tick of a timer with the
  /// mode ``Mode/once`` cannot be missed.
  ///
  /// The names are those of tokio's `MissedTickBehavior`. A repeating dispatch source skips, and reports the
  /// count in its `data`.
  public enum MissedTicks: Sendable, Hashable, CustomStringConvertible, Codable {
    /// Missed ticks are merged into one, whose ``Tick/missedCount`` counts them. The timer then continues
    /// along the grid.
    case skip
    /// The interval restarts when the handlers have returned, so that there is always a whole interval
    /// between the end of one call and the start of the next one. No tick is missed, and there is no grid.
    case delay
    /// Missed ticks are delivered late, one right after the other, each with its own scheduled time.
    ///
    /// At most `limit` ticks are delivered, and no more than the remaining iterations. ``Tick/missedCount`` of the
    /// last one counts the other missed ticks. A control called during the burst drops the rest of it, except `fire()`
    /// and a control that changes nothing. The timer continues along the grid. `limit` is at least 1; 1 is the same as
    /// ``skip``.
    case burst(limit: Int)

    /// The name of the policy: `skip`, `delay` or `burst of at most 3`.
    public var description: String {
      switch self {
      case .skip: "skip"
      case .delay: "delay"
      case .burst(let limit): "burst of at most \(limit)"
      }
    }

    private enum Key: String, CodingKey { case policy, limit }
    private enum Policy: String, Codable { case skip, delay, burst }

    /// Decodes a policy: `{"policy": "skip"}`, or `{"policy": "burst", "limit": 3}`.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      self =
        switch try values.decode(Policy.self, forKey: .policy) {
        case .skip: .skip
        case .delay: .delay
        case .burst: .burst(limit: try values.decode(Int.self, forKey: .limit))
        }
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      switch self {
      case .skip: try values.encode(Policy.skip, forKey: .policy)
      case .delay: try values.encode(Policy.delay, forKey: .policy)
      case .burst(let limit):
        try values.encode(Policy.burst, forKey: .policy)
        try values.encode(limit, forKey: .limit)
      }
    }
  }

  /// The time from which a new interval counts.
  public enum IntervalStart: String, Sendable, Hashable, Codable {
    /// From now: the next fire comes after one new interval.
    case fromNow
    /// From the last fire: the next fire comes one new interval after it, or at once if that time has passed. The
    /// time one old interval before the next fire counts as the last fire, even if an earlier control changed that
    /// interval or moved that fire. The first fire after a start delay keeps its time.
    case fromLastFire
    /// From the next fire, which keeps its time.
    case fromNextFire
  }
}
