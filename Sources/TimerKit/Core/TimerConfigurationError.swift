/// An invalid value in the configuration of a timer. It is thrown before anything changes.
public enum TimerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A duration that is too short for its parameter.
  case invalidDuration(Duration, parameter: DurationParameter)
  /// A count that is less than 1, or negative if its parameter allows 0.
  case invalidCount(Int, parameter: CountParameter)
  /// A factor that is less than 1, or not a number.
  case invalidFactor(Double)
  /// A cycle without phases.
  case noPhases
  /// A countdown without a finite number of steps.
  case infiniteCountdown
  /// A clock that cannot follow a schedule, because it is not of the kind ``TimerClock/Kind/wall``.
  case notWallClock(TimerClock.Kind)
  /// A start delay of a timer that follows a schedule.
  case startDelayOfSchedule
  /// A wall clock of a ``RateLimiter`` or a ``KeyedRateLimiter``. Set back, it would give no permits for that time.
  case wallClock
  /// A number of permits that is negative or, if there is a maximum, above it: the burst of a ``RateLimiter``.
  case invalidPermits(Int, maximum: Int?)
  /// A first delay of a ``Backoff`` that is above the maximum of its delays.
  case initialDelayAboveMaximum(Duration, maximum: Duration)

  /// A parameter that is a duration. Its raw value is its name in messages.
  public enum DurationParameter: String, Sendable, Hashable, CaseIterable {
    /// The interval of a timer that repeats; greater than zero.
    case interval
    /// The interval of a timer that fires once; zero or more.
    case oneShotInterval = "one-shot interval"
    /// The time before the first tick of a ``Repeater`` or a ``Countdown``; from zero to 292 years.
    case startDelay = "start delay"
    /// The maximum of the random delay of a tick; zero or more.
    case jitter
    /// The minimum time between two deliveries of a ``Throttler``; zero or more.
    case throttleInterval = "throttle interval"
    /// The delay of a ``Debouncer``; zero or more.
    case delay
    /// The maximum wait of a ``Debouncer`` or a ``Batcher``; zero or more.
    case maxWait = "maximum wait"
    /// The time without a new value after which a ``Batcher`` delivers; zero or more.
    case quietTime = "quiet time"
    /// The time by which a timer may be late; zero or more.
    case tolerance
    /// The duration of a phase of a ``Cycle``; greater than zero.
    case phaseDuration = "duration of a phase"
    /// The elapsed time at which a ``Stopwatch`` reports an alarm; greater than zero.
    case alarmTime = "alarm time"
    /// The time after which a value of a ``TimeLimited`` expires; greater than zero.
    case lifetime
    /// The first delay of a ``Backoff``; greater than zero.
    case initialDelay = "initial delay"
    /// The maximum of the delays of a ``Backoff``; greater than zero.
    case maximumDelay = "maximum delay"
    /// The time in which a ``RateLimiter`` gains its permits; greater than zero.
    case period

    /// True if zero is valid. If not, a duration must be at least a nanosecond, which is the resolution of timers.
    public var allowsZero: Bool {
      switch self {
      case .oneShotInterval, .startDelay, .jitter, .throttleInterval, .delay, .maxWait, .quietTime,
        .tolerance:
        true
      case .interval, .phaseDuration, .alarmTime, .lifetime, .initialDelay, .maximumDelay, .period:
        false
      }
    }

    /// The valid values.
    fileprivate var range: String {
      self == .startDelay ? "zero to 292 years" : allowsZero ? "zero or more" : "at least 1 ns"
    }
  }

  /// A parameter that is a count. Its raw value is its name in messages.
  public enum CountParameter: String, Sendable, Hashable, CaseIterable {
    /// The number of times a timer fires.
    case count
    /// The number of deliveries left in a run.
    case remainingIterations = "number of remaining iterations"
    /// The number of steps of a ``Countdown``.
    case steps = "number of steps"
    /// The number of rounds of a ``Cycle``.
    case rounds = "number of rounds"
    /// The limit of ``Repeater/MissedTicks/burst(limit:)``.
    case burstLimit = "burst limit"
    /// The number of delays of a ``Backoff``; 0 or more.
    case retries = "number of retries"
    /// The number of values in a batch of a ``Batcher``.
    case batchCount = "batch count"
    /// The maximum number of values that wait in a ``Batcher``.
    case pendingLimit = "limit of pending values"
    /// The number of permits of a ``RateLimiter`` in each period.
    case limit
    /// The maximum number of permits of a ``RateLimiter`` at a time.
    case burst
    /// The maximum number of keys of a ``KeyedRateLimiter``.
    case keyLimit = "limit of keys"

    /// True if 0 is valid. If not, a count must be at least 1.
    public var allowsZero: Bool { self == .retries }
  }

  public var description: String {
    switch self {
    case .invalidDuration(let duration, let parameter):
      "invalid \(parameter.rawValue) \(duration) (expected \(parameter.range))"
    case .invalidCount(let count, let parameter):
      "invalid \(parameter.rawValue) \(count) (expected \(parameter.allowsZero ? "0 or more" : "at least 1"))"
    case .invalidFactor(let factor): "invalid factor \(factor) (expected at least 1)"
    case .noPhases: "no phases (expected at least one)"
    case .infiniteCountdown: "infinite countdown (expected a finite number of steps)"
    case .notWallClock(let kind): "invalid clock '\(kind)' for a schedule (expected wall)"
    case .startDelayOfSchedule: "start delay of a schedule (expected none)"
    case .wallClock: "invalid clock 'wall' for a rate limit (expected suspending or continuous)"
    case .invalidPermits(let count, let maximum):
      "invalid number of permits \(count) (expected \(maximum.map { "0 to \($0)" } ?? "0 or more"))"
    case .initialDelayAboveMaximum(let delay, let maximum):
      "invalid initial delay \(delay) (expected at most the maximum delay, \(maximum))"
    }
  }
}
