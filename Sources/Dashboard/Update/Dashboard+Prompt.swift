import TerminalCore
import TimerBoard

extension Dashboard {
  mutating func performInPrompt(_ action: Action, at now: ClockReading) -> [Effect] {
    if commandPrompt != nil { return performInPalette(action, at: now) }
    if isTypingFilter {
      performInFilter(action)
      return []
    }
    switch action {
    case .accept: accept(at: now)
    case .cancel: prompt = nil
    case .complete: timerPrompt?.complete()
    case .previousEntry:
      if let line = timerPrompt.flatMap({ timerInputHistory.older(keeping: $0.editor.text) }) {
        edit { $0 = LineEditor(line) }
      }
    case .nextEntry:
      if let line = timerInputHistory.newer() { edit { $0 = LineEditor(line) } }
    default: edit { $0.perform(action) }
    }
    return []
  }

  /// Opens a prompt for timers. Its history begins with the most recent line.
  mutating func openPrompt(_ prompt: TimerPrompt) {
    timerInputHistory.reset()
    self.prompt = .timers(prompt)
  }

  /// Returns the context in which timers are parsed. For the edit of a row, its own name is not among the
  /// existing names, and past dates are allowed if the row's own date has passed.
  func timerContext(for edited: BoardTimer? = nil, at now: ClockReading) -> TimerContext {
    var defaults = options.timerDefaults
    // The text of an existing timer states its clock and whether it waits.
    if edited != nil { (defaults.countOnlyAwake, defaults.wait) = (false, false) }
    var context = TimerContext(
      names: rows.all.filter { $0.id != edited?.id }.compactMap(\.name),
      groups: rows.groups, now: now, allowsPast: edited?.isPast(at: now) == true, defaults: defaults
    )
    // Another interval, or the end of a chain, can have made its own settings contradict each other.
    if let edited, (try? TimerSpec.parse(timer: edited.spec.text, in: context)) == nil {
      context.isTrusted = true
    }
    return context
  }

  private mutating func accept(at now: ClockReading) {
    guard let prompt = timerPrompt, case .success(let parsed) = prompt.parsed else {
      timerPrompt?.wasRejected = true
      return
    }
    let specs = parsed.specs
    self.prompt = nil
    timerInputHistory.add(prompt.editor.text)
    switch prompt.purpose {
    case .add:
      perform(.add(specs), at: now)
      select(rows.all.last?.id)
    case .edit(let id):
      if let spec = specs.first { perform(.edit(id, spec), at: now) }
    }
  }

  // MARK: - The help, which covers the view

  /// Handles a key in the help of a prompt. Any key that is not bound in the help, except redraw and suspend, only
  /// closes the help.
  mutating func pressInHelpOfPrompt(_ key: Key, at now: ClockReading) -> [Effect] {
    if let action = bindings.action(for: key, in: .help) {
      return perform(action, in: .help, at: now)
    }
    switch bindings.action(for: key, in: .global) {
    case .redraw?: return [.redraw]
    case .suspend?: return [.suspend]
    default: helpOffset = nil
    }
    return []
  }

  mutating func scrollHelp(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let last = max(0, HelpText(of: self).height - page)
    let offset = min(helpOffset ?? 0, last)
    let lines = action.scrollDistance(page: page, length: last)
    helpOffset = lines.map { min(last, max(0, offset + $0)) }
  }
}
