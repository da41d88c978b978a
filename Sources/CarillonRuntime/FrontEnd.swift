import TimerBoard

/// The side of a process that shows a board and ends the process: a terminal, `carillon serve` or `carillon run`.
@MainActor
protocol FrontEnd: AnyObject {
  var model: TimerModel { get }
  /// Shows the reports of a client's command.
  func show(_ reports: [Report])
  /// Called when the board has changed.
  /// - Parameter reports: The reports that no command has caused.
  func boardChanged(reports: [Report])
  /// Shows an error that no command has caused, such as a failure to save the session.
  func show(error: String)
  /// Rings the bell, if there is a terminal.
  func ring()
  /// Applies the settings of a configuration that the front end can change while it runs.
  func apply(_ configuration: Configuration)
  /// Ends the process, because a client has requested it or because another process owns the session now.
  /// - Parameter newOwner: The new owner in words; `nil` if the session ends.
  func end(newOwner: String?)
}
