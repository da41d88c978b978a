import ArgumentParser
import CarillonRuntime

/// `carillon status`: what the saved session holds.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the timers of the saved session.",
    discussion: """
      No board need be open: the session says when each timer is due. So this serves
      in the status lines of tmux, waybar, i3status and the like.

        carillon status                                  all timers
        carillon status --next --format '{name} {left}'  the one that rings next
        carillon status tea --format '{left}'            one by its name
        carillon status --json                           an object a line

      In a format: \(StatusText.fields.map { "{\($0)}" }.joined(separator: " ")).
      A name can hold anything: --escape tmux, markup (as in waybar) or json writes
      it so that whoever reads it takes nothing of it for something else.
      Exit status: 0, or 1 where there is no such timer.
      """)

  @Argument(help: ArgumentHelp("The names of timers; without any, all of them.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @Flag(help: "Only the timer that rings next.")
  var next = false

  @Option(help: "Print this for each timer.")
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Write what a format asks for so that tmux, markup or json keeps it as it is.",
      valueName: "reader"))
  var escape: StatusText.Escape?

  func run() throws {
    if escape != nil, format == nil { throw UsageError("status: --escape needs --format") }
    if json, format != nil { throw UsageError("status: --json and --format exclude each other") }
    var command = StatusCommand()
    command.names = names
    command.isJSON = json
    command.printsNextOnly = next
    command.format = format
    command.escape = escape
    try command.run()
  }
}

extension StatusText.Escape: ExpressibleByArgument {}
