import ArgumentParser
import Dispatch
import Platform
import TimerBoard

/// `carillon serve`: the owner of a session without a screen.
struct ServeCommand: ParsableCommand {
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

  /// Starts the timers and runs until the program ends.
  func run() throws {
    let session = try options.name
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.read(config, environment: environment)
    guard let store = SessionStore(environment: environment, name: session) else {
      throw ProgramFailure("serve: no folder for the session (expected HOME in the environment)")
    }
    var launch = try launch(store, session, environment: environment)
    guard let ownership = launch.ownership else {
      throw ProgramFailure("serve: \(launch.error ?? "the session cannot be saved")")
    }
    launch.configuration = configuration
    launch.configurationFile = config
    launch.isTour = false
    do throws(TimerSyntaxError) {
      launch.specs =
        timers.isEmpty ? [] : try TimerSpec.parse(arguments: timers, in: launch.context(at: .now()))
    } catch {
      launch.returnToBackground()
      throw error
    }
    MainActor.assumeIsolated {
      ServeSession.current = ServeSession(
        launch, ownership: ownership, isBackground: background, environment: environment)
    }
    dispatchMain()
  }

  private func launch(
    _ store: SessionStore, _ session: SessionName, environment: [String: String]
  ) throws -> LaunchOptions {
    switch try store.acquireLock() {
    case .acquired(let ownership): return LaunchOptions(of: ownership)
    case .held(let holder):
      guard let client = try ControlClient.connected(to: store, environment: environment) else {
        guard store.isLocked else { return try launch(store, session, environment: environment) }
        throw ProgramFailure("serve: session '\(session)' is open in \(holder)")
      }
      guard takeOver else {
        let other = try client.success(of: .owner).owner?.text ?? holder
        throw ProgramFailure(
          "serve: session '\(session)' is open in \(other) (expected --take-over)")
      }
      let owner = SessionOwner(.background, at: .now())
      return try SessionOpening.takeOver(store, from: client, as: owner)
        ?? launch(store, session, environment: environment)
    }
  }
}

/// The option that names a session.
struct SessionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The session; 'main' if omitted.", valueName: "name"))
  var session: String?

  init() {}

  init(session: String?) {
    self.session = session
  }

  var name: SessionName {
    get throws { try session.map { try SessionName($0) } ?? .main }
  }
}
