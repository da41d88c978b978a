import CursesTerminal
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The live timers, the commands, the notifications and the saved session of a board. It performs the effects of the
/// board and passes the resulting events to the front end, all on the main queue.
@MainActor
final class LiveBoard {
  weak var frontEnd: (any FrontEnd)?
  private let commands: CommandRunner<TimerID>
  private let hooks: Hooks
  private let notifier: Notifier
  private let session: SessionName?
  private let environment: [String: String]
  /// The path of the configuration; `nil` for the default one.
  let configurationFile: String?
  private(set) var configuration: Configuration
  private let model: TimerModel
  private let bell = Bell()
  /// The settings of the view in the saved session. A front end without a screen keeps them for the next board.
  var view: SavedView? {
    didSet { if view != oldValue, !isTour { saver?.scheduleSave(afterFire: false) } }
  }
  private var saver: SessionSaver?
  private var savedRevision = 0
  /// A Boolean value that indicates whether the board was opened with the tour and has not been saved for a hand-over.
  private var opensTour: Bool
  private var onIdle: (@MainActor () -> Void)?
  private var resultRouting = ResultRouting.applied
  /// The number of results that are being passed on.
  private var passingOnCount = 0

  /// The recorder of the history; `nil` if nothing is recorded.
  private(set) var recorder: HistoryRecorder?
  /// Called with the end of a timer's command and the timer's label.
  var onCommandEnd: (@MainActor (String, CommandResult) -> Void)?
  /// Called with the transitions of timers.
  var onTransitions: [@MainActor ([Transition]) -> Void] = []

  init(
    _ launch: LaunchOptions, environment: [String: String],
    showInTerminal: @escaping @MainActor (NotificationMessage, NotificationSequence) -> Void
  ) {
    let reference = WeakReference<LiveBoard>()
    let configuration = launch.configuration
    self.configuration = configuration
    configurationFile = launch.configurationFile
    self.environment = environment
    opensTour = launch.isTour
    view = launch.view
    session = launch.ownership?.store.name
    model = TimerModel { messages in reference.object?.receive(messages) }
    notifier = Notifier(
      configuration.notifications, environment: environment, showInTerminal: showInTerminal)
    commands = CommandRunner(
      atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit, output: .kept
    ) { id, ending, line in
      reference.object?.commandEnded(id, CommandResult(ending, lastLine: line))
    }
    hooks = Hooks(
      configuration.hooks, session: session, atOnce: configuration.commandLimit,
      timeLimit: configuration.commandTimeLimit
    ) { error in
      if let error { reference.object?.frontEnd?.show(error: error) }
      reference.object?.performIfIdle()
    }
    reference.object = self
    commands.onIdle = { reference.object?.performIfIdle() }
    bell.onRing = { reference.object?.frontEnd?.ring() }
    guard configuration.history.isEnabled, session != nil else { return }
    recorder = HistoryRecorder(
      session: session, options: configuration.history, environment: environment
    ) { reference.object?.frontEnd?.show(error: $0) }
  }

  /// Reads the configuration again. Hooks, presets, the limits of commands and the settings of notifications change
  /// at once; the timers and the mute stay.
  /// - Throws: The errors of the file. The old configuration then stays.
  func reload() throws(ConfigurationErrors) {
    configuration = try Configuration.read(configurationFile, environment: environment)
    hooks.use(configuration)
    commands.setLimits(
      atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit)
    notifier.use(configuration.notifications)
    frontEnd?.apply(configuration)
  }

  /// A Boolean value that indicates whether the timers are those of the tour, and the user has changed none of them.
  /// Such a session is not saved, and its stretches are not recorded.
  private var isTour: Bool { opensTour && frontEnd?.board.hasChangeRequests != true }

  /// A Boolean value that indicates whether no command or hook is running or waiting, no result is being passed on, and
  /// no hand-over waits for its confirmation.
  var isIdle: Bool {
    if case .kept = resultRouting { return false }
    return commands.isIdle && hooks.isIdle && passingOnCount == 0
  }

  /// Calls a closure now if ``isIdle`` is true, and whenever the end of a command or hook makes it true.
  func whenIdle(_ then: @escaping @MainActor () -> Void) {
    onIdle = then
    performIfIdle()
  }

  private func performIfIdle() {
    if isIdle { onIdle?() }
  }

  /// Saves the session in a store from now on.
  func save(in store: SessionStore) {
    saver = SessionSaver(
      store,
      current: { [weak self] in
        self?.frontEnd.map {
          SessionSaver.Contents(board: $0.board, view: self?.view, now: .now())
        }
      },
      beforeSave: recorder?.barrier,
      onError: { [weak self] in self?.frontEnd?.show(error: $0) })
    savedRevision = frontEnd?.board.timers.revision ?? 0
    if !isTour { saver?.scheduleSave(afterFire: false) }
  }

  /// Stops all timers and saves the session with the time that they have left, so that another process can
  /// continue it.
  /// - Returns: The error; `nil` on success. After an error the timers continue.
  func stopForHandOver() -> String? {
    guard let frontEnd, let saver else { return "this process does not save it" }
    for (id, status) in model.stop() { frontEnd.update(.timer(id, .changed, status)) }
    boardChanged(afterFire: false)
    let error = saver.finish(for: .handOver)
    if error == nil {
      self.saver = nil
      opensTour = false
      resultRouting = .kept([])
    } else {
      restartTimers()
      boardChanged(afterFire: false)
    }
    return error
  }

  /// Passes the results of commands on, because another process has the timers.
  /// - Parameter passOn: Called with the position of a result's timer.
  func passOnResults(_ passOn: @escaping ResultRouting.PassOn) {
    setResultRouting(.passedOn(passOn))
  }

  private func setResultRouting(_ routing: ResultRouting) {
    let before = resultRouting
    resultRouting = routing
    if case .kept(let kept) = before { for (id, result) in kept { commandEnded(id, result) } }
  }

  /// Continues after a hand-over that the other process did not confirm.
  func resumeAfterHandOver(savingIn store: SessionStore) {
    restartTimers()
    save(in: store)
    setResultRouting(.applied)
    performIfIdle()
  }

  private func restartTimers() {
    let now = ClockReading.now()
    frontEnd?.board.resetForRecreatedTimers()
    let timers = frontEnd?.board.timers.all ?? []
    perform(timers.map { .create($0.id, $0.spec, restoring: $0.checkpoint(at: now)) })
  }

  /// Ends the commands, and writes the history and the session for the last time.
  /// - Returns: The messages of the errors.
  func stop() -> [String] {
    commands.stop()
    hooks.stop()
    let historyError = recorder?.finish().map { "the history cannot be written: \($0)" }
    let sessionError = isTour ? nil : saver?.finish().map { "the session cannot be saved: \($0)" }
    return [historyError, sessionError].compactMap(\.self)
  }

  func trigger(times count: Int, then done: @escaping @Sendable () -> Void) -> Bool {
    model.trigger(times: count, then: done)
  }

  /// Performs effects in order.
  func perform(_ effects: [Board.Effect]) {
    var restored: [(id: TimerID, status: TimerStatus)] = []
    func reportRestored() {
      guard !restored.isEmpty else { return }
      frontEnd?.update(.restored(restored))
      restored = []
    }
    for effect in effects {
      guard case .create(let id, let spec, let checkpoint) = effect else {
        // The effect can change the timers again.
        reportRestored()
        perform(effect)
        continue
      }
      commands.endCommands(of: id)
      do throws(RestoreError) {
        let status = try model.create(id, spec, restoring: checkpoint)
        // A timer that starts posts its state itself.
        if checkpoint != nil { restored.append((id, status)) }
      } catch {
        frontEnd?.update(.notCreated(id, "\(error)"))
      }
    }
    reportRestored()
  }

  /// Records the stretches that have ended, passes on the transitions, and schedules a save if the timers have changed.
  func boardChanged(afterFire isFire: Bool) {
    guard let frontEnd else { return }
    let hasRecorded = recordHistory(of: frontEnd)
    let transitions = frontEnd.board.takeTransitions()
    if !transitions.isEmpty {
      hooks.run(transitions)
      for notify in onTransitions { notify(transitions) }
    }
    let revision = frontEnd.board.timers.revision
    guard revision != savedRevision else { return }
    savedRevision = revision
    // After a kill, a recorded stretch that is still open in the file would be recorded again: it is saved soon.
    if !isTour { saver?.scheduleSave(afterFire: isFire && !hasRecorded) }
  }

  /// Records the stretches that have ended, except those of the tour.
  /// - Returns: True if there were any.
  private func recordHistory(of frontEnd: any FrontEnd) -> Bool {
    guard frontEnd.board.hasHistory else { return false }
    let lines = frontEnd.board.takeHistory()
    if !isTour { recorder?.record(lines) }
    return true
  }

  /// The number of events whose changes are passed on together. The board keeps a limited number of transitions.
  private static let batchSize = 1000

  private func receive(_ messages: [TimerModel.TimerMessage]) {
    var (count, isFire) = (0, true)
    for message in messages where model.isLive(message) {
      frontEnd?.update(.timer(message.id, message.event, message.status))
      count += 1
      if message.status.state != .running { isFire = false }
      if count % Self.batchSize == 0 { boardChanged(afterFire: isFire) }
    }
    if count % Self.batchSize > 0 { boardChanged(afterFire: isFire) }
  }

  /// Handles the end of a timer's command.
  func commandEnded(_ id: TimerID, _ result: CommandResult) {
    switch resultRouting {
    case .applied: apply(result, of: id)
    case .kept(let kept): resultRouting = .kept(kept + [(id, result)])
    case .passedOn(let passOn):
      guard let position = frontEnd?.board.timers.position(of: id) else { return }
      passingOnCount += 1
      passOn(position, result) { [weak self] in
        self?.passingOnCount -= 1
        self?.performIfIdle()
      }
    }
  }

  private func apply(_ result: CommandResult, of id: TimerID) {
    onCommandEnd?(frontEnd?.board.timers[id]?.label ?? "", result)
    frontEnd?.update(.commandEnded(id, result, isRunning: commands.isBusy(with: id)))
    boardChanged(afterFire: false)
  }

  private func perform(_ effect: Board.Effect) {
    switch effect {
    case .control(let action, let ids, let cause):
      let outcomes = model.control(action, ids, at: .now())
      frontEnd?.update(.controlled(action, outcomes, cause))
    case .remove(let id):
      commands.endCommands(of: id)
      model.remove(id)
    case .run(let command, let id, let spec, let fire, let status):
      var report = EventReport(spec, fire, status, at: .now())
      report.session = session
      commands.run(.shell(command), for: id, report)
    case .ringOnce: bell.ring()
    case .repeatBell(let isOn):
      do throws(TimerConfigurationError) {
        try bell.setRepeats(isOn)
      } catch {
        frontEnd?.show(error: "\(error)")
      }
    case .notify(let notification): notifier.notify(notification)
    // The front end shows reports, and timers are created together.
    case .report, .create: break
    }
  }
}
