import CursesTerminal
import Dispatch
import Platform
import TimerBoard

/// The end of the program.
extension RunSession {
  func handleSignals() {
    // Ignore SIGPIPE, because a write reports a broken pipe.
    signal(SIGPIPE, SIG_IGN)
    let terminalSignals = output.progress == nil ? [] : [SIGWINCH, SIGCONT]
    signals = Signals([SIGINT, SIGTERM, SIGHUP] + terminalSignals) { [weak self] signal in
      if terminalSignals.contains(signal) {
        self?.output.progress?.refresh()
      } else {
        self?.endBySignal(signal)
      }
    }
  }

  func fail(_ error: StreamError) {
    stop()
    Program.exit(with: error)
  }

  /// Ends the program after all output is written.
  func end(_ status: Int32) {
    guard !isEnding else { return }
    isEnding = true
    stopCommands()
    guard let recorder else { return flushAndExit(status) }
    model.endStretches()
    recorder.record([]) { [weak self] in
      if let error = recorder.finish() { Program.warn("the history cannot be written: \(error)") }
      self?.flushAndExit(status)
    }
  }

  private func flushAndExit(_ status: Int32) {
    output.finish { exit(status) }
  }

  /// Ends the program within a second, even if its output is not read.
  func endAtTimeLimit() {
    let status = status
    end(status)
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) { exit(status) }
  }

  private func stopCommands() {
    output.progress?.end()
    commands.stop()
    hooks.stop()
    control?.close()
  }

  /// Stops everything without waiting for the output to be read.
  private func stop() {
    stopCommands()
    guard let recorder else { return }
    model.endStretches()
    _ = recorder.finish()
  }

  private func endBySignal(_ number: Int32) {
    stop()
    if number == SIGINT { exit(ExitStatus.interrupted) }
    Program.exit(bySignal: number)
  }
}
