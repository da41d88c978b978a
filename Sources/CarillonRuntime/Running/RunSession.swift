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
  private let model: TimerModel
  let commands: CommandRunner<TimerID>
  let hooks: Hooks
  private let line: EventLine
  let output: RunOutput
  /// The exit status for the end of all timers.
  var status = ExitStatus.success
  var isEnding = false
  /// The board, muted because there is no terminal for bell and notifications.
  var board = Board(isMuted: true, seed: .random(in: 0...(.max)))
  private var specs: [TimerID: TimerSpec] = [:]
  private var running: Set<TimerID> = []
  var signals: Signals?
  /// The control from other processes; `nil` if the timers belong to no session.
  var control: SessionControl?
  var reports: [Report] = []
  /// The recorder of the history; `nil` if nothing is recorded.
  var recorder: HistoryRecorder?

  init(_ specs: [TimerSpec], _ options: Options, ownership: SessionOwnership?) {
    let reference = WeakReference<RunSession>()
    self.options = options
    line = EventLine(isJSON: options.isJSON, uses24Hours: options.uses24Hours)
    model = TimerModel { messages in reference.object?.receive(messages) }
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
    let environment = ProcessInfo.processInfo.environment
    if options.showsProgress {
      output.showProgress(uses24Hours: options.uses24Hours, environment: environment) {
        // No progress line is drawn between the lines of a command.
        reference.object.flatMap { $0.commands.isIdle ? $0.board.timers : nil }
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
    let effects = board.handle(.start(specs.map(withCommand)), at: start)
    perform(effects)
    // At the start, the only reports are about names that were already in use.
    for report in reports { warn("\(report.label): \(report.text)") }
    // With a history, the time counts only until `launch`: otherwise the stretches would be too short by the time that
    // creating the timers takes.
    let elapsed = Program.startInstant.duration(
      to: recorder == nil ? TimerClock.suspending.now : launch.suspending)
    countFromStart(effects, elapsed)
    refreshProgress()
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
  private func countFromStart(_ effects: [Board.Effect], _ elapsed: Duration) {
    let waits: [(id: TimerID, time: Duration)] = effects.compactMap { effect in
      guard case .create(let id, let spec, nil) = effect else { return nil }
      switch spec.kind {
      case .once(let interval), .every(let interval, _): return (id, interval)
      case .cycle(let phases, _): return phases.first.map { (id, $0.duration) }
      default: return nil
      }
    }
    guard waits.allSatisfy({ elapsed < $0.time / 10 }) else { return }
    _ = model.control(
      .adjustTime(.exactly(.zero - elapsed)), waits.map(\.id), at: .now())
  }

  /// Returns a timer with the command of the arguments, for which an empty text stands, unless it has its own command.
  private func withCommand(_ spec: TimerSpec) -> TimerSpec {
    var spec = spec
    // Without a session, nobody could start a timer that waits.
    if control == nil { spec.waits = false }
    if spec.command == nil, !options.command.isEmpty { spec.command = "" }
    return spec
  }

  func perform(_ effects: [Board.Effect]) {
    var stopped: [TimerID] = []
    for effect in effects {
      switch effect {
      case .create(let id, let spec, let checkpoint):
        specs[id] = spec
        if specs[id]?.command == "" { specs[id]?.command = nil }
        running.insert(id)
        do throws(RestoreError) {
          let status = try model.create(id, spec, restoring: checkpoint)
          if !isActive(status) { stopped.append(id) }
          // A timer that starts posts its state itself.
          if checkpoint != nil { apply(.timer(id, .changed, status)) }
        } catch {
          Program.warn("\(spec.title): \(error)")
          end(ExitStatus.failure)
        }
      case .control(let action, let ids, let cause):
        running.formUnion(ids)
        let outcomes = model.control(action, ids, at: .now())
        stopped += outcomes.filter { !isActive($0.after) }.map(\.id)
        apply(.controlled(action, outcomes, cause))
      case .run(let text, let id, _, let fire, let status):
        guard let spec = spec(of: id) else { continue }
        output.progress?.erase()
        let command = text.isEmpty ? Command.arguments(options.command) : .shell(text)
        commands.run(command, for: id, EventReport(spec, fire, status, at: .now()))
      case .remove(let id):
        model.remove(id)
        stopped.append(id)
      case .report(let report): reports.append(report)
      case .ringOnce, .repeatBell, .notify: break
      }
    }
    // Timers that did not start, such as paused ones, post no event. They are removed after the events that
    // are already in the queue.
    guard !stopped.isEmpty else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.removeStopped(stopped) }
    }
  }

  private func removeStopped(_ ids: [TimerID]) {
    guard !isEnding else { return }
    for id in ids where !isActive(model.status(of: id)) { running.remove(id) }
    endIfDone()
  }

  func apply(_ event: Board.Event) {
    perform(board.apply(event, at: .now()))
    publishTransitions()
    refreshProgress()
  }

  /// Returns the specification of a timer with its current name, and with its own command only.
  private func spec(of id: TimerID) -> TimerSpec? {
    var spec = specs[id]
    if let timer = board.timers[id] { spec?.name = timer.name }
    return spec
  }

  func publishTransitions() {
    let transitions = board.takeTransitions()
    hooks.run(transitions)
    control?.publish(transitions)
    let lines = board.takeHistory()
    recorder?.record(lines)
  }

  private func hookEnded(_ error: String?) {
    guard !isEnding else { return }
    if let error { warn(error) }
    endIfDone()
  }

  /// Returns true if a timer keeps the program running: it runs, or another process can resume it.
  private func isActive(_ status: TimerStatus?) -> Bool {
    guard let status else { return false }
    return status.isActive || (control != nil && status.state == .paused)
  }

  func refreshProgress() { output.progress?.refresh() }

  private func receive(_ messages: [TimerModel.TimerMessage]) {
    guard !isEnding else { return }
    let now = ClockReading.now()
    for message in messages {
      guard model.isLive(message), let spec = spec(of: message.id) else { continue }
      var text: String?
      if case .fired(let fire) = message.event, !options.isQuiet {
        let report = EventReport(spec, fire, message.status, at: now)
        text = line.text(report, secondsFromUTC: now.secondsFromUTC)
      }
      // Before the output of the fire's command.
      if recorder == nil, let text { print(text) }
      perform(board.apply(.timer(message.id, message.event, message.status), at: now))
      publishTransitions()
      if recorder != nil, let text { print(text) }
      if options.endsAtFirstFire, case .fired = message.event {
        for id in specs.keys { model.remove(id) }
        running = []
        break
      }
      // The message's status, because the events of a later fire are still to come; and the current one,
      // because a chain may have restarted the timer since.
      if isActive(message.status) || isActive(message.sender.status) {
        running.insert(message.id)
      } else if message.isEvent {
        running.remove(message.id)
      }
    }
    endIfDone()
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    guard !isEnding, let spec = spec(of: id) else { return }
    let timer = spec.title
    if options.isJSON, !options.isQuiet {
      print(line.text(result, of: timer, at: ClockReading.now().wall))
    }
    if !result.ending.isSuccess {
      warn("\(timer): \(spec.command ?? options.command.first ?? ""): \(result.ending.text)")
      if case .notStarted = result.ending { status = ExitStatus.failure }
      if options.failsFast { return end(ExitStatus.failure) }
    }
    apply(.commandEnded(id, result, isRunning: commands.isBusy(with: id)))
    endIfDone()
  }

  /// Prints a line after all earlier records are written, so that the history includes an end that is printed.
  private func print(_ text: String) {
    guard let recorder else { return output.write(text) }
    recorder.record([]) { [output] in output.write(text) }
  }

  func warn(_ message: String) { output.warn(message) }

  private func endIfDone() {
    refreshProgress()
    if running.isEmpty, commands.isIdle, hooks.isIdle { end(status) }
  }
}
