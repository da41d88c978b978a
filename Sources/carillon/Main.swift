import ArgumentParser
import CursesTerminal
import Dashboard

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs a command, and turns what went wrong into one message and an exit status: 2 for what was
/// asked for wrongly, 1 for what cannot be done here.
@main
enum Main {
  static func main() {
    do {
      var command = try Carillon.parseAsRoot()
      try command.run()
    } catch let error as TimerSyntaxError {
      fail(error.description, status: 2)
    } catch let error as TerminalError {
      fail(error.description, status: 1)
    } catch {
      guard Carillon.exitCode(for: error) == .validationFailure else {
        Carillon.exit(withError: error)
      }
      // The board is the command without a name.
      let message = Carillon.fullMessage(for: error).trimmingPrefix("Error: ")
        .replacing("'carillon board --help'", with: "'carillon --help'")
      fail(String(message), status: 2)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    let line = Array("carillon: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
  }
}
