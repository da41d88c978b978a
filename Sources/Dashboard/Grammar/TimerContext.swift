public import TimerKit

/// What the words of timers are read against, besides each other.
public struct TimerContext: Hashable, Sendable {
  /// The timers that are there already: `then` can name them.
  public var names: [String]
  /// The time of day, in nanoseconds since 1970 UTC: dates that are past are refused. With `nil`
  /// they are not.
  public var now: TimelineInstant?
  /// A command is given to all of them, as `carillon run … -- COMMAND` does: `backoff` needs no `run`.
  public var hasCommand: Bool

  public init(names: [String] = [], now: TimelineInstant? = nil, hasCommand: Bool = false) {
    self.names = names
    self.now = now
    self.hasCommand = hasCommand
  }
}
