public import TimerKit

/// What the words of timers are read against, besides each other.
public struct TimerContext: Hashable, Sendable {
  /// The timers that are there already: `then` can name them.
  public var names: [String]
  /// The time of day, in nanoseconds since 1970 UTC: dates that are past are refused. With `nil`
  /// they are not.
  public var now: WallInstant?
  /// A command is given to all of them, as `carillon run … -- COMMAND` does: `backoff` needs no
  /// `run`.
  public var hasCommand: Bool

  /// For what was right when it was written, as in a session: timers that `then` names may be gone
  /// since, and intervals may have changed by keys.
  public static let trusted: TimerContext = {
    var context = TimerContext()
    context.isTrusted = true
    return context
  }()

  private(set) var isTrusted = false

  public init(names: [String] = [], now: WallInstant? = nil, hasCommand: Bool = false) {
    self.names = names
    self.now = now
    self.hasCommand = hasCommand
  }
}
