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
    usage: "carillon [<timer> ...]", shouldDisplay: false)

  @Argument(help: ArgumentHelp("The timers to start with.", valueName: "timer"))
  var timers: [String] = []

  func run() throws {
    let specs = try timers.isEmpty ? TimerSpec.parse(line: Assets.tour) : timersAsked()
    try MainActor.assumeIsolated {
      Session.current = try Session(specs, environment: ProcessInfo.processInfo.environment)
    }
    dispatchMain()
  }

  /// The first word may have been meant as a command's name.
  private func timersAsked() throws -> [TimerSpec] {
    do {
      return try TimerSpec.parse(words: timers, in: TimerContext(now: Moment.now().wall))
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
