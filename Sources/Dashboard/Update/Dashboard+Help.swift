import TerminalCore
import TimerBoard

/// The help, which covers the view.
extension Dashboard {
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

  /// Scrolls the help to the keys of the view.
  mutating func scrollHelpToView() {
    let text = HelpText(of: self)
    let last = max(0, text.height - max(1, ScreenLayout(of: self).body.height))
    helpOffset = min(text.offset(of: viewScope), last)
  }

  mutating func scrollHelp(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let last = max(0, HelpText(of: self).height - page)
    let offset = min(helpOffset ?? 0, last)
    let lines = action.scrollDistance(page: page, length: last)
    helpOffset = lines.map { min(last, max(0, offset + $0)) }
  }
}
