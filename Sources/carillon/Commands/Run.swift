import ArgumentParser
import CarillonRuntime

/// `carillon run`: timers without a screen.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run timers without a screen, and a command at each fire.",
    usage: "carillon run [<options>] <timer> ... [-- <command> ...]",
    discussion: """
      Ends when no timer runs any more; with --session, paused timers keep it
      running.

        carillon run 3m && paplay bell.ogg       wait three minutes
        carillon run tabata='cycle 20s/10s x8'   a line for each phase
        carillon run every 30s -- ./poll.sh      run a program every 30 seconds
        carillon run --json every 1s x3 | jq     print a JSON object per line
        carillon run --progress 25m              show the time left

      The command is run directly, without a shell, with these variables in its
      environment: CARILLON_NAME, _EVENT (fired, phase, finished), _ITERATION,
      _REMAINING, _MISSED, _LATENESS_MS, _SCHEDULED, _PHASE, _NOTE, _SESSION.

      The commands of a timer do not overlap, and at most \(RunCommand.commandLimit) commands run at the same
      time: the newest fire waits, and CARILLON_MISSED counts the fires that it replaces.

      Exit status: 0 success, 1 failure (a command could not be started or, with
      --fail-fast, failed), 2 usage error, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The timers to run.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Print a JSON object per line; commands then write to standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing.")
  var quiet = false

  @Flag(help: "Show the time left in a line on the terminal, on standard error.")
  var progress = false

  @Flag(help: "Exit at the first fire.")
  var untilFirst = false

  @Flag(help: "Exit with status 1 as soon as a command fails.")
  var failFast = false

  @Option(help: ArgumentHelp("Exit after this time at the latest.", valueName: "duration"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp(
      "Run the timers as this session, which carillon ctl can control.", valueName: "name"))
  var session: String?

  @Flag(help: "Record the runs of the timers in the history.")
  var record = false

  @Option(
    parsing: .remaining,
    help: ArgumentHelp(
      "A program to run at each fire, with its arguments; same as --.", valueName: "command"))
  var command: [String] = []

  /// Returns the arguments of `carillon run` with the first `--` replaced by `--command`, which takes all arguments
  /// after it, including options. Returns the arguments of another command unchanged.
  static func expandingTerminator(_ arguments: [String]) -> [String] {
    guard arguments.first == _commandName,
      let terminator = arguments.firstIndex(of: "--")
    else { return arguments }
    var expanded = arguments
    expanded[terminator] = "--command"
    return expanded
  }

  func run() throws {
    guard !timers.isEmpty else {
      guard command.isEmpty else {
        throw UsageError(
          "run: missing argument '<timer>' (expected before -- or --command, which take all words after them)"
        )
      }
      throw MissingArgument("timer", of: Self.self)
    }
    if command.isEmpty, ["--", "--command"].contains(CommandLine.arguments.last) {
      throw MissingArgument("command", of: Self.self)
    }
    var command = RunCommand()
    command.words = timers
    command.isJSON = json
    command.isQuiet = quiet
    command.showsProgress = progress
    command.endsAtFirstFire = untilFirst
    command.failsFast = failFast
    command.maxTime = maxTime
    command.command = self.command
    command.isRecorded = record
    command.session = try session.map { try SessionName($0) }
    try command.run()
  }
}
