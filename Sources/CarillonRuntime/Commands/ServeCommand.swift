import Dispatch
import Platform
import TimerBoard

/// `carillon serve`: the owner of a session without a screen.
package struct ServeCommand {
  package var words: [String] = []
  package var session = SessionName.main
  /// The path of the configuration; `nil` for the default one.
  package var configuration: String?
  /// A Boolean value that indicates whether the session is taken over from another process.
  package var takesOver = false
  /// A Boolean value that indicates whether the process ends when it has no timers, and logs only errors.
  package var isBackground = false

  package init() {}

  /// Starts the timers and runs until the program ends.
  package func run() throws -> Never {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.read(self.configuration, environment: environment)
    guard let store = SessionStore(environment: environment, name: session) else {
      throw ProgramFailure("serve: no folder for the session (expected HOME in the environment)")
    }
    var launch = try launch(store, environment: environment)
    guard let ownership = launch.ownership else {
      throw ProgramFailure("serve: \(launch.error ?? "the session cannot be saved")")
    }
    launch.configuration = configuration
    launch.configurationFile = self.configuration
    launch.isTour = false
    do throws(TimerSyntaxError) {
      launch.specs =
        words.isEmpty ? [] : try TimerSpec.parse(arguments: words, in: launch.context(at: .now()))
    } catch {
      launch.returnToBackground()
      throw error
    }
    MainActor.assumeIsolated {
      ServeSession.current = ServeSession(
        launch, ownership: ownership, isBackground: isBackground, environment: environment)
    }
    dispatchMain()
  }

  private func launch(
    _ store: SessionStore, environment: [String: String]
  ) throws -> LaunchOptions {
    switch try store.acquireLock() {
    case .acquired(let ownership): return LaunchOptions(of: ownership)
    case .held(let holder):
      guard let client = try ControlClient.connected(to: store, environment: environment) else {
        guard store.isLocked else { return try launch(store, environment: environment) }
        throw ProgramFailure("serve: session '\(session)' is open in \(holder)")
      }
      guard takesOver else {
        let other = try client.success(of: .owner).owner?.text ?? holder
        throw ProgramFailure(
          "serve: session '\(session)' is open in \(other) (expected --take-over)")
      }
      return try SessionTakeOver(store: store, client: client)
        .perform(as: SessionOwner(.background, at: .now()))
        ?? launch(store, environment: environment)
    }
  }
}
