import ArgumentParser
import Assets
import Dashboard
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `carillon` does without a command's name: the dashboard.
struct Board: ParsableCommand {
  static let configuration = CommandConfiguration(
    usage: "carillon [--fresh] [<timer> ...]", shouldDisplay: false)

  @Argument(help: ArgumentHelp("The timers to start with.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Leave the saved session alone: neither load nor save it.")
  var fresh = false

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    var opening = Opening()
    if !fresh, let store = SessionStore(environment: environment) {
      opening = Opening(sessionIn: store)
    }
    opening.specs = try timersAsked(beside: opening)
    if opening.specs.isEmpty, opening.isTour || fresh {
      opening.specs = try TimerSpec.parse(line: Assets.tour)
    } else {
      opening.isTour = false
    }
    try MainActor.assumeIsolated {
      Session.current = try Session(opening, environment: environment)
    }
    dispatchMain()
  }

  /// - Parameter opening: whose timers they can name.
  private func timersAsked(beside opening: Opening) throws -> [TimerSpec] {
    guard !timers.isEmpty else { return [] }
    do {
      return try TimerSpec.parse(
        words: timers, in: TimerContext(names: opening.names, now: Moment.now().wall))
    } catch {
      if error.word == 0, error.offset == 0,
        let command = Spelling.nearest(to: timers[0], of: Carillon.commandNames)
      {
        throw ValidationError(
          "“\(timers[0])” is neither a timer nor a command. Did you mean “\(command)”?")
      }
      throw error
    }
  }
}
