/// A way to make timers, used as its own documentation advises.
///
/// Timers are made and controlled on the main thread, which is also the one to wait. Delays and
/// instants are nanoseconds, instants on the uptime clock. Whatever still runs ends with the
/// process: every sample has one of its own.
protocol TimerSystem {
  associatedtype Timer
  associatedtype Ticker
  associatedtype Debouncer: Debouncing
  associatedtype Throttler: Throttling = NoThrottler

  /// What making a timer takes at most when many are made, in nanoseconds: no measurement, but how
  /// far ahead deadlines have to lie.
  static var costOfMaking: Int64 { get }

  /// Makes a timer that tells the tally its number when it fires.
  func once(after delay: Int64, _ number: Int, _ tally: Tally) throws -> Timer
  func once(at instant: Int64, _ number: Int, _ tally: Tally) throws -> Timer

  /// Gives the timer a new delay from now. Where there is no such control: cancels it and makes
  /// another.
  func move(_ timer: inout Timer, after delay: Int64, _ number: Int, _ tally: Tally) throws
  func cancel(_ timer: Timer)

  /// Ticks at `first` and every `interval` after it.
  /// - Parameter body: called for every tick, with the number of ticks that it stands for besides
  ///   its own.
  func every(
    _ interval: Int64, from first: Int64, tolerance: Int64,
    _ body: @escaping @Sendable (_ missed: Int) -> Void
  ) throws -> Ticker

  /// Delivers the newest value when no call has come for `quiet`.
  func debouncer(quiet: Int64, _ inbox: Inbox) throws -> Debouncer

  /// Delivers the first value at once, and then at most one in an `interval`.
  func throttler(interval: Int64, _ inbox: Inbox) throws -> Throttler

  /// Lets the timers run until the tally is complete, or until `instant`.
  func wait(for tally: Tally, until instant: Int64)
}

extension TimerSystem {
  func wait(for tally: Tally, until instant: Int64) { tally.wait(until: instant) }
}

extension TimerSystem where Throttler == NoThrottler {
  func throttler(interval: Int64, _ inbox: Inbox) throws -> NoThrottler {
    throw Failure.unsupported("its throttler would be that of raw GCD")
  }
}

protocol Debouncing: Sendable {
  func submit(_ value: Int)
}

protocol Throttling: Sendable {
  func submit(_ value: Int)
}

/// For systems in which a throttler would not be another.
struct NoThrottler: Throttling {
  func submit(_ value: Int) {}
}
