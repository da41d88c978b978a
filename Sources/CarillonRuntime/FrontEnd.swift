import TimerBoard

/// The front end of a board. It has the board's value and performs its effects: `carillon run` by itself, the others
/// through a ``LiveBoard``.
@MainActor
protocol FrontEnd: AnyObject {
  var board: Board { get set }
  /// Applies an event and performs its effects.
  func update(_ event: Board.Event)
  /// Performs a command of a client.
  /// - Returns: The reports.
  func perform(_ command: Board.Command) -> [Report]
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
