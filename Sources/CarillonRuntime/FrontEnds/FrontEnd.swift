import TimerBoard

/// The side of a process that shows a board and ends the process: a terminal, `carillon serve` or `carillon run`.
@MainActor
protocol FrontEnd: AnyObject {
  /// Shows the reports of a client's command.
  func show(_ reports: [Report])
  /// Shows the changes of timers, before their commands start.
  func show(_ transitions: [Transition])
  /// Called when the board has changed.
  /// - Parameter isOfCommand: True if the reports are shown by whoever has performed the command.
  func boardChanged(_ change: Change, ofCommand isOfCommand: Bool)
  /// Shows the end of a timer's command, before the board follows it.
  func commandEnded(_ timer: BoardTimer, _ result: CommandResult)
  /// Shows an error that no command has caused, such as a failure to save the session.
  func show(error: String)
  /// Called when another process owns the session, which is not saved here any more.
  func lostSession(_ message: String)
  /// Rings the bell, if there is a terminal.
  func ring()
  /// Ends the process, because a client has requested it or because another process owns the session now.
  /// - Parameter newOwner: The new owner in words; `nil` if the session ends.
  func end(newOwner: String?)
}

/// A front end that shows nothing.
extension FrontEnd {
  func show(_ reports: [Report]) {}
  func show(_ transitions: [Transition]) {}
  func boardChanged(_ change: Change, ofCommand isOfCommand: Bool) {}
  func commandEnded(_ timer: BoardTimer, _ result: CommandResult) {}
  func ring() {}
  func lostSession(_ message: String) { show(error: message) }
}
