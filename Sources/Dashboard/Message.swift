package import TerminalCore
package import TimerBoard
package import TimerKit

/// A message to the dashboard.
package enum Message: Sendable {
  case input(TerminalInput)
  case resized(Size)
  /// An event of the board's timers.
  case board(Board.Event)
  /// The program came back from a suspension, or the frame was requested anew.
  case resumed
  /// The lab at a later time.
  case lab(LabSnapshot)
  /// The answer to ``Effect/lab(_:)`` that leads out of the lab.
  case labLeft
  /// Something outside failed that a person should know, such as saving the session.
  case error(String)
  /// Something outside happened that is worth a line, such as the end of the input.
  case info(String)
}

/// The frame of the lab at one time, and the time of its next change; `nil` if it does not change by itself.
package struct LabSnapshot: Sendable {
  package var frame: LabFrame
  package var nextChange: TimerClock.Instant?

  package init(_ frame: LabFrame, nextChange: TimerClock.Instant?) {
    self.frame = frame
    self.nextChange = nextChange
  }
}

/// An effect of the dashboard on the world; whoever drives it performs the effects in order.
package enum Effect: Hashable, Sendable {
  case board(Board.Effect)
  /// Draws the whole screen anew, in case something else wrote on it.
  case redraw
  case suspend
  case lab(LabCommand)
  case quit(status: Int32)
}

/// A frame, and the instant of the suspending clock at which the next one differs by itself; `nil` where
/// none will.
package struct RenderedFrame {
  package var canvas: Canvas
  package var nextRedraw: TimerClock.Instant?
}
