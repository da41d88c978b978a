import ArgumentParser
import CarillonRuntime

/// `carillon status`: prints the current timers of a session.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the timers of a session.",
    discussion: """
      carillon need not be running: the saved session holds the time at which each \
      timer is due. Use it in the status lines of tmux, waybar, i3status and the like.

        carillon status                                  all timers
        carillon status --next --format '{name} {left}'  the next to fire
        carillon status tea --format '{left}'            a timer by its name
        carillon status --json                           a JSON object per line

      In a format: \(StatusText.fields.map { "{\($0)}" }.joined(separator: " ")).
      A name can hold any character: --escape tmux, markup (for waybar) or json
      escapes those that have a meaning there.

      Exit status: 0 success, 1 failure (such as an unknown timer), 2 usage error.
      """)

  @Argument(
    help: ArgumentHelp("The names of timers or groups; all timers if omitted.", valueName: "name"))
  var names: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Print a JSON object per line.")
  var json = false

  @Flag(help: "Print only the next timer to fire.")
  var next = false

  @Option(help: "Print each timer in this format.")
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Escape the fields of the format for tmux, markup or json.", valueName: "reader"))
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
    command.session = try options.name
    try command.run()
  }
}

extension StatusText.Escape: ExpressibleByArgument {}
