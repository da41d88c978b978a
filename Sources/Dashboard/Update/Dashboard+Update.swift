package import TerminalCore
package import TimerBoard
import TimerKit

/// Messages.
extension Dashboard {
  /// Updates the dashboard and the board with a message.
  /// - Returns: What has changed on the board, and the effects, to be performed in order.
  package mutating func update(
    _ message: Message, _ board: inout Board, at now: ClockReading
  ) -> (change: Change, effects: [Effect]) {
    var effects: [Effect] = []
    let change = lend(&board, at: now) { dashboard in
      dashboard.advance(at: now)
      effects = dashboard.update(message, at: now)
    }
    return (change, effects)
  }

  /// Performs the commands with which the board starts.
  package mutating func start(
    with commands: [Board.Command], on board: inout Board, at now: ClockReading
  ) -> Change {
    lend(&board, at: now) { dashboard in
      for command in commands { dashboard.perform(command, at: now) }
      dashboard.firstMinute.since = now.suspending
      dashboard.keepSelectionVisible()
    }
  }

  /// Follows what others have changed on the board, and shows the reports.
  package mutating func follow(_ change: Change, of board: inout Board, at now: ClockReading) {
    _ = lend(&board, at: now) { $0.follow(change.reports, at: now) }
  }

  /// Lends the board to a call.
  /// - Returns: What the call has changed on it.
  mutating func lend(
    _ board: inout Board, at now: ClockReading, _ call: (inout Dashboard) -> Void
  ) -> Change {
    self.now = now
    swap(&self.board, &board)
    call(&self)
    swap(&self.board, &board)
    return exchange(&change, with: Change())
  }

  /// Lets the board advance, so that nothing is older than the message.
  private mutating func advance(at now: ClockReading) {
    let passed = board.advance(to: now)
    if !passed.isEmpty { follow(passed.reports, at: now) }
    change.append(passed)
  }

  private mutating func follow(_ reports: [Report], at now: ClockReading) {
    show(reports, at: now)
    needsSelectionCheck = true
  }

  private mutating func update(_ message: Message, at now: ClockReading) -> [Effect] {
    applyBoardChanges()
    switch message {
    case .reports(let reports):
      show(reports, at: now)
      followSelectedTimer()
    case .input(let input):
      defer { parsePrompt() }
      return handle(input, at: now)
    case .caption(let caption):
      // The keys of the user, who takes over, are for the board.
      if caption == nil { prompt = nil }
      self.caption = caption
      keepSelectionVisible()
    case .resized(let size):
      self.size = size
      keepSelectionVisible()
    case .resumed: return [.redraw]
    case .lab(let page, let nextChange): lab = (page, nextChange)
    case .labClosed: show(.board)
    case .history(let index): historyState.history = index
    case .error(let text): notice = .failure(text)
    case .info(let text):
      notice = .success(text)
      perform(.log(text), at: now)
    }
    return []
  }

  /// Handles the first of the inputs that have arrived. Characters that follow each other in a prompt are one change, and
  /// its text is parsed once for all that has arrived.
  /// - Returns: The number of inputs that were handled, what has changed on the board, and the effects, to be performed in
  ///   order. The number is `nil` if there is no room for the text in the prompt: what has arrived with it must not be
  ///   handled either.
  package mutating func update(
    _ inputs: ArraySlice<TerminalInput>, _ board: inout Board, at now: ClockReading
  ) -> (count: Int?, change: Change, effects: [Effect]) {
    var (count, effects): (Int?, [Effect]) = (0, [])
    let change = lend(&board, at: now) { dashboard in
      dashboard.advance(at: now)
      dashboard.applyBoardChanges()
      (count, effects) = dashboard.update(inputs, at: now)
    }
    return (count, change, effects)
  }

  private mutating func update(
    _ inputs: ArraySlice<TerminalInput>, at now: ClockReading
  ) -> (count: Int?, effects: [Effect]) {
    guard let first = inputs.first else { return (0, []) }
    let typed = inputs.prefix(scope == .prompt ? .max : 0).typedText
    guard typed.count > 1 else {
      let effects = inputs.count == 1 ? update(.input(first), at: now) : handle(first, at: now)
      return (1, effects)
    }
    _ = handle(at: now) {
      $0.edit { $0.insert(typed.text) }
      return []
    }
    if inputs.count == typed.count { parsePrompt() }
    return (editor?.refusal == nil ? typed.count : nil, [])
  }

  private mutating func handle(_ input: TerminalInput, at now: ClockReading) -> [Effect] {
    switch input {
    case .key(let key): return handle(at: now) { $0.press(key, at: now) }
    case .mouse(let event):
      switch event.kind {
      case .press(button: 1), .scrollUp, .scrollDown:
        return handle(at: now) { $0.handle(event, at: now) }
      case .press, .release, .drag: break
      }
    case .paste(let text):
      if helpOffset == nil { edit { $0.insert(text) } }
      keepSelectionVisible()
    case .focus: break
    }
    return []
  }

  /// Performs the action of a key or the mouse, which also stops the bell and clears the notice.
  private mutating func handle(
    at now: ClockReading, _ action: (inout Dashboard) -> [Effect]
  ) -> [Effect] {
    notice = nil
    if needsSelectionCheck { followSelectedTimer() }
    if rows.ringingCount > 0 { perform(.silence, at: now) }
    let effects = action(&self)
    keepSelectionVisible()
    if view == .timeline, !timeline.isFitted { fitTimeline(at: now) }
    return effects
  }

  /// Performs a command on the board, and shows its reports in the message line.
  @discardableResult
  mutating func perform(_ command: Board.Command, at now: ClockReading) -> [Report] {
    let performed = board.perform(command, at: now)
    show(performed.reports, at: now)
    change.append(performed)
    return performed.reports
  }

  private mutating func show(_ reports: [Report], at now: ClockReading) {
    applyBoardChanges()
    guard let report = reports.last else { return }
    let timer = report.includesTimeLeft ? report.timers.first.flatMap { rows[$0] } : nil
    notice = Notice(report, timeLeft: timer.flatMap { timeText(of: $0, at: now) })
  }

  /// Follows the changes of the board.
  private mutating func applyBoardChanges() {
    guard rowMetrics.revision != rows.revision else { return }
    rowMetrics.update(with: board.takeChangedTimers(), in: rows, displaySteps)
    alignDisplaySteps()
  }

  /// Aligns the display steps with the deadline of the only timer that runs. With several they stay, so that no other
  /// row's digits jump.
  mutating func alignDisplaySteps() {
    guard rows.count(of: .running) == 1, let due = rows.next(at: now)?.due(at: now) else { return }
    displaySteps.align(to: due)
  }
}

/// Keys: each has an action in its scope, and most actions are commands of the board.
extension Dashboard {
  /// Performs the action of a key in the innermost scope that binds it.
  mutating func press(_ key: Key, at now: ClockReading) -> [Effect] {
    if helpOffset != nil, isTyping { return pressInHelpOfPrompt(key, at: now) }
    if acknowledgesFirst(key), respondToAlert(with: .startOrPause, at: now) { return [] }
    var next: Binding.Scope? = scope
    while let scope = next {
      if let action = bindings.action(for: key, in: scope) {
        if scope == .board, respondToAlert(with: action, at: now) { return [] }
        return perform(action, in: scope.selfOrOuter(performing: action), at: now)
      }
      if scope == .prompt, let typed = key.text {
        edit { $0.insert(typed) }
        return []
      }
      next = scope.outer
    }
    if scope == .lab, let character = key.text?.first, character.isLowercase {
      // A key without a binding is for the scene, if it is one that scenes use.
      return [.lab(.input(character))]
    }
    if scope != .prompt { reportUnbound(key) }
    return []
  }

  mutating func perform(
    _ action: Action, in scope: Binding.Scope, at now: ClockReading
  ) -> [Effect] {
    followHint(action)
    if let view = scope.view { return view.perform(&self, action, now) }
    switch scope {
    case .prompt: return performInPrompt(action, at: now)
    case .help: scrollHelp(action)
    default:
      switch action {
      case .help: helpOffset = 0
      case .commandPalette: prompt = .command(CommandPrompt())
      case .acknowledge where rows.alertCount == 0: notice = .failure("no alerts")
      case .acknowledge: perform(.acknowledge, at: now)
      case .redraw: return [.redraw]
      case .suspend: return [.suspend]
      case .detach: return [.detach]
      case .quitFully: return [.quitFully]
      case .tour where attached == nil && rows.isEmpty: return [.tour]
      case .tour:
        notice = .failure("the tour begins on an empty board; carillon demo has one of its own")
      case .quit: return [.quit(status: 0)]
      case .interrupt: return [.quit(status: 130)]
      default: return performViewAction(action, at: now)
      }
    }
    return []
  }

  mutating func performOnBoard(_ action: Action, at now: ClockReading) -> [Effect] {
    if chooseExample(action, at: now) { return [] }
    if attached != nil {
      if action == .showFocus { return performViewAction(action, at: now) }
      performOnProcess(action, at: now)
      return []
    }
    let layout = ScreenLayout(of: self)
    let line = layout.wall?.columns ?? 1
    let page = max(1, layout.rowCount)
    if let count = action.scrollDistance(line: line, page: page, length: rows.count) {
      moveSelection(by: count)
      return []
    }
    switch action {
    case .left: moveSelection(by: -1)
    case .right: moveSelection(by: 1)
    case .pauseAll: perform(.pauseAll, at: now)
    case .add: openPrompt(TimerPrompt(.add, in: timerContext(at: now)))
    case .edit, .duplicate, .delete, .moveRowDown, .moveRowUp:
      performRowAction(action, at: now)
    case .undo, .redo:
      // The first timer that it restores is selected.
      select(perform(action == .undo ? .undo : .redo, at: now).last?.timers.first)
    case .filter, .nextMatch, .previousMatch, .sort, .reverse, .mark, .markAll, .dismiss:
      performOnList(action, at: now)
    case .showFocus, .wall, .mute: return performViewAction(action, at: now)
    default: control(action, at: now)
    }
    return []
  }

  /// Performs an action of live timers.
  /// - Parameter targets: The timers; `nil` for the marked ones, or else the selected one.
  mutating func control(_ action: Action, of targets: [TimerID]? = nil, at now: ClockReading) {
    guard let timerAction = action.timerAction else { return }
    let targets = targets ?? self.targets
    guard !targets.isEmpty else { return reportNoTarget() }
    perform(.control(timerAction, targets), at: now)
  }

  /// The scope that receives keys.
  var scope: Binding.Scope {
    if helpOffset != nil { return .help }
    return isTyping ? .prompt : viewScope
  }

  /// The scope of the view, without prompts and the help.
  var viewScope: Binding.Scope { view.scope }

  /// Reports that a key has no binding.
  private mutating func reportUnbound(_ key: Key) {
    let scopes = scope.selfAndOuterScopes
    if let attached,
      scopes.contains(where: { attached.keysOfBoard.action(for: key, in: $0) != nil })
    {
      notice = .failure("\(key.name(symbols)): not in attach")
      return
    }
    let help = bindings.keyName(of: .help, in: .global, symbols)
    notice = .failure(
      "\(key.name(symbols)): no binding" + (help.isEmpty ? "" : "; \(help) help"))
  }
}
