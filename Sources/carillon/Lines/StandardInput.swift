import CursesTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the dashboard's keys come from, and what is piped into it.
struct StandardInput {
  /// A terminal.
  var keys = STDIN_FILENO
  /// Standard input where that is none.
  var lines: Int32?

  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 0 else { return }
    keys = Self.openTerminal()
    lines = STDIN_FILENO
    if keys < 0 { throw .notATerminal(stream: "standard input") }
  }

  private static func openTerminal() -> Int32 {
    #if canImport(Darwin)
      // There /dev/tty cannot be waited on.
      if let path = ttyname(STDOUT_FILENO) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        if descriptor >= 0 { return descriptor }
      }
    #endif
    return open("/dev/tty", O_RDWR | O_CLOEXEC)
  }
}
