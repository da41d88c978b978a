import CursesTerminal
import Dashboard
import Dispatch
import TimerBoard
import TimerKit

/// The model of a process with all that the process adds to it: commands, hooks, bell, notifications, history, the saved
/// session and its control by clients. All on the main queue.
@MainActor
final class LiveBoard {
  weak var frontEnd: (any FrontEnd)?
  let model: TimerModel
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
  /// The commands of fires, until the front end has shown the fires.
  private var pendingCommands: [(id: TimerID, command: Command, event: EventText)] = []
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
    let reference = WeakReference<LiveBoard>()
    let configuration = launch.configuration
    self.launch = launch
    self.launch.source = .session([])
    (self.launch.specs, self.launch.events) = ([], nil)
    self.environment = environment
    view = launch.view
    events = EventFeed(continuing: launch.events)
    let session = launch.ownership?.store.name
    model = TimerModel(
      Board(isMuted: configuration.display.isMuted, seed: .random(in: 0...(.max))),
      queue: DispatchQueue(label: "carillon.timers"), readClocks: ClockReading.now
    ) {
      DispatchQueue.main.async { reference.object?.receive() }
    }
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
    model.services = self
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
  var hasNoCommand: Bool { commands.isIdle && pendingCommands.isEmpty }

  /// Calls a closure now if ``isIdle`` is true, whenever the end of a command or hook makes it true, and after events of
  /// the timers while it is.
  func whenIdle(_ then: @escaping @MainActor () -> Void) {
    onIdle = then
    performIfIdle()
  }

  private func receive() {
    model.receive()
    performIfIdle()
  }

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
    return saver == nil ? nil : (model.board, view, .now())
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
    var file = SessionFile(model.board, at: .now())
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

  /// Stops all timers and saves the session with the time that they have left, so that another process can
  /// continue it.
  /// - Returns: The error; `nil` on success. After an error the timers continue.
  func stopForHandOver() -> String? {
    guard let saver else { return "this process does not save it" }
    model.stop()
    let error = saver.finish()
    if error == nil {
      self.saver = nil
      isHandingOver = true
    } else {
      model.restart()
    }
    return error
  }

  /// Continues after a hand-over that the other process did not confirm.
  func resumeAfterHandOver() {
    model.restart()
    startSaving()
    isHandingOver = false
    performIfIdle()
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
    if let timer = model.board.timers[id] { frontEnd?.commandEnded(timer, result) }
    model.receive(.commandEnded(id, result, isRunning: commands.isBusy(with: id)))
  }
}

extension LiveBoard: @MainActor TimerServices {
  func run(_ command: String, for fire: Transition) {
    let event = EventText(fire, at: .now(), session: ownership?.store.name)
    pendingCommands.append(
      (fire.id, command.isEmpty ? .arguments(launch.program) : .shell(command), event))
  }

  func dropWaitingCommands(of id: TimerID) -> Bool {
    pendingCommands.removeAll { $0.id == id }
    return commands.dropWaiting(of: id)
  }

  func ringOnce() { bell.ring() }

  func repeatBell(_ isOn: Bool) {
    do throws(TimerConfigurationError) {
      if !isOn { player.endSound() }
      try bell.setRepeats(isOn)
    } catch {
      frontEnd?.show(error: "\(error)")
    }
  }

  private func ring() {
    frontEnd?.ring()
    if bell.repeats { player.play(repeatedSound) }
  }

  func notify(_ notification: TimerNotification) {
    notifier.notify(notification)
    // The bell does not ring for a command that failed.
    guard notification.event != .failed else { return }
    let sound = notification.sound ?? configuration.notifications.sound
    if notification.event == .ring { repeatedSound = sound }
    player.play(sound)
  }

  /// Records the stretches that have ended, shows the transitions, starts the commands of the
  /// fires among them, passes them on, and schedules a save.
  func changed(_ change: BoardChange) {
    // A fire that starts a timer can end an alert of it.
    let isAcknowledged = change.transitions.contains { $0.event == .acknowledged }
    if model.board.isMuted || isAcknowledged && change.transitions.allSatisfy({ $0.fire == nil }) {
      player.endSound()
    }
    if !change.history.isEmpty { recorder?.record(change.history) }
    let transitions =
      launch.endsAtFirstFire ? upToFirstFire(change.transitions) : change.transitions
    if !transitions.isEmpty { frontEnd?.show(transitions) }
    let starting = pendingCommands
    pendingCommands = []
    for (id, command, event) in starting { commands.run(command, for: id, event) }
    hooks.run(transitions)
    events.add(transitions)
    if change.isSaveNeeded {
      // After a kill, a recorded stretch that is still open in the file would be recorded again: it is saved soon.
      saver?.scheduleSave(afterFire: change.isOnlyFires && change.history.isEmpty)
    }
    frontEnd?.boardChanged(reports: change.reports)
  }

  /// Returns the transitions up to the first fire of all, and drops the commands of the later ones.
  private func upToFirstFire(_ transitions: [Transition]) -> [Transition] {
    guard !isFirstFireOver else {
      pendingCommands = []
      return []
    }
    guard let first = transitions.firstIndex(where: { $0.fire != nil }) else { return transitions }
    isFirstFireOver = true
    pendingCommands.removeAll { $0.id != transitions[first].id }
    pendingCommands = Array(pendingCommands.prefix(1))
    return Array(transitions[...first])
  }
}
