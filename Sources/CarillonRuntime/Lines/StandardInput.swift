import CursesTerminal
import Platform

/// The sources of the dashboard's keys and of its piped lines.
struct StandardInput {
  /// The descriptor of the terminal.
  var keys = STDIN_FILENO
  /// Standard input, if it is not a terminal.
  var lines: Int32?

  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 0 else { return }
    keys = openControllingTerminal()
    lines = STDIN_FILENO
    if keys < 0 { throw .notATerminal(stream: "standard input") }
  }
}
