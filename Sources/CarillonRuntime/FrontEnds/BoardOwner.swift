import CursesTerminal
import Dashboard
import Dispatch
import TimerBoard
import TimerKit

/// The one owner of a board in a process: it lets the board advance at its wake-ups, and performs each ``Change`` of it once,
/// with commands, hooks, bell, notifications, history, the saved session and its clients. All on the main queue.
///
/// The timers of the board follow three clocks; each has a `DeadlineTimer` on the main queue, which is a
/// `DispatchSourceTimer`, for the next wake-up.
@MainActor
final class BoardOwner {
  weak var frontEnd: (any FrontEnd)?
  /// The board. Whoever changes it passes the ``Change`` to ``perform(_:)``.
  var board: Board
  private lazy var alarms = TimerClock.Kind.allCases.map { clock in
    DeadlineTimer(clock: TimerClock(clock), isolation: MainActor.shared) { [weak self] _, _ in
      self?.advance()
    }
  }
  private let commands: CommandRunner<TimerID>
  private let hooks: Hooks
  private let notifier: Notifier
  /// The options of the start, without the timers, and the configuration in use.
  private(set) var launch: LaunchOptions
  private let environment: [String: String]
  private let bell = Bell()
  private let player: SoundPlayer
  /// The sound that repeats with the bell.
  private var repeatedSound: String?
  /// The settings of the view in the saved session. A front end without a screen keeps them for the next board.
  var view: SavedView? {
    didSet { if view != oldValue { saver?.scheduleSave(afterFire: false) } }
  }
  private var saver: SessionSaver?
  /// The control by clients; `nil` if this process does not own the session.
  private(set) var control: SessionControl?
  private var onIdle: (@MainActor () -> Void)?
  /// A Boolean value that indicates whether a hand-over waits for its confirmation.
  var isHandingOver = false
  /// A Boolean value that indicates whether the only fire that matters is over.
  private(set) var isFirstFireOver = false

  /// The recorder of the history; `nil` if nothing is recorded.
  private(set) var recorder: HistoryRecorder?
  /// The events for the clients that watch.
  let events: EventFeed

  var configuration: Configuration { launch.configuration }
  /// The ownership of the session; `nil` if the timers belong to none.
  private var ownership: SessionOwnership? { launch.ownership }

  /// - Parameter output: The destination of the output of the timers' commands.
  init(
    _ launch: LaunchOptions, output: CommandOutput = .kept,
    environment: [String: String] = Program.environment,
    showInTerminal: @escaping @MainActor (NotificationMessage, NotificationSequence) -> Void
  ) {
    let reference = WeakReference<BoardOwner>()
    let configuration = launch.configuration
    self.launch = launch
    self.launch.source = .none
    (self.launch.specs, self.launch.events) = ([], nil)
    self.environment = environment
    view = launch.view
    events = EventFeed(continuing: launch.events)
    let session = launch.ownership?.store.name
    board = Board(isMuted: configuration.display.isMuted, seed: .random(in: 0...(.max)))
    notifier = Notifier(
      configuration.notifications, environment: environment, showInTerminal: showInTerminal)
    commands = CommandRunner(
      atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit, output: output
    ) { id, ending, line in
      reference.object?.commandEnded(id, CommandResult(ending, lastLine: line))
    }
    hooks = Hooks(configuration, session: session) { error in
      if let error { reference.object?.frontEnd?.show(error: error) }
      reference.object?.performIfIdle()
    }
    player = SoundPlayer(environment: environment) { reference.object?.performIfIdle() }
    reference.object = self
    commands.onIdle = { reference.object?.performIfIdle() }
    bell.onRing = { reference.object?.ring() }
    guard launch.recordsHistory ?? (configuration.history.isEnabled && session != nil) else {
      return
    }
    recorder = HistoryRecorder(
      session: session, options: configuration.history, environment: environment
    ) { reference.object?.frontEnd?.show(error: $0) }
  }

  /// Saves the session from now on, unless it is one of `carillon run`, and lets clients control it. Does nothing if this
  /// process does not own it.
  func own(as kind: SessionOwner.Kind) {
    guard let ownership else { return }
    if kind != .run { startSaving() }
    control = SessionControl(kind, ownership, of: self)
  }

  /// Reads the configuration again. Hooks, presets, the limits of commands and the settings of notifications change
  /// at once; the timers and the mute stay.
  /// - Throws: The errors of the file. The old configuration then stays.
  func reload() throws(ConfigurationErrors) {
    launch.configuration = try Configuration.read(
      launch.configurationFile, environment: environment)
    hooks.use(configuration)
    commands.limit = configuration.commandLimit
    commands.timeLimit = configuration.commandTimeLimit
    notifier.use(configuration.notifications)
  }

  /// A Boolean value that indicates whether no command or hook is running or waiting, no sound plays, and no hand-over
  /// waits for its confirmation.
  var isIdle: Bool { !isHandingOver && hasNoCommand && hooks.isIdle && player.isIdle }

  /// A Boolean value that indicates whether no command of a timer is running or waiting.
  var hasNoCommand: Bool { commands.isIdle }

  /// Calls a closure now if ``isIdle`` is true, whenever the end of a command or hook makes it true, and after events of
  /// the timers while it is.
  func whenIdle(_ then: @escaping @MainActor () -> Void) {
    onIdle = then
    performIfIdle()
  }

  /// Performs a command on the board, and what follows from it.
  /// - Returns: The reports.
  func perform(_ command: Board.Command) -> [Report] {
    // While a hand-over waits for its confirmation, the board is that of the file.
    guard !isHandingOver else { return [.failure("the session is being handed over")] }
    let change = board.perform(command, at: .now())
    perform(change, ofCommand: true)
    return change.reports
  }

  /// Triggers every timer that waits for triggers, `count` times.
  /// - Returns: True if there is any such timer.
  func trigger(times count: Int) -> Bool {
    guard !isHandingOver, let change = board.trigger(times: count, at: .now()) else { return false }
    perform(change)
    return true
  }

  /// Lets the board advance to now, and performs what follows.
  func advance() {
    guard !isHandingOver else { return }
    perform(board.advance(to: .now()))
    performIfIdle()
  }

  /// Schedules the next wake-up of each clock. A wake-up that has passed comes in a later turn of the queue, so that a board
  /// with much that is due delays nothing else.
  private func scheduleWakeUps() {
    for alarm in alarms {
      let latest = isHandingOver ? nil : board.wakeUp(on: alarm.clock.kind)?.upperBound
      guard latest != alarm.deadline else { continue }
      if let latest { alarm.schedule(at: latest) } else { alarm.unschedule() }
    }
  }

  /// Ends the open runs of the history, because the process ends without a saved session.
  func endRuns() { perform(board.endRuns(at: .now())) }

  private func performIfIdle() {
    if isIdle { onIdle?() }
  }

  /// Saves the session from now on.
  func startSaving() {
    guard let ownership else { return }
    saver = SessionSaver(
      ownership.store,
      current: { [weak self] in self?.contentsToSave() },
      beforeSave: recorder?.barrier,
      onError: { [weak self] in self?.frontEnd?.show(error: $0) })
    saver?.scheduleSave(afterFire: false)
  }

  /// Returns the board to save; `nil` if the session is lost to another process.
  private func contentsToSave() -> SessionSaver.Contents? {
    control?.checkFiles()
    return saver == nil ? nil : (board, view, .now())
  }

  /// Saves the session within a second.
  func saveSoon() { saver?.scheduleSave(afterFire: false) }

  /// Saves the session no more, because another process owns it now. Its timers are saved beside its file, as they are
  /// now, and both processes say so.
  /// - Parameter owner: This process.
  func lose(_ loss: SessionLoss, of owner: SessionOwner) {
    guard let ownership, let saver = saver.take() else { return }
    control?.close()
    var lines = ["session '\(ownership.store.name)' is open in \(loss.newOwner) now"]
    saver.abandon(because: lines[0])
    var file = SessionFile(board, at: .now())
    file.view = view
    do throws(FileError) {
      lines.append(
        "its timers here are in \(try ownership.store.saveBeside(file.jsonLine, as: "lost"))")
    } catch {
      lines.append("its timers here are not saved: \(error)")
    }
    let message = lines.joined(separator: "; ")
    DispatchQueue.global(qos: .utility).async { [weak self] in
      var report = ControlRequest(.lost)
      report.value = owner.text
      _ = try? ControlClient.connect(to: ownership.store)?.response(to: report)
      DispatchQueue.main.async { self?.frontEnd?.lostSession(message) }
    }
  }

  /// Calls a closure when the session is saved as it is now, or has failed to; at once if this process does not save it.
  func whenSaved(_ completion: @escaping SessionSaver.Completion) {
    guard let saver else { return completion(nil) }
    saver.whenSaved(completion)
  }

  /// Stops the board and saves the session, so that another process can continue it. Until the hand-over is confirmed or has
  /// failed, the board does not advance.
  /// - Returns: The error; `nil` on success. After an error the timers continue.
  func stopForHandOver() -> String? {
    guard let saver else { return "this process does not save it" }
    advance()
    if let error = saver.finish() { return error }
    self.saver = nil
    isHandingOver = true
    scheduleWakeUps()
    return nil
  }

  /// Continues after a hand-over that the other process did not confirm. What was due in the meantime fires, late.
  func resumeAfterHandOver() {
    isHandingOver = false
    startSaving()
    advance()
  }

  /// Ends the commands, writes the history and the session for the last time, and closes the socket.
  /// - Returns: The messages of the errors.
  func stop() -> [String] {
    commands.stop()
    hooks.stop()
    player.stop()
    notifier.stop()
    let historyError = recorder?.finish().map { "the history cannot be written: \($0)" }
    let sessionError = saver?.finish().map { "the session cannot be saved: \($0)" }
    control?.close()
    return [historyError, sessionError].compactMap(\.self)
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    if let timer = board.timers[id] { frontEnd?.commandEnded(timer, result) }
    let isRunning = commands.isBusy(with: id)
    perform(board.commandEnded(id, result, isRunning: isRunning, at: .now()))
  }

  private func ring() {
    frontEnd?.ring()
    if bell.repeats { player.play(repeatedSound) }
  }
}

/// The performance of a change of the board.
extension BoardOwner {
  /// Performs a change of the board once: records the runs that have ended, shows what has happened, starts the commands of
  /// fires, passes the transitions on, and schedules a save.
  /// - Parameter isOfCommand: True if the reports are shown by whoever has performed the command.
  func perform(_ change: Change, ofCommand isOfCommand: Bool = false) {
    scheduleWakeUps()
    guard !change.isEmpty else { return }
    let steps = launch.endsAtFirstFire ? upToFirstFire(change.steps) : change.steps
    let transitions = steps.compactMap(\.transition)
    // A fire that starts a timer can end an alert of it.
    let isAcknowledged = transitions.contains { $0.event == .acknowledged }
    if board.isMuted || isAcknowledged && transitions.allSatisfy({ $0.fire == nil }) {
      player.endSound()
    }
    if !change.history.isEmpty { recorder?.record(change.history) }
    if !transitions.isEmpty { frontEnd?.show(transitions) }
    for step in steps {
      for request in step.requests { perform(request, of: step.transition) }
    }
    hooks.run(transitions)
    events.add(transitions)
    if change.needsSave {
      // After a kill, a recorded run that is still open in the file would be recorded again: it is saved soon.
      saver?.scheduleSave(afterFire: change.isOnlyFires && change.history.isEmpty)
    }
    frontEnd?.boardChanged(change, ofCommand: isOfCommand)
  }

  private func perform(_ request: Change.Request, of transition: Transition?) {
    switch request {
    case .run(let command):
      guard let transition else { return }
      let event = EventText(transition, at: .now(), session: ownership?.store.name)
      commands.run(
        command.isEmpty ? .arguments(launch.program) : .shell(command), for: transition.id, event)
    case .dropWaitingCommands(let id):
      if !commands.dropWaiting(of: id) { board.forgetCommand(ofDeleted: id) }
    case .ringOnce: bell.ring()
    case .repeatBell(let isOn): repeatBell(isOn)
    case .notify(let notification): notify(notification)
    }
  }

  private func repeatBell(_ isOn: Bool) {
    do throws(TimerConfigurationError) {
      if !isOn { player.endSound() }
      try bell.setRepeats(isOn)
    } catch {
      frontEnd?.show(error: "\(error)")
    }
  }

  private func notify(_ notification: TimerNotification) {
    notifier.notify(notification)
    // The bell does not ring for a command that failed.
    guard notification.event != .failed else { return }
    let sound = notification.sound ?? configuration.notifications.sound
    if notification.event == .ring { repeatedSound = sound }
    player.play(sound)
  }

  /// Returns the steps up to the first fire of all, with the first command. Of the later ones, only the bell follows.
  private func upToFirstFire(_ steps: [Change.Step]) -> [Change.Step] {
    let count =
      isFirstFireOver ? 0 : steps.firstIndex { $0.transition?.fire != nil }.map { $0 + 1 }
    guard let count else { return steps }
    isFirstFireOver = true
    return steps[..<count] + steps[count...].map(\.withoutFire)
  }
}
