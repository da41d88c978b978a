import ArgumentParser
import CarillonRuntime

/// `carillon run`: timers without a screen.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run timers without a screen, and a command at each fire.",
    usage: "carillon run [<options>] <timer> ... [-- <command> ...]",
    discussion: """
      It ends when all timers have finished, or nothing runs any more.

        carillon run 3m && paplay bell.ogg       wait three minutes
        carillon run tabata='cycle 20s/10s x8'   a line for each phase
        carillon run every 30s -- ./poll.sh      run a program every 30 seconds
        carillon run --json every 1s x3 | jq     an object a line

      The command is a program and its arguments, not a text for a shell. Its
      environment tells it more: CARILLON_NAME, _EVENT (fired, phase, finished),
      _ITERATION, _REMAINING, _MISSED, _LATENESS_MS, _SCHEDULED, _PHASE. At most
      \(RunCommand.commandLimit) run at once; a fire that would have to wait longer than to the
      next one of its timer is left out, and counted in CARILLON_MISSED.

      Exit status: 0 finished, 1 a command could not be started or, with --fail-fast,
      failed, 2 wrong usage, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The timers.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Print JSON, an object a line. The command's output then goes to standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing.")
  var quiet = false

  @Flag(help: "End at the first fire.")
  var untilFirst = false

  @Flag(help: "End with status 1 as soon as a command fails.")
  var failFast = false

  @Option(help: ArgumentHelp("End after that time at the latest.", valueName: "duration"))
  var maxTime: String?

  @Option(
    parsing: .remaining,
    help: ArgumentHelp(
      "The same as --: a program to run at each fire, and its arguments.", valueName: "command"))
  var command: [String] = []

  /// Replaces the first `--` by `--command`, which takes everything behind it, options included.
  static func expandingTerminator(_ arguments: [String]) -> [String] {
    guard arguments.first == _commandName,
      let terminator = arguments.firstIndex(of: "--")
    else { return arguments }
    var expanded = arguments
    expanded[terminator] = "--command"
    return expanded
  }

  func run() throws {
    guard !timers.isEmpty else { throw MissingArgument("timer", of: Self.self) }
    var command = RunCommand()
    command.words = timers
    command.isJSON = json
    command.isQuiet = quiet
    command.endsAtFirstFire = untilFirst
    command.failsFast = failFast
    command.maxTime = maxTime
    command.command = self.command
    try command.run()
  }
}
