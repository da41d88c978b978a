/// The delays before further attempts at something that failed: longer each time, and random, so that
/// many clients that failed together do not return together.
///
/// ```swift
/// var backoff = try Backoff(from: .milliseconds(100), upTo: .seconds(30), attempts: 8)
/// while let delay = backoff.next() {
///   try await clock.sleep(for: delay)
///   if await connect() { return backoff.reset() }
/// }
/// ```
///
/// It is a value without a clock: it yields intervals, for a ``Repeater``, a ``DeadlineTimer`` or a sleep.
/// The same seed gives the same intervals on every platform.
///
/// | jitter | the n-th interval, n from 0 |
/// |---|---|
/// | ``BackoffJitter/none`` | initial · factorⁿ, at most the maximum |
/// | ``BackoffJitter/full`` | anything between a nanosecond and that |
/// | ``BackoffJitter/decorrelated`` | anything between the initial one and three times the one before, at most the maximum |
///
/// Both are those of Marc Brooker's "Exponential Backoff And Jitter" (AWS Architecture Blog).
public struct Backoff<Generator: RandomNumberGenerator>: Sequence, IteratorProtocol {
  private let initial: Int64
  private let maximum: Int64
  private let factor: Double
  private let jitter: BackoffJitter
  private let attempts: Int?
  private var generator: Generator
  /// In nanoseconds, and never above the maximum: initial · factorⁿ.
  private var ceiling: Double
  private var previous: Int64

  /// How many intervals it has yielded since it was made or reset.
  public private(set) var attempt = 0

  /// - Parameters:
  ///   - initial: the first interval; with jitter, what the others are reckoned from.
  ///   - factor: how much longer each is than the one before. Decorrelated jitter does not use it.
  ///   - maximum: none is longer, the first included.
  ///   - jitter: how chance comes in.
  ///   - attempts: how many there are; `nil` is without end.
  ///   - generator: where the chance comes from; a seeded one makes it repeatable.
  /// - Throws: ``TimerConfigurationError/invalidInterval(_:)`` if `initial` or `maximum` is not longer than zero,
  ///   ``TimerConfigurationError/invalidFactor(_:)`` below 1, ``TimerConfigurationError/invalidCount(_:)`` for no attempts.
  public init(
    from initial: Duration, factor: Double = 2, upTo maximum: Duration = .minutes(1),
    jitter: BackoffJitter = .full, attempts: Int? = nil, using generator: Generator
  ) throws(TimerConfigurationError) {
    guard factor >= 1 else { throw .invalidFactor(factor) }
    if let attempts, attempts < 1 { throw .invalidCount(attempts) }
    self.maximum = try maximum.checkedInterval()
    self.initial = Swift.min(try initial.checkedInterval(), self.maximum)
    self.factor = factor
    self.jitter = jitter
    self.attempts = attempts
    self.generator = generator
    ceiling = Double(self.initial)
    previous = self.initial
  }

  /// The next interval, longer than zero; `nil` when all attempts are spent.
  public mutating func next() -> Duration? {
    if let attempts, attempt >= attempts { return nil }
    attempt += 1
    let bound = ceiling < Double(maximum) ? Int64(ceiling) : maximum
    ceiling = Swift.min(ceiling * factor, Double(maximum))
    switch jitter {
    case .none:
      previous = bound
    case .full:
      previous = .random(in: 1...bound, using: &generator)
    case .decorrelated:
      let highest = previous.multipliedReportingOverflow(by: 3)
      let range = initial...(highest.overflow ? .max : highest.partialValue)
      previous = Swift.min(.random(in: range, using: &generator), maximum)
    }
    return .nanoseconds(previous)
  }

  /// Begins anew, after a success: the next interval is a first one. Chance goes on where it was.
  public mutating func reset() {
    attempt = 0
    ceiling = Double(initial)
    previous = initial
  }
}

extension Backoff where Generator == SystemRandomNumberGenerator {
  /// The same, with the system's generator.
  public init(
    from initial: Duration, factor: Double = 2, upTo maximum: Duration = .minutes(1),
    jitter: BackoffJitter = .full, attempts: Int? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      from: initial, factor: factor, upTo: maximum, jitter: jitter, attempts: attempts,
      using: SystemRandomNumberGenerator())
  }
}

extension Backoff: Sendable where Generator: Sendable {}

/// The randomness of the intervals of a ``Backoff``.
public enum BackoffJitter: String, Sendable, Hashable, Codable, CaseIterable {
  /// None: clients that failed together return together.
  case none
  /// Anything up to the exponential interval: the fewest attempts in all.
  case full
  /// Anything up to three times the interval before: slower to grow, and never below the initial.
  case decorrelated
}
