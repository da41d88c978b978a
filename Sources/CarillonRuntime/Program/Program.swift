import CProcess
import CursesTerminal
import Dispatch
import Platform
import TimerBoard

/// The exit statuses of the program.
package enum ExitStatus {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  package static let usageError: Int32 = 2
  /// No process owns the session.
  package static let noOwner: Int32 = 3
  package static let interrupted: Int32 = 130
}

/// An error that ends the program with a message on standard error.
package protocol ProgramError: Error, CustomStringConvertible {
  var exitStatus: Int32 { get }
  /// The message, without the name of the program.
  var diagnostic: String { get }
}

extension ProgramError {
  package var exitStatus: Int32 { ExitStatus.failure }
  package var diagnostic: String { description }
}

extension TimerSyntaxError: ProgramError {
  package var exitStatus: Int32 { ExitStatus.usageError }
}

extension TerminalError: ProgramError {
  private var isUsageError: Bool { if case .notATerminal = self { true } else { false } }

  package var exitStatus: Int32 { isUsageError ? ExitStatus.usageError : ExitStatus.failure }

  package var diagnostic: String {
    isUsageError ? "\(self); carillon run and carillon demo --plain need none" : description
  }
}

/// The diagnostics and the end of the process.
package enum Program {
  static let environment = ProcessInfo.processInfo.environment
  /// A Boolean value that indicates whether the user's locale writes 14:29 rather than 2:29 pm.
  static let uses24Hours = environment.uses24Hours
  /// A Boolean value that indicates whether the character encoding of the user's locale is UTF-8.
  static let usesUTF8 = environment.usesUTF8

  /// The front end that runs, which lives as long as the process.
  @MainActor private static var frontEnd: AnyObject?

  /// Creates a front end, and runs the main queue until it ends the process.
  static func run(_ start: @MainActor () throws -> AnyObject) rethrows -> Never {
    // It lives for long, its main queue changes threads, and saves allocate much for a moment.
    cp_use_one_heap()
    try MainActor.assumeIsolated { frontEnd = try start() }
    dispatchMain()
  }

  /// Writes the line that reports a problem to standard error, with control characters replaced.
  package static func warn(_ message: String) { writeError(diagnostic(message)) }

  /// Writes lines to standard error that report no problem, with control characters replaced.
  static func printError(_ text: String) { writeError(text.printable(keepingLines: true) + "\n") }

  private static func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Platform.write(STDERR_FILENO, bytes, bytes.count)
  }

  /// Returns the line that reports a problem: `carillon: MESSAGE`.
  static func diagnostic(_ message: String) -> String {
    "carillon: \(message.printable(keepingLines: true))\n"
  }

  /// Reports an error and ends the process with its status. If the reader of a pipe is gone, ends the process
  /// by `SIGPIPE` without a report.
  package static func exit(with error: any ProgramError) -> Never {
    if let error = error as? StreamError, error.isBrokenPipe { exit(bySignal: SIGPIPE) }
    exit(error.exitStatus, error.diagnostic)
  }

  /// Reports a problem and ends the process.
  package static func exit(_ status: Int32, _ message: String) -> Never {
    warn(message)
    Platform.exit(status)
  }

  /// Ends the process by the default action of a signal, so that its parent sees the signal.
  package static func exit(bySignal number: Int32) -> Never { Signals.exit(by: number) }
}

/// A failure that ends a command, with status 1 unless it is another.
struct ProgramFailure: ProgramError {
  let description: String
  let exitStatus: Int32

  init(_ description: String, exitStatus: Int32 = ExitStatus.failure) {
    self.description = description
    self.exitStatus = exitStatus
  }

  /// Performs an action, and puts a name before the message of its error.
  static func naming<Result>(
    _ name: String, _ action: () throws -> Result
  ) throws(ProgramFailure) -> Result {
    do { return try action() } catch {
      throw ProgramFailure("\(name): \(error)")
    }
  }
}

/// An error in the arguments, the options or their combination.
package struct UsageError: ProgramError {
  package let description: String
  package var exitStatus: Int32 { ExitStatus.usageError }

  package init(_ description: String) {
    self.description = description
  }
}

/// A reference to an object for closures that are created before it.
@MainActor
final class WeakReference<Object: AnyObject> {
  weak var object: Object?
}
