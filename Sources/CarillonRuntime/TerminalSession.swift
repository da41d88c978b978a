import CursesTerminal
import Dashboard
import Dispatch
import Lab
import Platform
import TerminalCore
import TimerBoard
import TimerKit

/// A session of the dashboard, which connects the timers, the state of the dashboard and the terminal.
///
/// It runs on the main queue. Data flows in one direction: terminal and timers → messages →
/// ``Dashboard/update(_:at:)`` → effects → timers and terminal. Every message requests a frame.
@MainActor
final class TerminalSession {
  /// The running session, which lives as long as the process.
  static var current: TerminalSession?

  private let terminal: CursesTerminal
  private let model: TimerModel
  private var dashboard: Dashboard
  private let pacer: FramePacer
  private let commands: CommandRunner
  /// Repeats the bell until a key is pressed.
  private var bell: Repeater?
  private let notifier: Notifier
  private let usesBell: Bool
  /// The lab, which is created when it is first shown.
  private lazy var lab = LabState()
  private var saver: SessionSaver?
  private var savedRevision = 0
  /// A Boolean value that indicates whether the timers are those of the unchanged tour.
  private var isTour: Bool

  /// Opens the terminal, starts the timers and requests the first frame.
  /// - Parameter lab: The lab to show first; `nil` for the board.
  init(
    _ launch: LaunchOptions, lab: LabState? = nil, environment: [String: String]
  ) throws(TerminalError) {
    let reference = WeakReference<TerminalSession>()
    let configuration = launch.configuration
    let input = try StandardInput()
    var terminalOptions = CursesTerminal.Options(environment: environment)
    terminalOptions.input = input.keys
    terminalOptions.usesMouse = configuration.usesMouse
    terminal = try CursesTerminal(terminalOptions) { event in reference.object?.receive(event) }
    model = TimerModel { messages in reference.object?.receive(messages) }
    pacer = FramePacer { reference.object?.draw() }
    notifier = Notifier(configuration.notifications, environment: environment) {
      reference.object?.terminal.notify(title: $0.title, text: $0.text, by: $1)
    }
    usesBell = configuration.notifications.usesBell
    commands = CommandRunner(
      atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit, output: .kept
    ) { id, ending, line in
      reference.object?.commandEnded(id, CommandResult(ending, lastLine: line))
    }
    var options = DisplayOptions(
      isASCII: !terminal.capabilities.isUTF8, hasColor: terminal.capabilities.colors > 0,
      uses24Hours: !TimeOfDay.uses12Hours(environment: environment))
    configuration.set(&options)
    dashboard = Dashboard(
      options: options, size: terminal.size, bindings: configuration.bindings)
    isTour = launch.isTour
    reference.object = self
    if let lab {
      self.lab = lab
      dashboard.showLab()
    }
    perform(
      dashboard.start(
        restoring: launch.saved, configuration.restorePolicy, adding: launch.specs, at: .now()))
    if let error = launch.error { update(.error(error)) }
    if let store = launch.store { save(in: store) }
    if let lines = input.lines {
      PipedLines.follow(lines) { event, done in reference.object?.receive(event, done) }
    }
    pacer.request()
  }

  private func save(in store: SessionStore) {
    saver = SessionSaver(
      store, current: { [unowned self] in (dashboard.board, ClockReading.now()) },
      onError: { [weak self] in self?.update(.error($0)) })
    savedRevision = dashboard.board.timers.revision
    if !isTour { saver?.scheduleSave(afterFire: false) }
  }

  /// Schedules a save if the timers have changed.
  private func saveIfChanged(afterFire isFire: Bool) {
    let revision = dashboard.board.timers.revision
    guard revision != savedRevision else { return }
    savedRevision = revision
    if !isTour { saver?.scheduleSave(afterFire: isFire) }
  }

  /// Saves the session for the last time.
  /// - Returns: The error; `nil` on success.
  private func finish() -> String? {
    isTour ? nil : saver?.finish()
  }

  /// Ends the process by a signal.
  private func exit(bySignal signal: Int32) -> Never {
    commands.stop()
    _ = finish()
    terminal.die(of: signal)
  }

  private func quit(status: Int32) -> Never {
    terminal.close()
    commands.stop()
    guard let error = finish() else { Platform.exit(status) }
    Program.exit(
      status == ExitStatus.success ? ExitStatus.failure : status,
      "the session cannot be saved: \(error)")
  }

  private func receive(_ event: CursesTerminal.Event) {
    switch event {
    case .input(let input): update(.input(input))
    case .resized(let size): update(.resized(size))
    case .resumed: update(.resumed)
    case .closed: exit(bySignal: SIGHUP)
    case .signal(let signal): exit(bySignal: signal)
    }
  }

  private func receive(_ messages: [TimerModel.TimerMessage]) {
    let now = ClockReading.now()
    for message in messages where model.isLive(message) {
      perform(dashboard.update(.board(.timer(message.id, message.event, message.status)), at: now))
      saveIfChanged(afterFire: message.status.state == .running)
    }
    pacer.request()
  }

  private func receive(_ event: PipedLines.Event, _ done: @escaping @Sendable () -> Void) {
    switch event {
    case .lines(let count, let isFirst):
      if !model.trigger(times: count, then: done), isFirst {
        update(.error("no timer waits for the lines of the input; add a debounce or a throttle"))
      }
    case .ended(let count):
      update(.info("end of input after \(counted(count, "line"))"))
    case .failed(let error): update(.error("\(error)"))
    }
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    update(.board(.commandEnded(id, result, isRunning: commands.isBusy(with: id))))
  }

  private func update(_ message: Message) {
    perform(dashboard.update(message, at: .now()))
    saveIfChanged(afterFire: false)
    pacer.request()
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .board(let effect): perform(effect)
      case .redraw: terminal.redraw()
      case .suspend: terminal.suspend()
      case .lab(let command):
        if !lab.update(command, at: TimerClock.suspending.now) { update(.labLeft) }
      case .quit(let status): quit(status: status)
      }
    }
  }

  private func perform(_ effect: Board.Effect) {
    switch effect {
    case .create(let id, let spec, let checkpoint):
      if saver != nil { isTour = false }
      commands.end(of: id)
      do throws(RestoreError) {
        let status = try model.create(id, spec, restoring: checkpoint)
        // A timer that starts posts its state itself.
        if checkpoint != nil {
          perform(dashboard.update(.board(.timer(id, .changed, status)), at: .now()))
        }
      } catch {
        update(.board(.notCreated(id, "\(error)")))
      }
    case .control(let action, let ids, let cause):
      let outcomes = model.control(action, ids, at: .now())
      // The times of the outcomes count from the control: an earlier reading would show a second too many.
      perform(dashboard.update(.board(.controlled(action, outcomes, cause)), at: .now()))
    case .remove(let id):
      isTour = false
      commands.end(of: id)
      model.remove(id)
    case .run(let command, let id, let spec, let fire, let status):
      commands.run(.shell(command), for: id, FireReport(spec, fire, status, at: .now()))
    case .ring: ring()
    case .repeatBell(let isOn): repeatBell(isOn)
    case .notify(let notification): notifier.notify(notification)
    // The dashboard shows reports.
    case .report: break
    }
  }

  private func ring() {
    if usesBell { terminal.ring() }
  }

  private func repeatBell(_ isOn: Bool) {
    guard isOn != (bell != nil) else { return }
    bell = nil
    guard isOn else { return }
    ring()
    do throws(TimerConfigurationError) {
      bell = try .every(.seconds(1), isolation: MainActor.shared) { [weak self] _, _ in
        self?.ring()
      }
    } catch {
      update(.error("\(error)"))
    }
  }

  /// Draws a frame.
  /// - Returns: The instant at which the contents change by themselves; `nil` if they do not.
  private func draw() -> TimerClock.Instant? {
    let now = ClockReading.now()
    if dashboard.showsLab {
      let snapshot = LabSnapshot(
        lab.frame(at: now.uptime), nextChange: lab.nextChange(after: now.uptime))
      perform(dashboard.update(.lab(snapshot), at: now))
    }
    let frame = dashboard.frame(at: now)
    terminal.present(frame.canvas)
    return frame.nextRedraw
  }
}
