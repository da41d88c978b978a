import ArgumentParser
import Assets
import Dashboard
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The root command: the dashboard.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Live timers in the terminal, played from the keyboard.",
    discussion: """
      A timer is a duration, with a name before it if it shall have one, or “every” and a duration:

        carillon tea=3m                         once, in three minutes
        carillon every 30s                      again and again
        carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others

      After any timer: paused, tolerance 1s, missed skip|delay|burst, note 'TEXT'.
      Without timers a tour opens. Press ? in it for the keys.
      """,
    version: "0.1.0")

  @Argument(help: ArgumentHelp("The timers to start with.", valueName: "timer"))
  var timers: [String] = []

  func run() throws {
    let specs =
      try timers.isEmpty ? TimerSpec.parse(line: Assets.tour) : TimerSpec.parse(words: timers)
    try MainActor.assumeIsolated {
      Session.current = try Session(specs, environment: ProcessInfo.processInfo.environment)
    }
    dispatchMain()
  }
}
