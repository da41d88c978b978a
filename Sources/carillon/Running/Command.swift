import Dashboard
import Subprocess
import TimerKit

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a timer sets off when it fires. Values reach it through its environment alone: nothing of
/// them is ever part of what a shell reads.
enum Command: Hashable, Sendable {
  /// A program and its arguments.
  case arguments([String])
  /// A text for `/bin/sh`.
  case shell(String)
}

/// Where a command's output goes.
enum CommandOutput: Sendable {
  case standardOutput
  case standardError
  /// Nowhere: its last line is kept.
  case kept
}

typealias CommandEnding = CommandResult.Ending

extension CommandEnding {
  var isSuccess: Bool { self == .exited(0) }

  /// For people, in a sentence.
  var sentence: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "killed by signal \(signal)"
    case .timedOut: "took too long, and was ended"
    case .notStarted(let reason): "cannot be started: \(reason)"
    }
  }
}

extension Command {
  private var program: (Executable, Arguments) {
    switch self {
    case .arguments(let words): (.name(words.first ?? ""), Arguments(Array(words.dropFirst())))
    case .shell(let text): (.path("/bin/sh"), ["-c", text])
    }
  }

  /// Runs it to its end, in a process group of its own, without standard input.
  /// - Parameter onStart: told the group.
  /// - Returns: how it ended, and the last line it printed if that is kept.
  func run(
    _ environment: [String: String], _ output: CommandOutput,
    onStart: @escaping @Sendable (pid_t) -> Void
  ) async -> (CommandEnding, lastLine: String) {
    do {
      switch output {
      case .standardOutput:
        return (
          try await run(environment, .currentStandardOutput, .currentStandardError, onStart), ""
        )
      case .standardError:
        return (
          try await run(environment, .currentStandardError, .currentStandardError, onStart), ""
        )
      case .kept:
        let tail = try OutputTail()
        let both = FileDescriptorOutput.fileDescriptor(
          tail.writeEnd, closeAfterSpawningProcess: true)
        do {
          let ending = try await run(environment, both, .combinedWithOutput, onStart)
          return (ending, await tail.end())
        } catch {
          _ = await tail.end()
          throw error
        }
      }
    } catch {
      return (.notStarted(reason: Self.reason(of: error)), "")
    }
  }

  private func run(
    _ environment: [String: String], _ output: FileDescriptorOutput,
    _ error: some ErrorOutputProtocol, _ onStart: @escaping @Sendable (pid_t) -> Void
  ) async throws -> CommandEnding {
    let (executable, arguments) = program
    var options = PlatformOptions()
    options.processGroupID = 0
    var changes: [Environment.Key: String?] = [:]
    for (name, value) in environment { changes[Environment.Key(stringLiteral: name)] = value }
    let result = try await Subprocess.run(
      executable, arguments: arguments, environment: .inherit.updating(changes),
      platformOptions: options, input: .none, output: output, error: error
    ) { execution in
      onStart(execution.processIdentifier.value)
    }
    switch result.terminationStatus {
    case .exited(let status): return .exited(status)
    case .signaled(let signal): return .killed(by: signal)
    }
  }

  private static func reason(of error: any Error) -> String {
    guard let error = error as? SubprocessError else { return "\(error)" }
    if error.code == .executableNotFound { return "there is no such program" }
    return error.underlyingError.map { "\($0)" } ?? "\(error)"
  }
}
