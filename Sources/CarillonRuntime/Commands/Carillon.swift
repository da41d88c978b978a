import ArgumentParser
import Platform

/// The root command. If the first word is not the name of a command, the dashboard opens.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    "carillon", version: "carillon \(release)",
    subcommands: [
      DashboardCommand.self, RunCommand.self, DebounceCommand.self, ThrottleCommand.self,
      StatusCommand.self, ServeCommand.self, ControlCommand.self, AttachCommand.self,
      HistoryCommand.self, StatsCommand.self, PresetsCommand.self, CheckCommand.self,
      DemoCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  /// The version of the program and of TimerKit. The Makefile and the packages read this line.
  static let release = "2.0.0"

  /// The names of the commands.
  static let commandNames =
    CommandHelp.commandNames.filter { $0 != "carillon" && $0 != "board" } + ["help"]
}

extension Program {
  /// Runs the command of the arguments, and reports each error in one line and by the exit status.
  package static func main() {
    StandardStreams.reserveStreams()
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      try ReleaseProcess.prepare(arguments)
      try StandardStreams.checkLimit()
      if areTimers(arguments) {
        try BoardStart(timers: arguments).run()
      } else {
        var command = try command(of: arguments)
        try command.run()
      }
    } catch let error as any ProgramError {
      exit(with: error)
    } catch {
      exit(withParserError: error)
    }
  }

  /// The options of the dashboard and of the root command whose value is the next argument.
  private static let valuedOptions = ["--session", "--config", "--generate-completion-script"]

  /// Returns a Boolean value that indicates whether there are only timers, which need no parser.
  static func areTimers(_ arguments: [String]) -> Bool {
    guard !arguments.contains(where: { $0.hasPrefix("-") && $0 != "-" }) else { return false }
    // Most timers are no word, so that the names of the commands need not be read.
    return arguments.first?.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) != true
      || !Carillon.commandNames.contains(arguments[0])
  }

  /// Returns the command of the arguments.
  static func command(of arguments: [String]) throws -> any ParsableCommand {
    if arguments == ["--generate-man-page"] { return ManualCommand() }
    let first = arguments.first ?? ""
    if Carillon.commandNames.contains(first) || first.hasPrefix("---") {
      try checkHelp(of: arguments)
      var arguments = arguments
      if first == RunCommand._commandName, let terminator = arguments.firstIndex(of: "--") {
        // That option takes all arguments after it, including options.
        arguments[terminator] = "--command"
      }
      return try Carillon.parseAsRoot(arguments)
    }
    // The parser gets only the options of a board: its time is quadratic in the number of arguments.
    var (options, timers): ([String], [String]) = ([], [])
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      if argument.hasPrefix("-"), argument != "-" {
        options.append(argument)
        if valuedOptions.contains(argument) { options += [rest.popFirst()].compactMap(\.self) }
      } else {
        timers.append(argument)
      }
    }
    timers += rest
    let command = try Carillon.parseAsRoot(options)
    guard var board = command as? DashboardCommand else { return command }
    board.timers = timers
    return board
  }

  /// Ends the process with an error of the parser, or with the help, the version or the completions that it was
  /// asked for.
  private static func exit(withParserError error: any Error) -> Never {
    switch Carillon.exitCode(for: error) {
    case .success:
      do throws(StreamError) {
        try StandardStreams.write(Carillon.fullMessage(for: error) + "\n")
        Platform.exit(ExitStatus.success)
      } catch {
        Program.exit(with: error)
      }
    case .validationFailure:
      Program.exit(ExitStatus.usageError, usageError(Carillon.message(for: error)))
    default: Carillon.exit(withError: error)
    }
  }

  /// Returns a message of the parser in the program's form: the command, the message, and in parentheses its
  /// second sentence or a hint to the help.
  private static func usageError(_ message: String) -> String {
    let command = CommandLine.arguments.dropFirst().first.flatMap { word in
      Carillon.commandNames.first { $0 == word }
    }
    var text = message.split(separator: "\n").joined(separator: " ")
    if text.hasSuffix(".") { text.removeLast() }
    var help = "see carillon \(command.map { "\($0) " } ?? "")--help"
    if let end = text.firstRange(of: "'. ") {
      help = text[end.upperBound...].lowercasedFirst
      if help.hasSuffix(".") { help.removeLast() }
      text = String(text[..<end.lowerBound]) + "'"
    }
    if command == ControlCommand._commandName, let option = text.firstRange(of: "option '-"),
      text[option.upperBound...].first?.isNumber == true
    {
      help = "to remove time: carillon ctl less"
    }
    return "\(command.map { "\($0): " } ?? "")\(text.lowercasedFirst) (\(help))"
  }

  /// Throws an error if help for an unknown command was requested, for which the parser prints the general help.
  private static func checkHelp(of arguments: [String]) throws(UsageError) {
    guard arguments.first == "help", arguments.count > 1 else { return }
    let name = arguments[1]
    guard !name.hasPrefix("-"), !Carillon.commandNames.contains(name) else { return }
    throw UsageError("help: unknown command '\(name)' (see carillon --help)")
  }
}

/// `carillon --generate-man-page`: prints the man page.
private struct ManualCommand: ParsableCommand {
  func run() throws { try StandardStreams.write(ManualPage().text) }
}
