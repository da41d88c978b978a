package import TimerKit

/// The context in which timers are parsed.
package struct TimerContext: Hashable, Sendable {
  /// The names of existing timers, which `then` can name.
  package var names: [String]
  /// The time of day: earlier dates are errors. With `nil` they are not.
  package var now: WallInstant?
  /// A Boolean value that indicates whether all timers run a command, as with
  /// `carillon run … -- COMMAND`: `backoff` needs no `run` then.
  package var hasCommand: Bool

  /// The context for text that was valid when it was written, such as a session: timers that `then` names
  /// may have been deleted since, and intervals may have been changed.
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
