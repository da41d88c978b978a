/// The services that a ``TimerModel`` asks for what needs a process, a terminal or a file.
package protocol TimerServices: AnyObject {
  /// Runs the command of a timer because of a fire. Its end is passed to ``TimerModel/commandEnded(_:_:isRunning:)``.
  func run(_ command: String, for fire: Transition)
  /// Drops the commands of a timer that is removed which have not begun. One that has begun goes on, and its end is passed
  /// on as usual.
  /// - Returns: True if one has begun and has not ended.
  func dropWaitingCommands(of id: TimerID) -> Bool
  /// Rings the bell once, but not twice within a second.
  func ringOnce()
  /// Starts or stops repeating the bell.
  func repeatBell(_ isOn: Bool)
  func notify(_ notification: TimerNotification)
  /// Called once after each command, and once after the events that arrive together, if they have changed the board.
  func changed(_ change: BoardChange)
}

/// The changes of a board since the last ones were passed on.
package struct BoardChange: Sendable {
  /// The reports of what happened without a command, such as a command that has failed.
  package var reports: [Report] = []
  package var transitions: [Transition] = []
  /// The lines of the history, for stretches that have ended.
  package var history: [HistoryLine] = []
  /// A Boolean value that indicates whether a saved session differs from the board.
  package var isSaveNeeded = false
  /// A Boolean value that indicates whether only fires have changed the board.
  package var isOnlyFires = false

  package init() {}
}
