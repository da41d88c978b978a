import ArgumentParser
import TimerBoard

/// `carillon serve`: the owner of a session without a screen.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration("serve")

  @Argument(help: ArgumentHelp("The timers to add to the session.", valueName: "timer"))
  var timers: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Take the session over from its owner.")
  var takeOver = false

  @OptionGroup var file: ConfigurationOptions

  @Flag(help: .hidden)
  var background = false

  /// Starts the timers and runs until the program ends.
  func run() throws {
    try StandardStreams.checkLimitOfOwner()
    let configuration = try Configuration.read(file.config)
    let store = try SessionStore(options.name, for: "serve")
    let owner = SessionOwner(.background, at: .now())
    var launch = try SessionOpening(owner: owner, takesOver: takeOver).open(store)
    guard launch.ownership != nil else {
      throw ProgramFailure("serve: \(launch.error ?? "the session cannot be saved")")
    }
    launch.configuration = configuration
    launch.configurationFile = file.config
    do throws(TimerSyntaxError) {
      launch.specs =
        timers.isEmpty ? [] : try TimerSpec.parse(arguments: timers, in: launch.context(at: .now()))
    } catch {
      launch.returnToBackground()
      throw error
    }
    Program.run { ServeSession(launch, isBackground: background) }
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

/// The option that names a configuration.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file to read instead of the default one.", valueName: "file"))
  var config: String?
}
