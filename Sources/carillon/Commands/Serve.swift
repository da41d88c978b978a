import ArgumentParser
import CarillonRuntime

/// `carillon serve`: a session without a screen.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run a session without a screen, controlled by carillon ctl.",
    usage: "carillon serve [<options>] [<timer> ...]",
    discussion: """
      Runs in the foreground, for systemd, launchd or tmux, and prints a line for each \
      event to standard error. The timers are those of the session and of the arguments. \
      carillon takes the session over, and hands it back when its board is closed.

        carillon serve                   run the session 'main'
        carillon serve --session work    run another session
        systemctl --user enable --now carillon   with the unit of the package

      Exit status: 0 ended by a signal or by carillon ctl quit, 1 failure (such as a
      session that has another owner), 2 usage error.
      """)

  @Argument(help: ArgumentHelp("The timers to add to the session.", valueName: "timer"))
  var timers: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Take the session over from its owner.")
  var takeOver = false

  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the default one.", valueName: "file"))
  var config: String?

  @Flag(help: .hidden)
  var background = false

  func run() throws {
    var command = ServeCommand()
    command.words = timers
    command.session = try options.name
    command.takesOver = takeOver
    command.configuration = config
    command.isBackground = background
    try command.run()
  }
}

/// The option that names a session.
struct SessionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session; 'main' if omitted.", valueName: "name"))
  var session: String?

  var name: SessionName {
    get throws { try session.map { try SessionName($0) } ?? .main }
  }
}
