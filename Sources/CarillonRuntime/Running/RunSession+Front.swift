import TimerBoard
import TimerKit

/// Commands of other processes.
extension RunSession: FrontEnd {
  func update(_ event: Board.Event) { apply(event) }

  func perform(_ command: Board.Command) -> [Report] {
    reports = []
    perform(board.handle(command, at: .now()))
    publishTransitions()
    refreshProgress()
    defer { reports = [] }
    return reports
  }

  func show(error: String) { warn(error) }

  func ring() {}

  /// A client cannot change the configuration of `carillon run`.
  func apply(_ configuration: Configuration) {}

  func end(newOwner: String?) { end(status) }
}

extension TimerStatus {
  /// A Boolean value that indicates whether the timer runs, or has finished and still posts its last fire.
  var isActive: Bool { state == .running || isExecuting }
}
