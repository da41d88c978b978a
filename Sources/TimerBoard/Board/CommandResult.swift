/// How a timer's command came to its end.
package struct CommandResult: Hashable, Sendable {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(by: Int32)
    /// It took longer than it may.
    case timedOut
    case notStarted(reason: String)
  }

  package var ending: Ending
  /// The last line it printed, as it printed it; empty if it did not.
  package var lastLine: String

  package init(_ ending: Ending, lastLine: String = "") {
    self.ending = ending
    self.lastLine = lastLine
  }

  package var isSuccess: Bool { ending == .exited(0) }

  /// `exit 0 “200 OK”`, or `exit 1, next in 10s “no route to host”`.
  /// - Parameter next: the interval that it leads to, if that is another.
  package func text(next: Duration? = nil) -> String {
    let end =
      switch ending {
      case .exited(let status): "exit \(status)"
      case .killed(let signal): "signal \(signal)"
      case .timedOut: "took too long"
      case .notStarted(let reason): "not started: \(reason)"
      }
    return end + (next.map { ", next in \(DurationText.text($0))" } ?? "")
      + (lastLine.isEmpty ? "" : " “\(lastLine)”")
  }
}
