import ArgumentParser
import Dashboard
import Dispatch
import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
      \(CommandRunner.usualLimit) run at once; a fire that would have to wait longer than to the
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

  /// Everything after the first `--` is the command, options of its own and all.
  static func spellingOut(_ arguments: [String]) -> [String] {
    guard arguments.first == _commandName,
      let terminator = arguments.firstIndex(of: "--")
    else { return arguments }
    var spelledOut = arguments
    spelledOut[terminator] = "--command"
    return spelledOut
  }

  func validate() throws {
    _ = try longestTime
  }

  private var longestTime: Duration? {
    get throws { try maxTime.map { try DurationText.parse(option: "--max-time", $0) } }
  }

  func run() throws {
    guard !timers.isEmpty else { throw MissingArgument("timer", of: Self.self) }
    let specs = try TimerSpec.parse(
      words: timers, in: TimerContext(now: Moment.now().wall, hasCommand: !command.isEmpty))
    var options = RunSession.Options(
      isJSON: json, isQuiet: quiet, endsAtFirstFire: untilFirst, failsFast: failFast,
      command: command)
    options.maxTime = try longestTime
    options.uses24Hours = !TimeOfDay.uses12Hours(
      environment: ProcessInfo.processInfo.environment)
    if !quiet { try StandardOutput.check() }
    MainActor.assumeIsolated { RunSession.current = RunSession(specs, options) }
    dispatchMain()
  }
}

extension DurationText {
  /// An option's value.
  static func parse(option: String, _ text: String) throws -> Duration {
    do {
      return try parse(text)
    } catch {
      throw ValidationError("\(option) \(text): \(error.problem.message)")
    }
  }
}
