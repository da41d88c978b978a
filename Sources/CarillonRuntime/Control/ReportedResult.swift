import TimerBoard

/// The result of a timer's command in a request.
struct ReportedResult: JSONFields, Hashable, Sendable {
  /// The exit status of a command that has exited.
  var status: Int32?
  /// The signal that has ended the command.
  var signal: Int32?
  /// The reason for which the command could not be started.
  var reason: String?
  /// The last line of its output.
  var lastLine = ""

  init() {}

  init(_ result: CommandResult) {
    lastLine = result.lastLine
    switch result.ending {
    case .exited(let status): self.status = status
    case .killed(let signal): self.signal = signal
    case .timedOut: break
    case .notStarted(let reason): self.reason = reason
    }
  }

  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("status", &status)
    try field("signal", &signal)
    try field("reason", &reason)
    try field("lastLine", &lastLine)
  }

  /// The result; without any of the other members, the command took too long.
  var commandResult: CommandResult {
    let ending: CommandResult.Ending =
      if let status { .exited(status) } else if let signal {
        .killed(by: signal)
      } else if let reason { .notStarted(reason: reason) } else { .timedOut }
    return CommandResult(ending, lastLine: lastLine)
  }
}
