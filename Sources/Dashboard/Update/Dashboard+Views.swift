import TerminalCore
package import TimerBoard
import TimerKit

extension Dashboard {
  /// Shows a view, and closes the help and the prompt of the filter.
  mutating func show(_ view: DashboardView) {
    self.view = view
    helpOffset = nil
    if isTypingFilter { prompt = nil }
  }

  /// Performs an action that selects a view, changes the appearance, or turns the bell and the notifications on or off.
  /// Does nothing while a prompt is open.
  mutating func performViewAction(_ action: Action, at now: ClockReading) -> [Effect] {
    guard scope != .prompt else { return [] }
    if let view = DashboardView.all.first(where: { $0.action == action }) {
      show(view)
      return []
    }
    switch action {
    case .nextView, .previousView:
      // Another process has no lab and no history.
      let views = attached == nil ? DashboardView.all : bindings.ofViews.map(\.view)
      show(view.advanced(by: action == .nextView ? 1 : -1, among: views))
    case .tenths: showsTenths.toggle()
    case .lateness: showsLateness.toggle()
    case .theme:
      let index = themes.firstIndex { $0.name == theme.name } ?? 0
      use(themes[(index + 1) % themes.count])
    case .wall:
      show(.board)
      boardLayout = ScreenLayout(of: self).wall == nil ? .wall : .rows
      if boardLayout == .wall, ScreenLayout(of: self).wall == nil {
        boardLayout = .rows
        notice = .failure("no room for a card; the screen is too small")
      }
    case .mute: perform(.mute(!board.isMuted), at: now)
    default: break
    }
    return []
  }

  /// The text after the end of the program while timers run: nothing fires until you return. `nil` if none runs, or
  /// if they are not saved.
  package func farewell(of board: Board) -> String? {
    let count = board.timers.count(of: .running)
    guard canDetach, count > 0 else { return nil }
    let text = "\(counted(count, "timer")) saved; nothing fires until you return"
    return text + (keyHint(for: .detach, in: .global, "keeps them running").map { "; \($0)" } ?? "")
  }

  mutating func use(_ theme: Theme) {
    guard options.hasColor else {
      notice = .failure("no colors on this terminal; all themes are monochrome")
      return
    }
    self.theme = theme.limited(toColors: options.colorCount)
    notice = .success("theme: \(theme.name)")
  }
}
