import ArgumentParser
import CursesTerminal
import Dashboard
import TimerKit

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
  /// When the program was called, as nearly as it can know.
  static let began = TimerClock.suspending.now

  static func main() {
    _ = began
    StandardOutput.reserveStreams()
    do {
      let arguments = Board.packing(Run.spellingOut(Array(CommandLine.arguments.dropFirst())))
      var command = try Carillon.parseAsRoot(arguments)
      try command.run()
    } catch {
      end(with: error)
    }
  }

  static func end(with error: any Error) -> Never {
    switch error {
    case let error as TimerSyntaxError: fail(error.description, status: 2)
    case TerminalError.notATerminal:
      fail("\(error); carillon run and carillon demo --plain need none", status: 2)
    case let error as TerminalError: fail(error.description, status: 1)
    case let error as StreamError where error.isBrokenPipe: die(of: SIGPIPE)
    case let error as StreamError: fail(error.description, status: 1)
    case let error as MissingArgument: fail(error.description, status: 2)
    case let error as LineBatch.LineTooLong: fail(error.description, status: 1)
    case let error as SessionStore.Fault: fail(error.description, status: 1)
    case let error as StatusFault: fail(error.description, status: 1)
    case let error as CheckFault: fail(error.description, status: 1)
    case let error as ConfigurationFault: fail(error.description, status: 2)
    default:
      switch Carillon.exitCode(for: error) {
      case .success: tell(Carillon.fullMessage(for: error))
      case .validationFailure: break
      default: Carillon.exit(withError: error)
      }
      // The board is the command without a name.
      let message = Carillon.fullMessage(for: error).trimmingPrefix("Error: ")
        .replacing("'carillon board --help'", with: "'carillon --help'")
      fail(String(message), status: 2)
    }
  }

  /// A line on standard error; what was typed is in it as text, whatever it holds.
  static func warn(_ message: String) {
    let line = Array(warning(message).utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  static func warning(_ message: String) -> String {
    "carillon: \(message.printable(keepingLines: true))\n"
  }

  /// What was asked for: help, the version, completions.
  private static func tell(_ message: String) -> Never {
    do {
      try StandardOutput.write(message + "\n")
      exit(0)
    } catch {
      end(with: error)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    warn(message)
    exit(status)
  }

  /// Ends the process by a signal's own action, so that whoever waits for it sees which it was.
  static func die(of number: Int32) -> Never {
    signal(number, SIG_DFL)
    // Dispatch's threads block signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    exit(128 + number)
  }
}

/// An argument that a command cannot do without. Commands ask for it themselves: the parser would name
/// it before an option that it does not know.
struct MissingArgument: Error, CustomStringConvertible {
  let description: String

  init(_ name: String, of command: any ParsableCommand.Type) {
    let usage = Carillon.usageString(for: command).trimmingPrefix("Usage: ")
    description = "\(command._commandName): missing argument '<\(name)>' (expected \(usage))"
  }
}
