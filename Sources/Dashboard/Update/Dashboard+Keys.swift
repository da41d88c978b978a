import TerminalCore
import TimerBoard

extension Dashboard {
  /// Performs the action of a key in the innermost scope that binds it.
  mutating func press(_ key: Key, at now: ClockReading) -> [Effect] {
    if help != nil, isTyping { return pressInHelpOfPrompt(key, at: now) }
    var next: Binding.Scope? = scope
    while let scope = next {
      if let action = bindings.action(for: key, in: scope) {
        if scope == .board, let effects = respondToAlert(with: action, at: now) { return effects }
        return perform(action, in: scope.owner(of: action), at: now)
      }
      if scope == .prompt, let typed = key.text {
        insert(typed)
        return []
      }
      next = scope.outer
    }
    if scope == .lab, let effects = sceneInput(key) { return effects }
    if scope != .prompt { reportUnbound(key) }
    return []
  }

  /// Reports that a key has no binding.
  private mutating func reportUnbound(_ key: Key) {
    let help = bindings.keyName(of: .help, in: .global, symbols)
    notice = .failure(
      "\(key.name(symbols)): no binding" + (help.isEmpty ? "" : "; \(help) help"))
  }

  /// Returns the input of a key to the scene, for a key without a binding; `nil` for keys that scenes do not use.
  private func sceneInput(_ key: Key) -> [Effect]? {
    guard let character = key.text?.first, character.isLowercase else { return nil }
    return [.lab(.input(character))]
  }

  /// Handles a key in the help of a prompt. Any key that is not bound in the help, except redraw and suspend, only
  /// closes the help.
  private mutating func pressInHelpOfPrompt(_ key: Key, at now: ClockReading) -> [Effect] {
    if let action = bindings.action(for: key, in: .help) {
      return perform(action, in: .help, at: now)
    }
    switch bindings.action(for: key, in: .global) {
    case .redraw?: return [.redraw]
    case .suspend?: return [.suspend]
    default: setHelp(nil)
    }
    return []
  }

  /// The scope that receives keys.
  var scope: Binding.Scope {
    if help != nil { return .help }
    return isTyping ? .prompt : viewScope
  }

  /// The scope of the view, without prompts and the help.
  var viewScope: Binding.Scope {
    switch view {
    case .board: return .board
    case .focus: return .focus
    case .timeline: return .timeline
    case .lab: return .lab
    case .history: return .history
    case .log: return .log
    }
  }

  mutating func perform(
    _ action: Action, in scope: Binding.Scope, at now: ClockReading
  ) -> [Effect] {
    switch scope {
    case .board: return performOnBoard(action, at: now)
    case .focus: show(.board)
    case .timeline: performOnTimeline(action, at: now)
    case .history: performInHistory(action, at: now)
    case .log: performInLog(action)
    case .lab: return LabCommand(action).map { [.lab($0)] } ?? []
    case .prompt: return performInPrompt(action, at: now)
    case .help: scrollHelp(action)
    case .global:
      switch action {
      case .help:
        setHelp(0)
        if !isTyping { openHelp() }
      case .command: overlay = .prompt(.command(CommandPrompt()))
      case .redraw: return [.redraw]
      case .suspend: return [.suspend]
      case .detach: return [.detach]
      case .quitFully: return [.quitFully]
      case .quit: return [.quit(status: 0)]
      case .interrupt: return [.quit(status: 130)]
      default: return performViewAction(action, at: now)
      }
    }
    return []
  }

  private mutating func performOnBoard(_ action: Action, at now: ClockReading) -> [Effect] {
    let page = max(1, ScreenLayout(of: self).rowCount)
    switch action {
    case .up: moveSelection(by: -1)
    case .down: moveSelection(by: 1)
    case .top: moveSelection(by: -rows.count)
    case .bottom: moveSelection(by: rows.count)
    case .pageUp: moveSelection(by: -page)
    case .pageDown: moveSelection(by: page)
    case .halfPageUp: moveSelection(by: -max(1, page / 2))
    case .halfPageDown: moveSelection(by: max(1, page / 2))
    case .pauseAll: return perform(.pauseAll, at: now)
    case .acknowledge: return perform(.acknowledge, at: now)
    case .add: overlay = .prompt(.timers(TimerPrompt(.add, in: timerContext(at: now))))
    case .edit, .duplicate, .delete, .moveRowDown, .moveRowUp: return change(action, at: now)
    case .undo: return undo(.undo, at: now)
    case .redo: return undo(.redo, at: now)
    case .filter, .nextMatch, .previousMatch, .sort, .reverse, .mark, .markAll, .dismiss:
      arrange(action)
    case .showFocus, .mute: return performViewAction(action, at: now)
    default: return control(action, at: now)
    }
    return []
  }

  /// Scrolls the help to the keys of the view.
  private mutating func openHelp() {
    let text = HelpText(of: self)
    let last = max(0, text.height - max(1, ScreenLayout(of: self).body.height))
    setHelp(min(text.offset(of: viewScope), last))
  }

  private mutating func scrollHelp(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let last = max(0, HelpText(of: self).height - page)
    let offset = min(help ?? 0, last)
    switch action {
    case .up: setHelp(max(0, offset - 1))
    case .down: setHelp(min(last, offset + 1))
    case .top: setHelp(0)
    case .bottom: setHelp(last)
    case .pageUp: setHelp(max(0, offset - page))
    case .pageDown: setHelp(min(last, offset + page))
    default: setHelp(nil)
    }
  }
}

extension Key {
  /// The text that the key types: a printable character, without Ctrl or Alt.
  var text: String? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return String(character)
  }
}
