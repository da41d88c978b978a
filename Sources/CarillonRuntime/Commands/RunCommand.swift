import Dispatch
import Platform
import TimerBoard
import TimerKit

/// `carillon run`: timers without a screen.
package struct RunCommand {
  package var words: [String] = []
  package var isJSON = false
  package var isQuiet = false
  package var endsAtFirstFire = false
  package var failsFast = false
  package var maxTime: String?
  /// A program and its arguments, run at each fire.
  package var command: [String] = []

  /// The default number of commands that run at the same time.
  package static let commandLimit = CommandRunner.defaultLimit

  package init() {}

  /// Starts the timers and runs until the program ends.
  package func run() throws -> Never {
    var options = RunSession.Options(
      isJSON: isJSON, isQuiet: isQuiet, endsAtFirstFire: endsAtFirstFire, failsFast: failsFast,
      command: command)
    if let maxTime {
      do throws(DurationSyntaxError) {
        options.maxTime = try DurationText.parse(maxTime)
      } catch {
        throw UsageError("run: --max-time: '\(maxTime)': \(error.problem.message)")
      }
    }
    let specs = try TimerSpec.parse(
      words: words, in: TimerContext(now: ClockReading.now().wall, hasCommand: !command.isEmpty))
    options.uses24Hours = !TimeOfDay.uses12Hours(
      environment: ProcessInfo.processInfo.environment)
    if !isQuiet { try StandardOutput.check() }
    MainActor.assumeIsolated { RunSession.current = RunSession(specs, options) }
    dispatchMain()
  }
}
