import ArgumentParser
import Platform

/// The root command. If the first word is not the name of a command, the dashboard opens.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Live timers in the terminal, keyboard-driven.",
    usage: """
      carillon [--fresh] [--session <name>] [--take-over] [--detach]
               [--exit-when-done] [--no-mouse] [--config <file>] [<timer> ...]
      carillon <command>
      """,
    discussion: """
      A timer is a duration, 'every' and a duration, or a time of day; optionally named: \
      NAME=DURATION.

        carillon tea=3m                         once, in three minutes
        carillon tea 3 minutes                  the same
        carillon every 30s                      repeatedly
        carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others
        carillon lunch=at 12:30 weekdays 09:55  at times of day
        carillon tomorrow 9am                   on a day
        carillon work=cycle 25m/5m x4           in phases
        carillon pomodoro                       a preset

      Other kinds: stopwatch, debounce, throttle, coalesce, idle. After any timer: paused, \
      awake, chime, silent, ring, then NAME, then NAME x3, group NAME, wait, run 'COMMAND', note 'TEXT', tolerance 1s, missed skip|delay|burst; after \
      every: backoff 5m. carillon restores the previous session; --fresh ignores it. The first \
      start opens a tour. Press ? for the keys.

      Each line of a pipe triggers the debounce, throttle, coalesce and idle timers: \
      make 2>&1 | carillon quiet=idle 30s. --exit-when-done quits \
      when all timers have finished. --no-mouse leaves the mouse to the terminal; --config \
      FILE replaces ~/.config/carillon/config.toml.
      """,
    version: "carillon \(release)",
    subcommands: [
      DashboardCommand.self, RunCommand.self, DebounceCommand.self, ThrottleCommand.self,
      StatusCommand.self, ServeCommand.self, ControlCommand.self, HistoryCommand.self,
      StatsCommand.self, PresetsCommand.self, CheckCommand.self, DemoCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  /// The version of the program and of TimerKit. The Makefile and the packages read this line.
  static let release = "1.0.0"

  /// The names of the commands.
  static let commandNames = configuration.subcommands.dropFirst().map { $0._commandName } + ["help"]
}

extension Program {
  /// Runs the command of the arguments, and reports each error in one line and by the exit status.
  package static func main() {
    _ = startInstant
    StandardStreams.reserveStreams()
    do {
      try StandardStreams.checkLimit()
      var command = try command(of: Array(CommandLine.arguments.dropFirst()))
      try command.run()
    } catch let error as any ProgramError {
      exit(with: error)
    } catch {
      exit(withParserError: error)
    }
  }

  /// The options of the dashboard and of the root command whose value is the next argument.
  private static let valuedOptions = ["--session", "--config", "--generate-completion-script"]

  /// Returns the command of the arguments: timers alone need no parser.
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
    guard !options.isEmpty else { return DashboardCommand(timers: timers) }
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

  fileprivate static func manualPage() throws -> String {
    var help = ""
    do {
      _ = try Carillon.parseAsRoot(["--experimental-dump-help"])
    } catch {
      help = Carillon.fullMessage(for: error)
    }
    let commands: [any ParsableCommand.Type] = [Carillon.self] + Carillon.configuration.subcommands
    let usage = commands.map { ($0.name, $0.usage) }
    return try ManualPage(
      help: help, usage: Dictionary(uniqueKeysWithValues: usage),
      version: Carillon.release
    ).text
  }
}

extension ParsableCommand {
  fileprivate static var name: String { configuration.commandName ?? _commandName }

  /// The usage without the word 'Usage' and without indentation.
  fileprivate static var usage: String {
    Carillon.usageString(for: self).trimmingPrefix("Usage: ").split(separator: "\n")
      .map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "\n")
  }
}

/// `carillon --generate-man-page`: prints the man page.
private struct ManualCommand: ParsableCommand {
  func run() throws { try StandardStreams.write(Program.manualPage()) }
}

/// The error for a missing argument. Commands report it themselves, because the parser would report it before
/// an unknown option.
struct MissingArgument: ProgramError {
  let description: String
  let exitStatus = ExitStatus.usageError

  init(_ name: String, of command: any ParsableCommand.Type) {
    // A command with several forms has one on each line.
    let usage = command.usage.prefix { $0 != "\n" }
    description = "\(command.name): missing argument '<\(name)>' (expected \(usage))"
  }
}
