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
    let specs =
      try timers.isEmpty
      ? TimerSpec.parse(line: Assets.tour)
      : TimerSpec.parse(words: timers, in: TimerContext(now: Moment.now().wall))
    try MainActor.assumeIsolated {
      Session.current = try Session(specs, environment: ProcessInfo.processInfo.environment)
    }
    dispatchMain()
  }
}
