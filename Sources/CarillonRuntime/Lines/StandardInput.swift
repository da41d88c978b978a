import CursesTerminal
import Platform

/// Where the dashboard's keys come from, and what is piped into it.
struct StandardInput {
  /// A terminal.
  var keys = STDIN_FILENO
  /// Standard input where that is none.
  var lines: Int32?

  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 0 else { return }
    keys = openControllingTerminal()
    lines = STDIN_FILENO
    if keys < 0 { throw .notATerminal(stream: "standard input") }
  }
}
