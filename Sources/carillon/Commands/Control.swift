import ArgumentParser
import CarillonRuntime

/// `carillon ctl`: controls a session from another shell.
struct Control: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Control a session from any shell.",
    usage: """
      carillon ctl <command> [<name> ...] [<value>]
      carillon ctl <command> (--all | --next) [<value>]
      carillon ctl add [--no-start] <timer> ...
      """,
    discussion: """
      Controls the session of a board, of carillon serve, of a background process or of \
      carillon run --session. \
      A timer is given by its name; one without a name by the number that carillon ctl \
      add prints, in quotes: '#3'. The name of a group stands for all its timers; no \
      group has the name of a timer.

        carillon ctl add tea=3m       add a timer; starts a session if there is none
        carillon ctl pause tea        pause it
        carillon ctl more tea 1m      add a minute
        carillon ctl restart laundry  restart the timers of the group laundry
        carillon ctl toggle --next    pause the timer that fires next, or resume it
        carillon ctl watch --json     the timers, then a JSON object per event

      Commands:
      \(ControlCommand.table)

      Exit status: 0 success, 1 failure, 2 usage error, 3 the session has no owner.
      """)

  @Argument(help: "The command.", completion: .list(ControlCommand.names.map(\.name)))
  var command: String?

  @Argument(
    help: ArgumentHelp("Names of timers or groups, then the value.", valueName: "name"),
    completion: .custom { words, _, _ in
      ControlCommand.completions(after: words, for: .current)
    })
  var words: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Apply the command to all timers.")
  var all = false

  @Flag(help: "Apply the command to the timer that fires next.")
  var next = false

  @Flag(help: "With add: start no session in the background.")
  var noStart = false

  @Flag(help: "With list and watch: print a JSON object per line.")
  var json = false

  @Option(help: "With list: print each timer in this format.")
  var format: String?

  func run() throws {
    guard let command else { throw MissingArgument("command", of: Self.self) }
    // The program has the same command as `carillon status`.
    let isList = command == "list" || command == "status"
    let isWatch = command == "watch"
    guard format == nil || isList else { throw UsageError("ctl: --format needs list") }
    guard !json || isList || isWatch else { throw UsageError("ctl: --json needs list or watch") }
    guard !json || format == nil else {
      throw UsageError("ctl: --json and --format exclude each other")
    }
    guard !noStart || command == "add" else { throw UsageError("ctl: --no-start needs add") }
    if isList {
      var list = StatusCommand()
      list.names = words
      list.isJSON = json
      list.printsNextOnly = next
      list.format = format
      list.session = try options.name
      list.needsOwner = true
      list.context = "ctl"
      return try list.run()
    }
    var control = ControlCommand()
    control.session = try options.name
    control.appliesToAll = all
    control.appliesToNext = next
    control.startsOwner = !noStart
    if isWatch {
      try control.watch(words, isJSON: json)
    } else {
      try control.run(command, words)
    }
  }
}

extension ControlCommand.CompletionSyntax {
  /// The shell that requests completions.
  fileprivate static var current: Self {
    switch CompletionShell.requesting {
    case .bash: .bash
    case .zsh: .zsh
    default: .other
    }
  }
}
