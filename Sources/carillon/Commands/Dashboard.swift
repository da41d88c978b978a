import ArgumentParser
import Assets
import CarillonRuntime

/// What `carillon` does without a command's name: the dashboard.
struct Dashboard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    usage: "carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]",
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The timers to start with; @NAME for those of a preset.", valueName: "timer")
  )
  var timers: [String] = []

  @Flag(help: "Leave the saved session alone: neither load nor save it.")
  var fresh = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @Option(help: ArgumentHelp("The configuration, if not the usual one.", valueName: "file"))
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
