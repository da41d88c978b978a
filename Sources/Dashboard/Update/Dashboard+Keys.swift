import TerminalCore

extension Dashboard {
  /// Does what a key means where one is: the innermost scope first.
  mutating func press(_ key: Key, at now: Moment) -> [Effect] {
    var next: Binding.Scope? = scope
    if help != nil, isTyping { return pressInHelpOfPrompt(key, at: now) }
    while let scope = next {
      if let action = bindings.action(for: key, in: scope) {
        return perform(action, in: scope.owner(of: action), at: now)
      }
      if scope == .prompt, let typed = key.text {
        insert(typed)
        return []
      }
      next = scope.outer
    }
    if scope == .lab, let effects = inputOfScene(key) { return effects }
    if scope != .prompt { refuse(key) }
    return []
  }

  /// Says that a key means nothing, rather than nothing at all.
  private mutating func refuse(_ key: Key) {
    let help = bindings.keyName(of: .help, in: .global, symbols)
    notice = .refused(
      "\(key.name(symbols)): no binding" + (help.isEmpty ? "" : "; \(help) help"))
  }

  /// What means nothing to the program is a key of the scene's own.
  private func inputOfScene(_ key: Key) -> [Effect]? {
    guard let character = key.text?.first, character.isLowercase else { return nil }
    return [.lab(.input(character))]
  }

  /// The help of a prompt leads back to it: what would change the view under it does nothing.
  private mutating func pressInHelpOfPrompt(_ key: Key, at now: Moment) -> [Effect] {
    if let action = bindings.action(for: key, in: .help) {
      return perform(action, in: .help, at: now)
    }
    switch bindings.action(for: key, in: .global) {
    case .redraw?: return [.redraw]
    case .suspend?: return [.suspend]
    default: help = nil
    }
    return []
  }

  /// True while a text is being typed, also under its help.
  var isTyping: Bool { prompt != nil || command != nil || typedFilter != nil }

  /// Where keys go.
  var scope: Binding.Scope {
    if help != nil { return .help }
    return isTyping ? .prompt : screenScope
  }

  /// Where keys go when nothing is typed and no help is read.
  var screenScope: Binding.Scope {
    switch screen {
    case .board: return .board
    case .focus: return .focus
    case .timeline: return .timeline
    case .lab: return .lab
    case .log: return .log
    }
  }

  mutating func perform(
    _ action: Action, in scope: Binding.Scope, at now: Moment
  ) -> [Effect] {
    switch scope {
    case .board: return performOnBoard(action, at: now)
    case .focus: show(.board)
    case .timeline: performOnTimeline(action)
    case .log: performInLog(action)
    case .lab: return LabCommand(action).map { [.lab($0)] } ?? []
    case .prompt: return performInPrompt(action, at: now)
    case .help: scrollHelp(action)
    case .global:
      switch action {
      case .help: help = 0
      case .command:
        help = nil
        command = CommandPrompt()
      case .redraw: return [.redraw]
      case .suspend: return [.suspend]
      case .quit: return [.quit(status: 0)]
      case .interrupt: return [.quit(status: 130)]
      default: look(action)
      }
    }
    return []
  }

  private mutating func performOnBoard(_ action: Action, at now: Moment) -> [Effect] {
    let page = max(1, ScreenLayout(of: self).body.height)
    switch action {
    case .up: moveSelection(by: -1)
    case .down: moveSelection(by: 1)
    case .top: moveSelection(by: -rows.count)
    case .bottom: moveSelection(by: rows.count)
    case .pageUp: moveSelection(by: -page)
    case .pageDown: moveSelection(by: page)
    case .halfPageUp: moveSelection(by: -max(1, page / 2))
    case .halfPageDown: moveSelection(by: max(1, page / 2))
    case .pauseAll: return pauseOrResumeAll()
    case .add: prompt = Prompt(.add, in: timerContext(at: now))
    case .edit, .duplicate, .delete, .moveRowDown, .moveRowUp: return change(action, at: now)
    case .undo: return undo(at: now)
    case .filter, .nextMatch, .previousMatch, .order, .reverse, .mark, .markAll, .dismiss:
      arrange(action)
    case .showFocus, .mute: look(action)
    default: return ask(action, at: now)
    }
    return []
  }

  private mutating func scrollHelp(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let last = max(0, HelpText(of: self).height - page)
    let offset = min(help ?? 0, last)
    switch action {
    case .up: help = max(0, offset - 1)
    case .down: help = min(last, offset + 1)
    case .top: help = 0
    case .bottom: help = last
    case .pageUp: help = max(0, offset - page)
    case .pageDown: help = min(last, offset + page)
    default: help = nil
    }
  }
}

extension Key {
  /// What the key writes: a printable character, without Ctrl or Alt.
  var text: String? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return String(character)
  }
}
