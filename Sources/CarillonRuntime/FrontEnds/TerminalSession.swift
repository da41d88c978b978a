import CursesTerminal
import Dashboard
import Lab
import Platform
import TerminalCore
import TimerBoard
import TimerKit

/// A session of the dashboard, which connects the timers, the state of the dashboard and the terminal.
///
/// It runs on the main queue. Data flows in one direction: input and wake-ups → the board → one ``Change`` → its owner, and
/// the next frame. A message of the terminal is a call of ``Dashboard/update(_:_:at:)``, to which the board is lent.
@MainActor
final class TerminalSession {
  let terminal: CursesTerminal
  let live: BoardOwner
  var dashboard: Dashboard
  private let pacer: FramePacer
  /// The lab, which is created when it is first shown.
  private lazy var lab = LabState()
  /// The guided tour; `nil` before and after it.
  private var tour: TourPlayer?
  /// The exit status after a hand-over.
  var finalStatus = ExitStatus.success
  private lazy var history = HistoryReader()
  /// The title of the window, and the instant at which it was set.
  private var title: (text: String, since: TimerClock.Instant)?
  /// The settings of the view as the configuration has them.
  private let configuredView: [DashboardSetting: String]

  /// Opens the terminal, starts the timers and requests the first frame.
  /// - Parameters:
  ///   - lab: The lab to show first; `nil` for the board.
  ///   - beginsTour: A Boolean value that indicates whether the guided tour of the board begins.
  init(
    _ launch: LaunchOptions, lab: LabState? = nil, beginsTour: Bool = false
  ) throws(TerminalError) {
    let reference = WeakReference<TerminalSession>()
    let configuration = launch.configuration
    let input = try StandardInput()
    var terminalOptions = CursesTerminal.Options(environment: Program.environment)
    terminalOptions.input = input.keys
    terminalOptions.usesMouse = configuration.usesMouse
    terminalOptions.setsTitle = configuration.setsTitle
    terminal = try CursesTerminal(
      terminalOptions, onInput: { inputs in reference.object?.receive(inputs) },
      onEvent: { event in reference.object?.receive(event) })
    pacer = FramePacer { reference.object?.draw() }
    live = BoardOwner(launch) {
      reference.object?.terminal.notify(title: $0.title, text: $0.text, by: $1)
    }
    var options = configuration.display.fitting(terminal)
    options.timerDefaults = configuration.timerDefaults
    options.dailyGoal = configuration.history.goal
    if live.recorder == nil {
      options.emptyHistoryText =
        configuration.history.isEnabled
        ? "no history: nothing is recorded with --fresh or in an unsaved session"
        : "no history: [history] in the configuration is off"
    }
    dashboard = Dashboard(
      options: options, size: terminal.size, bindings: configuration.bindings)
    dashboard.scenes = { Scene.titles }
    configuredView = dashboard.settings(of: live.board)
    dashboard.use(
      launch.view?.settings(configured: configuredView) ?? [:], on: &live.board, at: .now())
    if launch.isFirstStart { dashboard.beginHints() }
    reference.object = self
    live.frontEnd = self
    live.recorder?.onLines = { [weak self] in self?.recorded($0) }
    if let lab {
      self.lab = lab
      dashboard.showLab()
    }
    let now = ClockReading.now()
    live.perform(
      dashboard.start(with: launch.commands, on: &live.board, at: now), ofCommand: true)
    if beginsTour { tour = TourPlayer(Tour(at: now)) { reference.object?.play($0) } }
    if let error = launch.error { update(.error(error)) }
    if let notice = launch.notice { update(.info(notice)) }
    if let (type, substitute) = terminal.substitution {
      let text = "unknown terminal type '\(type)' in TERM; \(substitute) is used"
      _ = live.perform(.log(text))
    }
    live.own(as: .board)
    dashboard.canDetach = live.control != nil
    if let lines = input.lines {
      PipedLines.follow(lines) { event, done in reference.object?.receive(event, done) }
    }
    pacer.request()
  }

  private func receive(_ event: CursesTerminal.Event) {
    switch event {
    case .resized(let size): update(.resized(size))
    case .resumed: update(.resumed)
    case .closed: hangUp()
    case .signal(SIGHUP): hangUp()
    case .signal(let signal): exit(bySignal: signal)
    }
  }

  /// Handles the first of the inputs that have arrived.
  /// - Returns: The number of inputs that were handled; `nil` to drop all that has arrived.
  private func receive(_ inputs: ArraySlice<TerminalInput>) -> Int? {
    if let input = inputs.first, endTour(by: input) { return 1 }
    var count: Int?
    update(byInput: true) {
      let update = $0.update(inputs, &$1, at: .now())
      count = update.count
      return (update.change, update.effects)
    }
    return count
  }

  private func play(_ event: Tour.Event) {
    switch event {
    case .caption(let caption):
      if caption == nil { tour = nil }
      update(.caption(caption))
    case .press(let key): update(.input(.key(key)))
    }
  }

  /// Ends the tour, because the user takes over.
  /// - Returns: True if that is all that the input does: Esc ends on the board.
  private func endTour(by input: TerminalInput) -> Bool {
    switch input {
    case .key, .paste: break
    case .mouse(let event):
      guard case .press = event.kind else { return false }
    case .focus: return false
    }
    guard tour != nil else { return false }
    tour = nil
    update(.caption(nil))
    guard case .key(.escape) = input else { return false }
    update(.input(.key(.character("1"))))
    update(.info("the tour has ended; its timers run on"))
    return true
  }

  private func receive(_ event: PipedLines.Event, _ done: @escaping @Sendable () -> Void) {
    defer { done() }
    switch event {
    case .lines(let count, let isFirst):
      if !live.trigger(times: count), isFirst {
        update(.error("no timer waits for the lines of the input; add a debounce or a throttle"))
      }
    case .ended(let count): update(.info("end of input after \(counted(count, "line"))"))
    case .failed(let error): update(.error("\(error)"))
    }
  }

  func update(_ message: Message) {
    let isInput = if case .input = message { true } else { false }
    update(byInput: isInput) { $0.update(message, &$1, at: .now()) }
  }

  private func update(
    byInput isInput: Bool,
    _ update: (inout Dashboard, inout Board) -> (change: Change, effects: [Effect])
  ) {
    let (change, effects) = update(&dashboard, &live.board)
    live.perform(change, ofCommand: true)
    perform(effects)
    if isInput {
      // The settings of the view that keys have changed are saved.
      let view = SavedView(
        of: dashboard.settings(of: live.board), configured: configuredView, before: live.view)
      live.view = view.isEmpty ? nil : view
    }
    if dashboard.needsHistory { history.read { [weak self] in self?.show($0) } }
    pacer.request()
  }

  /// Shows the history that was read, and the error if there is one.
  private func show(_ outcome: HistoryReader.Outcome) {
    update(.history(outcome.index))
    if let error = outcome.error { update(.error(error)) }
  }

  private func recorded(_ lines: [HistoryLine]) {
    guard let new = history.receive(lines) else { return }
    dashboard.addToHistory(new, calendar: &history.calendar)
    pacer.request()
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .redraw: terminal.redraw()
      case .suspend: terminal.suspend()
      case .lab(let command):
        if !lab.update(command, at: TimerClock.suspending.now) { update(.labClosed) }
      case .tour: tour = TourPlayer(Tour(at: .now())) { [weak self] in self?.play($0) }
      case .detach: detach()
      case .quitFully: exit(status: ExitStatus.success)
      case .quit(let status): quit(status: status)
      }
    }
  }

  /// Draws a frame.
  /// - Returns: The instant at which the contents change by themselves; `nil` if they do not.
  private func draw() -> TimerClock.Instant? {
    // Nothing that is shown is older than now.
    live.advance()
    let now = ClockReading.now()
    if dashboard.showsLab {
      let page = lab.page(at: now.suspending)
      let nextChange = lab.nextChange(after: now.suspending)
      let message = Message.lab(page, nextChange: nextChange)
      perform(dashboard.update(message, &live.board, at: now).effects)
    }
    let frame = dashboard.frame(of: live.board, at: now)
    terminal.present(frame.canvas)
    return [frame.nextRedraw, setTitle(frame.title, at: now.suspending)].compactMap(\.self).min()
  }

  /// Sets the title of the window, at most once a second.
  /// - Returns: The instant at which a later title can be set; `nil` if it is set.
  private func setTitle(_ text: String, at now: TimerClock.Instant) -> TimerClock.Instant? {
    guard live.configuration.setsTitle, text != title?.text else { return nil }
    if let next = title?.since.advanced(by: .seconds(1)), next > now { return next }
    title = (text, now)
    terminal.setTitle(text)
    return nil
  }
}

extension TerminalSession: FrontEnd {
  func show(_ reports: [Report]) { update(.reports(reports)) }

  func boardChanged(_ change: Change, ofCommand isOfCommand: Bool) {
    if !isOfCommand { dashboard.follow(change, of: &live.board, at: .now()) }
    pacer.request()
    exitIfDone()
  }

  func show(error: String) { update(.error(error)) }

  func ring() {
    if live.configuration.notifications.usesBell { terminal.ring() }
  }
}
