import ArgumentParser
import Assets
import CarillonRuntime

/// `carillon` without the name of a command: the dashboard.
struct Dashboard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    usage: """
      carillon [--fresh] [--session <name>] [--take-over] [--detach]
               [--exit-when-done] [--no-mouse] [--config <file>] [<timer> ...]
      """,
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The timers and presets to start.", valueName: "timer")
  )
  var timers: [String] = []

  @Flag(help: "Ignore the previous session, and save none.")
  var fresh = false

  @Flag(help: "Quit when all timers have finished.")
  var exitWhenDone = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @OptionGroup var options: SessionOptions

  @Flag(help: "Take the session over from its owner without asking.")
  var takeOver = false

  @Flag(help: "Run the timers in the background, and end.")
  var detach = false

  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the default one.", valueName: "file"))
  var config: String?

  func run() throws {
    var command = Self.command(words: TimerArguments.unpacked(timers))
    command.ignoresSession = fresh
    command.usesMouse = !noMouse
    command.exitsWhenDone = exitWhenDone
    command.configuration = config
    command.session = try options.name
    command.takesOver = takeOver
    command.detaches = detach
    guard !detach || !fresh else {
      throw UsageError("--detach and --fresh exclude each other")
    }
    try command.run()
  }

  /// Returns the dashboard with timers and without options.
  static func command(words: [String]) -> DashboardCommand {
    var command = DashboardCommand()
    command.words = words
    command.tour = Assets.tour
    command.commands = Carillon.commandNames
    return command
  }

  /// Returns true if arguments are timers alone: no option, and no command.
  static func areTimers(_ arguments: [String]) -> Bool {
    !arguments.contains { $0.hasPrefix("-") }
      && !Carillon.commandNames.contains(arguments.first ?? "")
  }
}
