import CursesTerminal
import Dashboard
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The end of the board: by the user, by a signal, when all timers have finished, or because another process owns the
/// session.
extension TerminalSession {
  /// Ends the process by a signal.
  func exit(bySignal signal: Int32) -> Never {
    _ = live.stop()
    terminal.exit(bySignal: signal)
  }

  /// Returns the session to the background from which it came, or ends the process.
  func quit(status: Int32) {
    if live.launch.wasInBackground, let control = live.control {
      finalStatus = status
      // The background process asks for the session, and `end` follows.
      return control.startBackground { [weak self] reason in
        self?.terminal.close()
        Program.warn("\(reason); the timers do not run")
        self?.exit(status: ExitStatus.failure)
      }
    }
    exit(status: status)
  }

  /// Ends the process after the last save, with another status if that fails.
  func exit(status: Int32) -> Never {
    terminal.close()
    // The last save is not interrupted. Ctrl-\ still ends the process.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    let farewell = dashboard.farewell(of: live.board)
    let errors = live.stop()
    if let farewell, acceptsOutput(STDERR_FILENO) { Program.warn(farewell) }
    guard !errors.isEmpty else { Platform.exit(status) }
    Program.exit(status == ExitStatus.success ? ExitStatus.failure : status, errors.asDiagnostics)
  }

  /// Continues in the background, or ends the process, because the terminal was closed.
  func hangUp() {
    let detaches = live.configuration.detachesOnHangup || live.launch.wasInBackground
    guard detaches, let control = live.control else { exit(bySignal: SIGHUP) }
    control.startBackground { [weak self] _ in self?.exit(bySignal: SIGHUP) }
  }

  /// Lets the session continue in the background.
  func detach() {
    guard let control = live.control else {
      return update(.error("this board does not own its session; it cannot go to the background"))
    }
    control.startBackground { [weak self] reason in self?.update(.error(reason)) }
  }

  /// Closes the board when all timers have finished, their last fires are delivered, and all commands have ended.
  func exitIfDone() {
    guard live.launch.exitsWhenDone, hasOnlyFinishedTimers,
      !live.board.timers.all.contains(where: \.commandState.isRunning)
    else { return }
    live.whenIdle { [weak self] in
      // After the pending events, such as a fire that starts another timer.
      DispatchQueue.main.async { self?.quitIfDone() }
    }
  }

  private func quitIfDone() {
    guard hasOnlyFinishedTimers, live.isIdle else { return }
    quit(status: ExitStatus.success)
  }

  private var hasOnlyFinishedTimers: Bool {
    let timers = live.board.timers
    return timers.count > 0 && timers.count(of: .finished) == timers.count
  }

  /// Ends the process for a client or for the new owner of the session.
  func end(newOwner: String?) {
    guard let newOwner else { exit(status: ExitStatus.success) }
    terminal.close()
    Program.warn("the session continues in \(newOwner)")
    if !live.isIdle { Program.warn("waiting for running commands to end") }
    live.whenIdle { [live, finalStatus] in
      _ = live.stop()
      Platform.exit(finalStatus)
    }
  }
}
