/// A way to create timers, used as its own documentation recommends.
///
/// Timers are created and controlled on the main thread, which also waits for them. Delays and instants are
/// in nanoseconds, instants on the uptime clock. Timers that still run end with the process: every sample
/// has its own process.
protocol TimerSystem {
  associatedtype Timer
  associatedtype Ticker
  associatedtype Debouncer: Debouncing
  associatedtype Throttler: Throttling = NoThrottler

  /// The highest cost of creating one of many timers, in nanoseconds. It is not a measurement, but determines
  /// the distance of deadlines.
  static var creationCost: Int64 { get }

  /// Creates a timer that reports its number to the tally when it fires.
  func once(after delay: Int64, _ number: Int, _ tally: Tally) throws -> Timer
  func once(at instant: Int64, _ number: Int, _ tally: Tally) throws -> Timer

  /// Gives the timer a new delay from now. A system without such a control cancels the timer and creates
  /// another.
  func move(_ timer: inout Timer, after delay: Int64, _ number: Int, _ tally: Tally) throws
  func cancel(_ timer: Timer)

  /// Ticks at `first` and every `interval` after it.
  /// - Parameter body: Called for every tick, with the number of other ticks that are merged into it.
  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) throws -> Ticker

  /// Delivers the newest value when no call has occurred for `quiet`.
  func debouncer(quiet: Int64, _ inbox: Inbox) throws -> Debouncer

  /// Delivers the first value immediately, and then at most one per `interval`.
  func throttler(interval: Int64, _ inbox: Inbox) throws -> Throttler

  /// Lets the timers run until the tally is complete, or until `instant`.
  func wait(for tally: Tally, until instant: Int64)
}

extension TimerSystem {
  func wait(for tally: Tally, until instant: Int64) { tally.wait(until: instant) }
}

extension TimerSystem where Throttler == NoThrottler {
  func throttler(interval: Int64, _ inbox: Inbox) throws -> NoThrottler {
    throw Failure.unsupported("the system has no throttler of its own")
  }
}

protocol Debouncing: Sendable {
  func submit(_ value: Int)
}

protocol Throttling: Sendable {
  func submit(_ value: Int)
}

/// For systems that have no throttler of their own.
struct NoThrottler: Throttling {
  func submit(_ value: Int) {}
}
