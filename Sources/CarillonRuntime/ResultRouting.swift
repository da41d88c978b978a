import TimerBoard

/// The destination of the results of commands.
enum ResultRouting {
  case applied
  /// The timers have stopped for a hand-over that is not confirmed.
  case kept([(id: TimerID, result: CommandResult)])
  /// Another process has the timers.
  case passedOn(PassOn)

  typealias PassOn =
    @MainActor (TimerID, CommandResult, _ done: @escaping @MainActor @Sendable () -> Void) -> Void
}
