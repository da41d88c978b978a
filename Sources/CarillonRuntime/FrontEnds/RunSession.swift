import CursesTerminal
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// A session of `carillon run`: timers without a screen, on the main queue.
@MainActor
final class RunSession {
  /// The running session, which lives as long as the process.
  static var current: RunSession?

  private let options: Options
  let model: TimerModel
  let commands: CommandRunner<TimerID>
  let hooks: Hooks
  let output: RunOutput
  /// The exit status for the end of all timers.
  var status = ExitStatus.success
  var isEnding = false
  /// The commands of fires, until the lines of the fires are printed.
  private var pendingCommands: [(id: TimerID, command: Command, event: EventText)] = []
  /// A Boolean value that indicates whether the program ends once its commands have.
  private var isLastFireOver = false
  var signals: Signals?
  /// The control from other processes; `nil` if the timers belong to no session.
  var control: SessionControl?
  /// The recorder of the history; `nil` if nothing is recorded.
  var recorder: HistoryRecorder?

  init(_ specs: [TimerSpec], _ options: Options, ownership: SessionOwnership?) {
    let reference = WeakReference<RunSession>()
    self.options = options
    // Muted, because there is no terminal for bell and notifications.
    model = .live(isMuted: true) { reference.object?.receive() }
    output = RunOutput { error in reference.object?.fail(error) }
    commands = CommandRunner(
      timeLimit: nil, output: options.isJSON ? .standardError : .standardOutput
    ) { timer, ending, line in
      reference.object?.commandEnded(timer, CommandResult(ending, lastLine: line))
    }
    hooks = Hooks([:], session: ownership?.store.name, timeLimit: nil) {
      reference.object?.hookEnded($0)
    }
    reference.object = self
    model.services = self
    let environment = ProcessInfo.processInfo.environment
    if options.showsProgress {
      output.showProgress(uses24Hours: options.uses24Hours, environment: environment) {
        // No progress line is drawn between the lines of a command.
        reference.object.flatMap { $0.commands.isIdle ? $0.model.board.timers : nil }
      }
    }
    handleSignals()
    if let history = options.history {
      recorder = HistoryRecorder(
        session: ownership?.store.name, options: history, environment: environment
      ) { reference.object?.warn($0) }
    }
    if let ownership {
      control = SessionControl(
        .run, ownership, of: nil, frontEnd: self, defaults: options.timerDefaults,
        environment: environment)
    }
    // The timers count from the start of the program, and so do their stretches.
    let launch = ClockReading.now()
    let start = recorder == nil ? launch : launch.moved(to: Program.startInstant)
    // The reports are about names that were already in use, and about timers that cannot be created.
    for report in model.perform(.start(specs.map(withCommand)), at: start) {
      warn("\(report.label): \(report.text)")
      if report.isFailure { status = ExitStatus.failure }
    }
    // With a history, the time counts only until `launch`: otherwise the stretches would be too short by the time that
    // creating the timers takes.
    let elapsed = Program.startInstant.duration(
      to: recorder == nil ? TimerClock.suspending.now : launch.suspending)
    countFromStart(elapsed)
    refreshProgress()
    // Timers that did not start, such as paused ones, post no event.
    DispatchQueue.main.async { MainActor.assumeIsolated { reference.object?.endIfDone() } }
    if let maxTime = options.maxTime {
      let nanoseconds = Int(clamping: (maxTime - elapsed).clampedNanoseconds)
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        MainActor.assumeIsolated { reference.object?.endAtTimeLimit() }
      }
    }
  }

  /// Subtracts the time since the start of the program from the first interval or phase of each timer, because parsing
  /// the arguments takes some milliseconds. Does nothing if that is a tenth or more of any such interval or phase, so
  /// that no tick is missed and all timers stay aligned.
  private func countFromStart(_ elapsed: Duration) {
    let waits: [(id: TimerID, time: Duration)] = model.board.timers.all.compactMap { timer in
      guard timer.status.state == .running else { return nil }
      return timer.status.period.map { (timer.id, $0) }
    }
    guard waits.allSatisfy({ elapsed < $0.time / 10 }) else { return }
    model.adjust(.adjustTime(.exactly(.zero - elapsed)), waits.map(\.id))
  }

  /// Returns a timer with the command of the arguments, for which an empty text stands, unless it has its own command.
  private func withCommand(_ spec: TimerSpec) -> TimerSpec {
    var spec = spec
    // Without a session, nobody could start a timer that waits.
    if control == nil { spec.waits = false }
    if spec.command == nil, !options.command.isEmpty { spec.command = "" }
    return spec
  }

  private func hookEnded(_ error: String?) {
    guard !isEnding else { return }
    if let error { warn(error) }
    endIfDone()
  }

  /// A Boolean value that indicates whether a timer keeps the program running: it runs, or another process can resume it.
  private var hasActiveTimer: Bool {
    guard !isLastFireOver else { return false }
    let timers = model.board.timers
    return timers.count(of: .running) > 0
      || timers.all.contains {
        $0.status.isExecuting || (control != nil && $0.status.state == .paused)
      }
  }

  func refreshProgress() { output.progress?.refresh() }

  private func receive() {
    guard !isEnding else { return }
    model.receive()
    endIfDone()
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    guard !isEnding, let spec = model.board.timers[id]?.spec else { return }
    let timer = spec.title
    if options.isJSON, !options.isQuiet {
      print(result.json(of: timer, at: ClockReading.now().wall))
    }
    if !result.ending.isSuccess {
      let command = spec.command.flatMap { $0.isEmpty ? nil : $0 } ?? options.command.first ?? ""
      warn("\(timer): \(command): \(result.ending.text)")
      if case .notStarted = result.ending { status = ExitStatus.failure }
      if options.failsFast { return end(ExitStatus.failure) }
    }
    model.commandEnded(id, result, isRunning: commands.isBusy(with: id))
    endIfDone()
  }

  /// Prints a line after all earlier records are written, so that the history includes an end that is printed.
  private func print(_ text: String) {
    guard let recorder else { return output.write(text) }
    recorder.record([]) { [output] in output.write(text) }
  }

  func warn(_ message: String) { output.warn(message) }

  func endIfDone() {
    refreshProgress()
    if !isEnding, !model.hasEvents, !hasActiveTimer, commands.isIdle, hooks.isIdle { end(status) }
  }
}

extension RunSession: @MainActor TimerServices {
  func run(
    _ command: String, of id: TimerID, _ spec: TimerSpec, _ fire: Fire, _ status: TimerStatus
  ) {
    let event = EventText(spec, fire, status, at: .now())
    pendingCommands.append(
      (id, command.isEmpty ? .arguments(options.command) : .shell(command), event))
  }

  func endCommands(of id: TimerID) { commands.endCommands(of: id) }

  // There is no terminal for bell and notifications.
  func ringOnce() {}
  func repeatBell(_ isOn: Bool) {}
  func notify(_ notification: TimerNotification) {}

  /// Prints the lines of the fires and runs their commands, records the history, and passes the transitions on.
  func changed(_ change: BoardChange) {
    recorder?.record(change.history)
    guard !isLastFireOver else {
      pendingCommands = []
      return
    }
    var transitions = change.transitions
    if options.endsAtFirstFire, let first = transitions.firstIndex(where: { $0.fire != nil }) {
      transitions.removeSubrange((first + 1)...)
      pendingCommands.removeAll { $0.id != transitions[first].id }
      pendingCommands.removeSubrange(min(1, pendingCommands.count)...)
      isLastFireOver = true
    }
    let now = ClockReading.now()
    for transition in transitions where transition.fire != nil && !options.isQuiet {
      let event = EventText(transition, at: now)
      print(
        options.isJSON ? event.json(hasState: false) : event.line(uses24Hours: options.uses24Hours))
    }
    for (id, command, event) in pendingCommands {
      output.progress?.erase()
      commands.run(command, for: id, event)
    }
    pendingCommands = []
    hooks.run(transitions)
    control?.publish(transitions)
    refreshProgress()
  }
}

extension RunSession {
  struct Options {
    var isJSON = false
    var isQuiet = false
    /// A Boolean value that indicates whether a line of progress is shown on the terminal of standard error.
    var showsProgress = false
    var endsAtFirstFire = false
    var failsFast = false
    var maxTime: Duration?
    var uses24Hours = true
    /// The program to run at each fire, with its arguments; empty for none.
    var command: [String] = []
    /// The settings of timers that other processes add.
    var timerDefaults = TimerDefaults()
    /// The settings of the history; `nil` if nothing is recorded.
    var history: HistoryOptions?
  }
}

/// Commands of other processes.
extension RunSession: FrontEnd {
  func show(_ reports: [Report]) {
    // After the response: a client may have ended the last timer.
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.endIfDone() } }
  }

  func boardChanged(reports: [Report]) {}

  func show(error: String) { warn(error) }

  func ring() {}

  /// A client cannot change the configuration of `carillon run`.
  func apply(_ configuration: Configuration) {}

  func end(newOwner: String?) { end(status) }
}
