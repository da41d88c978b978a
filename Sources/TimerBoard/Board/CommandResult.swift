/// The result of a timer's command.
package struct CommandResult: Hashable, Sendable {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(by: Int32)
    /// The command took longer than its time limit.
    case timedOut
    case notStarted(reason: String)
  }

  package var ending: Ending
  /// The last line of the output, unchanged; empty if there is no output.
  package var lastLine: String

  package init(_ ending: Ending, lastLine: String = "") {
    self.ending = ending
    self.lastLine = lastLine
  }

  package var isSuccess: Bool { ending == .exited(0) }

  /// Returns the result in words: `exit 0 '200 OK'`, or `exit 1, next in 10s 'no route to host'`.
  /// - Parameter next: The new interval of the timer; `nil` if the result does not change it.
  package func text(next: Duration? = nil) -> String {
    let end =
      switch ending {
      case .exited(let status): "exit \(status)"
      case .killed(let signal): "signal \(signal)"
      case .timedOut: "took too long"
      case .notStarted(let reason): "not started: \(reason)"
      }
    return end + (next.map { ", next in \(DurationText.text($0))" } ?? "")
      + (lastLine.isEmpty ? "" : " '\(lastLine)'")
  }
}

/// The state of a timer's command.
package struct CommandState: Hashable, Sendable {
  package var isRunning = false
  /// The result of the most recent run that has ended.
  package var result: CommandResult?
}
