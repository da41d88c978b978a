import Platform
import TimerBoard

/// A command of a timer, a hook or a desktop notification. The values of an event are passed in its environment, so
/// that no shell interprets them.
enum Command: Hashable, Sendable {
  /// A program and its arguments.
  case arguments([String])
  /// A text run by `/bin/sh`.
  case shell(String)

  private var words: [String] {
    switch self {
    case .arguments(let words): words
    case .shell(let text): ["/bin/sh", "-c", text]
    }
  }

  /// The number of descriptors of which a command uses some; the program keeps the others.
  private static let spareDescriptors = 12

  /// Runs the command to its end, in a process group of its own, without standard input.
  /// - Parameter onStart: Called with the process group.
  /// - Returns: The ending, and the last line of the output if it is kept.
  func run(
    _ environment: [String: String], _ output: CommandOutput, in groups: ProcessGroups,
    onStart: @Sendable (pid_t) -> Void
  ) async -> (CommandEnding, lastLine: String) {
    guard canOpenDescriptors(Self.spareDescriptors) else {
      return (.notStarted(reason: Self.reason(of: EMFILE)), "")
    }
    let tail: OutputTail?
    do {
      tail = output == .kept ? try OutputTail() : nil
    } catch {
      return (.notStarted(reason: "\(error)"), "")
    }
    let error = tail?.descriptor ?? STDERR_FILENO
    let outcome = groups.start(
      words, environment, output: output == .standardOutput ? STDOUT_FILENO : error, error: error)
    let ending: CommandEnding
    if outcome.error == 0 {
      onStart(outcome.process)
      ending = await groups.ending(of: outcome.process)
    } else {
      ending = .notStarted(reason: Self.reason(of: outcome.error))
    }
    return (ending, await tail?.end() ?? "")
  }

  private static func reason(of error: Int32) -> String {
    error == ENOENT ? "no such program" : String(cString: strerror(error))
  }
}

/// The destination of a command's output.
enum CommandOutput: Sendable {
  case standardOutput
  case standardError
  /// No stream; the last line is kept.
  case kept
}

typealias CommandEnding = CommandResult.Ending

extension CommandEnding {
  var isSuccess: Bool { self == .exited(0) }

  /// The ending in words, as shown after the command.
  var text: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "killed by signal \(signal)"
    case .timedOut: "took too long and was terminated"
    case .notStarted(let reason): "cannot be started: \(reason)"
    }
  }
}
