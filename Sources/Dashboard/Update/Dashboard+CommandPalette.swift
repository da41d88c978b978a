import TerminalCore
import TimerBoard

/// The command palette.
extension Dashboard {
  mutating func performInPalette(_ action: Action, at now: ClockReading) -> [Effect] {
    switch action {
    case .accept: return acceptCommand(at: now)
    case .cancel: prompt = nil
    case .complete:
      let palette = Palette(of: self, at: now)
      if let match = palette.selectedMatch ?? palette.matches.first {
        edit { $0 = LineEditor(match.line) }
      } else if palette.action?.form.value == .timerSyntax {
        let context = timerContext(at: now)
        edit {
          $0.complete { TimerCompletion(of: $0, from: $0.prefix { $0 != " " }.count, in: context) }
        }
      }
    case .previousEntry: chooseMatch(by: -1, at: now)
    case .nextEntry: chooseMatch(by: 1, at: now)
    default: edit { $0.perform(action) }
    }
    return []
  }

  /// Selects the next or the previous match, wrapping around, or the first one if none is selected.
  private mutating func chooseMatch(by offset: Int, at now: ClockReading) {
    let palette = Palette(of: self, at: now)
    let count = palette.matches.count
    guard count > 0 else { return }
    let index = palette.selected.map { ($0 + offset + count) % count } ?? 0
    commandPrompt?.choose(index)
  }

  /// Runs the selected match of the palette, or else its line.
  private mutating func acceptCommand(at now: ClockReading) -> [Effect] {
    guard let prompt = commandPrompt else { return [] }
    let text = Palette(of: self, at: now).selectedMatch?.line ?? prompt.text
    guard text.contains(where: { $0 != " " }) else {
      self.prompt = nil
      return []
    }
    let effects: [Effect]
    do throws(ControlRefusal) {
      effects = try run(try Command(text), at: now)
    } catch {
      edit { $0 = LineEditor(text) }
      commandPrompt?.error = error.description
      return []
    }
    if let notice, notice.isFailure, self.prompt == nil, helpOffset == nil {
      // The command was refused at once: the prompt stays open and shows the notice as its error.
      var prompt = prompt
      prompt.error = notice.text
      commandPrompt = prompt
      self.notice = nil
    } else {
      commandInputHistory.add(text.withoutTrailingSpaces)
    }
    return effects
  }

  private mutating func run(_ command: Command, at now: ClockReading) throws(ControlRefusal)
    -> [Effect]
  {
    let action = command.action
    guard viewScope.selfAndOuterScopes.contains(where: { $0.actions.contains(action) }) else {
      let scopes = Binding.Scope.allCases.filter { $0.actions.contains(action) && $0 != .help }
      throw ControlRefusal(
        "'\(action.rawValue)' is not available here (expected in "
          + scopes.map(\.rawValue).joined(separator: ", ") + ")")
    }
    let argument = try CommandArgument(command, in: self)
    if let targets = argument.targets, let refusal = refusal(of: action, to: targets, at: now) {
      throw ControlRefusal(refusal)
    }
    guard let value = argument.value else {
      prompt = nil
      guard let named = argument.namedTimers else {
        return perform(action, in: viewScope.selfOrOuter(performing: action), at: now)
      }
      perform(action, on: named, at: now)
      return []
    }
    if action.form.value == .timerSyntax {
      guard action == .edit else {
        return enter(value, in: TimerPrompt(.add, in: timerContext(at: now)), at: now)
      }
      guard let row = selectedRow else { throw ControlRefusal("no timer to edit") }
      return enter(
        value, in: TimerPrompt(.edit(row.id), in: timerContext(for: row, at: now)), at: now)
    }
    guard let verb = action.verb else { return setValue(named: value, of: action) }
    let isForOne = verb.form.target == .oneTimer
    let ids = argument.targets ?? []
    if ids.isEmpty { throw ControlRefusal(isForOne ? "no timer to change" : noTargetText) }
    guard let command = try verb.command(on: ids, value, of: board) else { return [] }
    prompt = nil
    perform(command, at: now)
    return []
  }

  /// Performs an action without a value on named timers.
  private mutating func perform(_ action: Action, on targets: [TimerID], at now: ClockReading) {
    switch action {
    case .edit, .duplicate, .delete: performRowAction(action, on: targets, at: now)
    case .mark: listState.marks.formSymmetricDifference(targets)
    case .showFocus:
      select(targets.first)
      show(.focus)
    default: control(action, of: targets, at: now)
    }
  }

  /// Returns the reason for which timers refuse an action; `nil` if one of them performs it.
  private func refusal(of action: Action, to targets: [TimerID], at now: ClockReading) -> String? {
    guard let timerAction = action.timerAction, !applies(action, to: targets, at: now)
    else { return nil }
    let timers = targets.compactMap { rows[$0] }
    guard let timer = timers.first, let refusal = timerAction.refusal(of: timer, at: now) else {
      return nil
    }
    return (timers.count == 1 ? timer.label : counted(timers.count, "timer")) + ": \(refusal)"
  }

  /// Sets the filter, the appearance, the order or the scene of the lab to a value.
  private mutating func setValue(named name: String, of action: Action) -> [Effect] {
    prompt = nil
    switch action.form.value {
    case .text: setFilter(name)
    case .theme: if let theme = themes.first(where: { $0.name == name }) { use(theme) }
    case .column: order(by: RowOrder(name) ?? RowOrder())
    case .layout: boardLayout = BoardLayout(name) ?? boardLayout
    case .scene:
      show(.lab)
      return [.lab(.open(name))]
    default: break
    }
    return []
  }

  /// Inserts a text into the prompt and accepts it. The prompt stays open if the text is invalid.
  private mutating func enter(_ text: String, in prompt: TimerPrompt, at now: ClockReading)
    -> [Effect]
  {
    openPrompt(prompt)
    edit { $0.insert(text) }
    return performInPrompt(.accept, at: now)
  }
}
