import CursesTerminal
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// A session of `carillon run`: timers without a screen, on the main queue.
@MainActor
final class RunSession {
  private let options: RunCommand
  private let live: BoardOwner
  private let output: OutputQueue
  // An error of standard error cannot be reported.
  private let errors = OutputQueue(STDERR_FILENO) { _ in }
  private var hasDroppedOutput = false
  /// The line between those of the output; `nil` if no progress is shown.
  private var progress: ProgressLine?
  /// The exit status for the end of all timers.
  private var status = ExitStatus.success
  private var isEnding = false
  private var signals: Signals?

  /// - Parameter maxTime: The time after which the program ends at the latest; `nil` for none.
  init(_ launch: LaunchOptions, _ options: RunCommand, maxTime: Duration?) {
    let reference = WeakReference<RunSession>()
    self.options = options
    output = OutputQueue(STDOUT_FILENO) { error in reference.object?.fail(error) }
    live = BoardOwner(launch, output: options.json ? .standardError : .standardOutput) { _, _ in }
    reference.object = self
    live.frontEnd = self
    if options.progress {
      progress = ProgressLine(on: errors) {
        // No progress line is drawn between the lines of a command.
        reference.object.flatMap { $0.live.hasNoCommand ? $0.live.board.timers : nil }
      }
    }
    handleSignals()
    live.own(as: .run)
    startTimers(launch.specs, maxTime: maxTime)
    progress?.refresh()
    // Also now: timers that did not start, such as paused ones, post no event.
    live.whenIdle { reference.object?.endIfDone() }
  }

  private func startTimers(_ specs: [TimerSpec], maxTime: Duration?) {
    // The reports are about names that were already in use, and about timers that cannot be created.
    for report in live.perform(.start(specs.map(withCommand))) {
      warn("\(report.label): \(report.text)")
      if report.isFailure { status = ExitStatus.failure }
    }
    guard let maxTime else { return }
    callOnMain(after: maxTime) { [weak self] in self?.endAtTimeLimit() }
  }

  /// Returns a timer with the command of the arguments, for which an empty text stands, unless it has its own command.
  private func withCommand(_ spec: TimerSpec) -> TimerSpec {
    var spec = spec
    // Without a session, nobody could start a timer that waits, or end a sound that repeats.
    if live.control == nil { spec.waits = false }
    if live.control == nil, spec.sound == .ring { spec.sound = .chime }
    if spec.command == nil, !options.command.isEmpty { spec.command = "" }
    return spec
  }

  /// A Boolean value that indicates whether a timer keeps the program running: it runs, or another process can resume it.
  private var hasActiveTimer: Bool {
    guard !live.isFirstFireOver else { return false }
    let timers = live.board.timers
    return timers.count(of: .running) > 0
      || (live.control != nil && timers.count(of: .paused) + timers.readyCount > 0)
  }

  /// Calls a closure after all earlier records are written, so that the history includes an end that is printed.
  private func afterRecords(_ then: @escaping @MainActor () -> Void) {
    if let recorder = live.recorder { recorder.record([], then: then) } else { then() }
  }

  private func print(_ line: String) {
    afterRecords { [weak self] in self?.write(line) }
  }

  private func write(_ line: String) {
    progress?.erase()
    defer { progress?.refresh() }
    guard !output.write(line + "\n"), !hasDroppedOutput else { return }
    hasDroppedOutput = true
    warn("standard output is not read: lines are dropped")
  }

  private func warn(_ message: String) {
    progress?.erase()
    _ = errors.write(Program.diagnostic(message))
    progress?.refresh()
  }
}

/// The end of the program.
extension RunSession {
  private func handleSignals() {
    // Ignore SIGPIPE, because a write reports a broken pipe.
    signal(SIGPIPE, SIG_IGN)
    let terminalSignals = progress == nil ? [] : [SIGWINCH, SIGCONT]
    signals = Signals([SIGINT, SIGTERM, SIGHUP] + terminalSignals) { [weak self] signal in
      if terminalSignals.contains(signal) {
        self?.progress?.refresh()
      } else {
        self?.endBySignal(signal)
      }
    }
  }

  private func endIfDone() {
    progress?.refresh()
    if !isEnding, !hasActiveTimer, live.isIdle { end(status) }
  }

  /// Ends the program after all output is written.
  private func end(_ status: Int32) {
    guard !isEnding else { return }
    endTimers()
    afterRecords { [live, output, errors] in
      for error in live.stop() { Program.warn(error) }
      output.finish { errors.finish { exit(status) } }
    }
  }

  /// Ends the program within a second, even if its output is not read.
  private func endAtTimeLimit() {
    let status = status
    end(status)
    callOnMain(after: .seconds(1)) { exit(status) }
  }

  private func endTimers() {
    isEnding = true
    progress?.end()
    live.endRuns()
    live.frontEnd = nil
  }

  /// Stops everything without waiting for the output to be read.
  private func stop() {
    endTimers()
    _ = live.stop()
  }

  private func fail(_ error: StreamError) {
    stop()
    Program.exit(with: error)
  }

  private func endBySignal(_ number: Int32) {
    stop()
    if number == SIGINT { exit(ExitStatus.interrupted) }
    Program.exit(bySignal: number)
  }
}

extension RunSession: FrontEnd {
  func show(_ reports: [Report]) {
    // After the response: a client may have ended the last timer.
    DispatchQueue.main.async { [weak self] in self?.endIfDone() }
  }

  func show(_ transitions: [Transition]) {
    guard !isEnding else { return }
    let now = ClockReading.now()
    for transition in transitions where transition.fire != nil && !options.quiet {
      let event = EventText(transition, at: now)
      print(
        options.json ? event.json(hasState: false) : event.line(uses24Hours: Program.uses24Hours))
    }
    progress?.erase()
  }

  func boardChanged(_ change: Change, ofCommand isOfCommand: Bool) { progress?.refresh() }

  func commandEnded(_ timer: BoardTimer, _ result: CommandResult) {
    guard !isEnding else { return }
    let (name, spec) = (timer.spec.title, timer.spec)
    if options.json, !options.quiet { print(result.json(of: name, at: ClockReading.now().wall)) }
    guard !result.isSuccess else { return }
    let command = spec.command.flatMap { $0.isEmpty ? nil : $0 } ?? options.command.first ?? ""
    warn("\(name): \(command): \(result.ending.text)")
    if case .notStarted = result.ending { status = ExitStatus.failure }
    if options.failFast { end(ExitStatus.failure) }
  }

  func show(error: String) {
    if !isEnding { warn(error) }
  }

  func end(newOwner: String?) { end(status) }
}
