package import TerminalCore
package import TimerBoard
package import TimerKit

/// A message to the dashboard.
package enum Message: Sendable {
  case input(TerminalInput)
  /// A new caption of the guided tour; `nil` at its end.
  case caption(Tour.Caption?)
  case resized(Size)
  /// The reports of a command of another process.
  case reports([Report])
  /// The program was stopped, and has the terminal again.
  case resumed
  /// The new page of the lab, and the instant at which it changes by itself; `nil` if it does not.
  case lab(LabPage, nextChange: TimerClock.Instant?)
  /// The lab was left, as a consequence of ``Effect/lab(_:)``.
  case labClosed
  /// The history of the last year, after it was read.
  case history(HistoryIndex)
  /// An error outside the dashboard, such as a failure to save the session.
  case error(String)
  /// An event outside the dashboard, such as the end of the input.
  case info(String)
}

/// An effect of the dashboard, which its caller performs.
package enum Effect: Hashable, Sendable {
  /// Redraws the whole screen, in case another program has written to it.
  case redraw
  case suspend
  /// Continues the session in the background and ends the program.
  case detach
  /// Ends the program. A session that was taken over from the background does not return there.
  case quitFully
  case lab(LabCommand)
  case quit(status: Int32)
}

/// A frame, and the instant on the suspending clock at which it changes by itself; `nil` if it does not.
package struct RenderedFrame {
  package var canvas: Canvas
  package var nextRedraw: TimerClock.Instant?
  /// The title of the terminal's window.
  package var title = ""
}
