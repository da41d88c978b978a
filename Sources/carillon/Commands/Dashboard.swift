import ArgumentParser
import Assets
import CarillonRuntime

/// `carillon` without the name of a command: the dashboard.
struct Dashboard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    usage: "carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]",
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The timers to start; @NAME for those of a preset.", valueName: "timer")
  )
  var timers: [String] = []

  @Flag(help: "Ignore the previous session, and save none.")
  var fresh = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the usual one.", valueName: "file"))
  var config: String?

  func run() throws {
    var command = DashboardCommand()
    command.words = TimerArguments.unpacked(timers)
    command.ignoresSession = fresh
    command.usesMouse = !noMouse
    command.configuration = config
    command.tour = Assets.tour
    command.commands = Carillon.commandNames
    try command.run()
  }
}
