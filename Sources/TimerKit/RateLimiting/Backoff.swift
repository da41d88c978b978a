/// A sequence of delays between attempts of an operation that fails.
///
/// The delays grow, so that a failing service is called less and less often. They are random, so that
/// clients that failed at the same time do not retry at the same time.
///
/// ```swift
/// func repeatUntilSuccess(_ attempt: () async -> Bool) async throws {
///   var backoff = try Backoff(from: .milliseconds(100), upTo: .seconds(30), retries: 8)
///   while await !attempt(), let delay = backoff.next() {
///     try await Task.sleep(for: delay)
///   }
/// }
/// ```
///
/// A `Backoff` is a value without a clock: it returns delays for a ``Repeater``, a ``DeadlineTimer`` or a
/// task that sleeps. The same seed gives the same delays on every platform.
///
/// | jitter | the n-th delay, n from 0 |
/// |---|---|
/// | ``BackoffJitter/off`` | initial · factorⁿ, at most the maximum |
/// | ``BackoffJitter/full`` | random, from one nanosecond up to the delay without jitter |
/// | ``BackoffJitter/decorrelated`` | random, from the initial delay up to three times the previous delay, at most the maximum |
///
/// Both kinds of jitter are described in Marc Brooker's "Exponential Backoff And Jitter" (AWS Architecture
/// Blog).
public struct Backoff<Generator: RandomNumberGenerator>: Sequence, IteratorProtocol {
  private let initial: Int64
  private let maximum: Int64
  private let factor: Double
  private let jitter: BackoffJitter
  private let retries: Int?
  private var generator: Generator
  /// The next delay without jitter, in nanoseconds; at most the maximum.
  private var ceiling: Double
  private var previous: Int64

  /// The number of delays that it has returned since it was created or reset.
  public private(set) var retryCount = 0

  /// Creates a sequence of delays with a random number generator of your own.
  /// - Parameters:
  ///   - initial: the first delay; with jitter, the value from which all delays are computed.
  ///   - factor: the ratio of a delay to the previous one. Decorrelated jitter does not use it.
  ///   - maximum: the maximum of all delays, including the first one, which must not be greater.
  ///   - jitter: the randomness of the delays.
  ///   - retries: the number of delays, one before each retry; 0 for none; `nil` if the sequence is endless.
  ///   - generator: the source of randomness; a seeded one makes the delays repeatable.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if `initial` or `maximum` is not
  ///   greater than zero, ``TimerConfigurationError/initialDelayAboveMaximum(_:maximum:)`` if `initial` is greater than
  ///   `maximum`, ``TimerConfigurationError/invalidFactor(_:)`` if `factor` is less than 1, or
  ///   ``TimerConfigurationError/invalidCount(_:parameter:)`` if `retries` is negative.
  public init(
    from initial: Duration, factor: Double = 2, upTo maximum: Duration = .minutes(1),
    jitter: BackoffJitter = .full, retries: Int? = nil, using generator: Generator
  ) throws(TimerConfigurationError) {
    guard factor >= 1 else { throw .invalidFactor(factor) }
    if let retries, retries < 0 { throw .invalidCount(retries, parameter: .retries) }
    self.maximum = try maximum.checked(.maximumDelay)
    self.initial = try initial.checked(.initialDelay)
    if self.initial > self.maximum { throw .initialDelayAboveMaximum(initial, maximum: maximum) }
    self.factor = factor
    self.jitter = jitter
    self.retries = retries
    self.generator = generator
    ceiling = Double(self.initial)
    previous = self.initial
  }

  /// Returns the next delay, greater than zero; `nil` after the last one.
  public mutating func next() -> Duration? {
    if let retries, retryCount >= retries { return nil }
    retryCount += 1
    let bound = ceiling < Double(maximum) ? Int64(ceiling) : maximum
    ceiling = Swift.min(ceiling * factor, Double(maximum))
    switch jitter {
    case .off:
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

  /// Starts the sequence again, after a success. The random number generator is not reset.
  public mutating func reset() {
    retryCount = 0
    ceiling = Double(initial)
    previous = initial
  }
}

extension Backoff where Generator == SystemRandomNumberGenerator {
  /// Creates a sequence of delays with the system's random number generator. The other parameters are
  /// those of ``init(from:factor:upTo:jitter:retries:using:)``.
  public init(
    from initial: Duration, factor: Double = 2, upTo maximum: Duration = .minutes(1),
    jitter: BackoffJitter = .full, retries: Int? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      from: initial, factor: factor, upTo: maximum, jitter: jitter, retries: retries,
      using: SystemRandomNumberGenerator())
  }
}

extension Backoff: Sendable where Generator: Sendable {}

/// The randomness of the delays of a ``Backoff``.
public enum BackoffJitter: String, Sendable, Hashable, Codable, CaseIterable {
  /// No randomness: clients that failed at the same time retry at the same time.
  case off
  /// A random delay up to the delay without jitter. It causes the smallest total number of attempts.
  case full
  /// A random delay from the initial delay up to three times the previous one.
  case decorrelated
}
