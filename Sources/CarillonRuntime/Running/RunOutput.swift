import Platform
import TimerBoard

/// The standard streams of `carillon run`, with the progress line between their lines.
@MainActor
final class RunOutput {
  private let output: OutputQueue
  private let errors: OutputQueue
  private var hasDroppedOutput = false
  /// `nil` if no progress is shown.
  private(set) var progress: ProgressLine?

  init(onFailure: @escaping @MainActor @Sendable (StreamError) -> Void) {
    output = OutputQueue(STDOUT_FILENO, onFailure: onFailure)
    // An error of standard error cannot be reported.
    errors = OutputQueue(STDERR_FILENO) { _ in }
  }

  /// Shows the progress of timers, if standard error is a terminal.
  func showProgress(
    uses24Hours: Bool, environment: [String: String],
    of timers: @escaping @MainActor () -> TimerList?
  ) {
    progress = ProgressLine(
      on: errors, uses24Hours: uses24Hours, environment: environment, timers: timers)
  }

  func write(_ line: String) {
    progress?.erase()
    defer { progress?.refresh() }
    guard !output.write(line + "\n"), !hasDroppedOutput else { return }
    hasDroppedOutput = true
    warn("standard output is not read: lines are dropped")
  }

  func warn(_ message: String) {
    progress?.erase()
    _ = errors.write(Program.diagnostic(message))
    progress?.refresh()
  }

  /// Calls a closure on the main queue after everything is written, without a time limit.
  func finish(_ then: @escaping @MainActor @Sendable () -> Void) {
    output.finish { [errors] in errors.finish(then) }
  }
}
