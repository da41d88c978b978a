package import TimerKit

/// What the words of timers are read against, besides each other.
package struct TimerContext: Hashable, Sendable {
  /// The timers that are there already: `then` can name them.
  package var names: [String]
  /// The time of day, in nanoseconds since 1970 UTC: dates that are past are refused. With `nil`
  /// they are not.
  package var now: WallInstant?
  /// A command is given to all of them, as `carillon run … -- COMMAND` does: `backoff` needs no
  /// `run`.
  package var hasCommand: Bool

  /// For what was right when it was written, as in a session: timers that `then` names may be gone
  /// since, and intervals may have changed by keys.
  package static let trusted: TimerContext = {
    var context = TimerContext()
    context.isTrusted = true
    return context
  }()

  private(set) var isTrusted = false

  package init(names: [String] = [], now: WallInstant? = nil, hasCommand: Bool = false) {
    self.names = names
    self.now = now
    self.hasCommand = hasCommand
  }
}
