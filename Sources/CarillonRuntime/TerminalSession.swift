import CursesTerminal
import Dashboard
import Dispatch
import Lab
import Platform
import TerminalCore
import TimerKit

/// One run of the dashboard: ties the timers, the dashboard's state and the terminal together.
///
/// Everything here happens on the main queue. Events go one way: terminal and timers → messages →
/// ``Dashboard/update(_:at:)`` → effects → timers and terminal; and whatever happened asks for a frame.
@MainActor
final class TerminalSession {
  /// What the terminal and the model hold of a session that they must exist before.
  private final class Address {
    weak var session: TerminalSession?
  }

  /// The one that runs; it lives as long as the process.
  static var current: TerminalSession?

  private let terminal: CursesTerminal
  private let model: TimerModel
  private var dashboard: Dashboard
  private let pacer: FramePacer
  private let commands: CommandRunner
  /// Rings until a key is pressed.
  private var bell: Repeater?
  private let notifier: Notifier
  private let usesBell: Bool
  /// Made when it is first looked at.
  private lazy var lab = LabState()
  private var saver: SessionSaver?
  private var savedRevision = 0
  /// A tour that is still as it was made.
  private var isTour: Bool

  /// Opens the terminal, starts the timers and asks for the first frame.
  /// - Parameter lab: What to begin with, rather than with the board.
  init(
    _ opening: LaunchOptions, lab: LabState? = nil, environment: [String: String]
  ) throws(TerminalError) {
    let address = Address()
    let configuration = opening.configuration
    let input = try StandardInput()
    var terminalOptions = CursesTerminal.Options(environment: environment)
    terminalOptions.input = input.keys
    terminalOptions.usesMouse = configuration.usesMouse
    terminal = try CursesTerminal(terminalOptions) { event in address.session?.receive(event) }
    model = TimerModel { letters in address.session?.receive(letters) }
    pacer = FramePacer { address.session?.draw() }
    notifier = Notifier(configuration.notifications, environment: environment) {
      address.session?.terminal.notify(title: $0.title, text: $0.text, by: $1)
    }
    usesBell = configuration.notifications.usesBell
    commands = CommandRunner(
      atOnce: configuration.commandLimit, timeLimit: configuration.commandTime, output: .kept
    ) { id, ending, line in
      address.session?.commandEnded(id, CommandResult(ending, lastLine: line))
    }
    var options = DisplayOptions(
      isASCII: !terminal.capabilities.isUTF8, hasColor: terminal.capabilities.colors > 0,
      uses24Hours: !TimeOfDay.uses12Hours(environment: environment))
    configuration.set(&options)
    dashboard = Dashboard(
      options: options, size: terminal.size, bindings: configuration.bindings)
    isTour = opening.isTour
    address.session = self
    if let lab {
      self.lab = lab
      dashboard.showLab()
    }
    let now = Moment.now()
    perform(dashboard.resume(opening.saved, configuration.resumption, at: now))
    perform(dashboard.start(opening.specs, at: now))
    if let trouble = opening.trouble { update(.trouble(trouble)) }
    if let store = opening.store { save(in: store) }
    if let lines = input.lines {
      PipedLines.follow(lines) { news, done in address.session?.receive(news, done) }
    }
    pacer.ask()
  }

  private func save(in store: SessionStore) {
    let dashboard: @MainActor () -> (Dashboard, Moment) = { [unowned self] in
      (self.dashboard, Moment.now())
    }
    saver = SessionSaver(store, current: dashboard) { [weak self] trouble in
      self?.update(.trouble(trouble))
    }
    savedRevision = self.dashboard.revision
    if !isTour { saver?.noteChange(isTick: false) }
  }

  /// To be called after each message.
  private func noteChange(isTick: Bool) {
    guard dashboard.revision != savedRevision else { return }
    savedRevision = self.dashboard.revision
    if !isTour { saver?.noteChange(isTick: isTick) }
  }

  /// Saves for the last time.
  /// - Returns: what went wrong.
  private func finish() -> String? {
    isTour ? nil : saver?.finish()
  }

  /// Ends the process as a signal does.
  private func die(of signal: Int32) -> Never {
    commands.stop()
    _ = finish()
    terminal.die(of: signal)
  }

  private func quit(status: Int32) -> Never {
    terminal.close()
    commands.stop()
    guard let trouble = finish() else { exit(status) }
    Program.warn("the session cannot be saved: \(trouble)")
    exit(status == 0 ? 1 : status)
  }

  private func receive(_ event: CursesTerminal.Event) {
    switch event {
    case .input(let input): update(.input(input))
    case .resized(let size): update(.resized(size))
    case .resumed: update(.resumed)
    case .closed: die(of: SIGHUP)
    case .signal(let signal): die(of: signal)
    }
  }

  private func receive(_ letters: [TimerModel.Letter]) {
    let now = Moment.now()
    for letter in letters where model.isLive(letter) {
      perform(dashboard.update(.timer(letter.id, letter.news, letter.status), at: now))
      noteChange(isTick: letter.news != nil && letter.status.phase == .running)
    }
    pacer.ask()
  }

  private func receive(_ news: PipedLines.News, _ done: @escaping @Sendable () -> Void) {
    switch news {
    case .lines(let count, let isFirst):
      if !model.trigger(times: count, then: done), isFirst {
        update(
          .trouble("lines come in, and no timer waits for them: a adds a debounce or throttle"))
      }
    case .ended(let count):
      update(.told("the input has ended after \(count) line\(count == 1 ? "" : "s")"))
    case .failed(let error): update(.trouble("\(error)"))
    }
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    update(.command(id, result, isRunning: commands.isBusy(with: id)))
  }

  private func update(_ message: Message) {
    perform(dashboard.update(message, at: .now()))
    noteChange(isTick: false)
    pacer.ask()
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .create(let id, let spec, let checkpoint):
        if saver != nil { isTour = false }
        commands.end(of: id)
        do throws(RestoreError) {
          try model.create(id, spec, restoring: checkpoint)
        } catch {
          update(.notCreated(id, "\(error)"))
        }
      case .send(let command, let id): model.send(command, to: id)
      case .remove(let id):
        isTour = false
        commands.end(of: id)
        model.remove(id)
      case .run(let command, let id, let spec, let fire, let status):
        commands.run(.shell(command), for: id, FireReport(spec, fire, status, at: .now()))
      case .ring: ring()
      case .keepRinging(let isOn): keepRinging(isOn)
      case .notify(let notification): notifier.tell(notification)
      case .redraw: terminal.redraw()
      case .suspend: terminal.suspend()
      case .lab(let command):
        if !lab.update(command, at: TimerClock.suspending.now) { update(.labLeft) }
      case .quit(let status): quit(status: status)
      }
    }
  }

  private func ring() {
    if usesBell { terminal.ring() }
  }

  private func keepRinging(_ isOn: Bool) {
    guard isOn != (bell != nil) else { return }
    bell = nil
    guard isOn else { return }
    ring()
    do throws(TimerConfigurationError) {
      bell = try .every(.seconds(1), isolation: MainActor.shared) { [weak self] _, _ in
        self?.ring()
      }
    } catch {
      update(.trouble("\(error)"))
    }
  }

  private func draw() -> TimerClock.Instant? {
    let now = Moment.now()
    guard dashboard.showsLab else {
      terminal.present(dashboard.view(at: now))
      return dashboard.staleAt(now)
    }
    dashboard.lab = lab.frame(at: now.uptime)
    terminal.present(dashboard.view(at: now))
    return [dashboard.staleAt(now), lab.staleAt(now.uptime)].compactMap(\.self).min()
  }
}
