import ArgumentParser
import CarillonRuntime
import Platform

/// Runs a command, and turns an error into one line and an exit status.
@main
enum Main {
  static func main() {
    _ = Program.startInstant
    StandardOutput.reserveStreams()
    do {
      let arguments = Run.spellingOut(Array(CommandLine.arguments.dropFirst()))
      var command = try Carillon.parseAsRoot(
        TimerArguments.packed(arguments, commands: Carillon.commandNames))
      try command.run()
    } catch let error as any ProgramError {
      Program.exit(with: error)
    } catch {
      exit(with: error)
    }
  }

  /// Ends the process with an error of the parser, or with what was asked of it: help, the version,
  /// completions.
  private static func exit(with error: any Error) -> Never {
    switch Carillon.exitCode(for: error) {
    case .success:
      do throws(StreamError) {
        try StandardOutput.write(Carillon.fullMessage(for: error) + "\n")
        Platform.exit(ExitStatus.success)
      } catch {
        Program.exit(with: error)
      }
    case .validationFailure:
      // The board is the command without a name.
      let message = Carillon.fullMessage(for: error).trimmingPrefix("Error: ")
        .replacing("'carillon board --help'", with: "'carillon --help'")
      Program.exit(ExitStatus.usageError, String(message))
    default: Carillon.exit(withError: error)
    }
  }
}

/// An argument that a command cannot do without. Commands ask for it themselves: the parser would name
/// it before an option that it does not know.
struct MissingArgument: ProgramError {
  let description: String
  let exitStatus = ExitStatus.usageError

  init(_ name: String, of command: any ParsableCommand.Type) {
    let usage = Carillon.usageString(for: command).trimmingPrefix("Usage: ")
    description = "\(command._commandName): missing argument '<\(name)>' (expected \(usage))"
  }
}
