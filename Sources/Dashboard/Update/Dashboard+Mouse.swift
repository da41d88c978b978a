import TerminalCore
import TimerBoard
import TimerKit

extension Dashboard {
  /// The maximum time between the clicks of a double click.
  private static let doubleClick = Duration.milliseconds(400)

  /// Performs the action of a click or of the wheel. Each of these actions has a key, too.
  mutating func handle(_ event: MouseEvent, at now: ClockReading) -> [Effect] {
    switch event.kind {
    case .scrollUp: return turnWheel(up: true, event.modifiers, at: now)
    case .scrollDown: return turnWheel(up: false, event.modifiers, at: now)
    case .press, .release, .drag: return click(event.position, at: now)
    }
  }

  private mutating func click(_ point: Point, at now: ClockReading) -> [Effect] {
    let before = lastClick
    lastClick = nil
    let frame = Frame(self, at: now)
    switch frame.clickTarget(at: point) {
    case .key(let key): return press(key, at: now)
    case .answer(let action): _ = respondToAlert(with: action, at: now)
    case .match(let index):
      commandPrompt?.choose(index)
      return performInPalette(.accept, at: now)
    // The selection must not change while a prompt other than the filter is open.
    case _ where isTyping && !isTypingFilter: break
    case .lab(let command): return [.lab(command)]
    case .day(let day):
      let today = LocalTime(now).date
      let ago = historyState.selectedDaysAgo(lastDay: today)
      historyState.moveSelection(by: today.day - day.day - ago, lastDay: today)
    case .example(let index):
      firstMinute.choice = index
      _ = chooseExample(.showFocus, at: now)
    case .column(let column): order(by: column)
    case .row(let position):
      guard let id = frame.row(at: position)?.id else { break }
      selected = position
      listState.selectionToRestore = id
      if let before, before.id == id, before.at.duration(to: now.suspending) <= Self.doubleClick {
        show(.focus)
      } else {
        lastClick = (id, now.suspending)
      }
    case nil: break
    }
    return []
  }

  /// Moves the selection of the board or of a list, or scrolls a text. On the timeline, Ctrl zooms and Shift scrolls in
  /// time.
  private mutating func turnWheel(
    up: Bool, _ modifiers: Key.Modifiers, at now: ClockReading
  ) -> [Effect] {
    lastClick = nil
    guard scope != .prompt else {
      return commandPrompt == nil ? [] : performInPrompt(up ? .previousEntry : .nextEntry, at: now)
    }
    if scope != .help, let action = view.wheelAction(up, modifiers) {
      return perform(action, in: scope, at: now)
    }
    // A text is scrolled faster than a selection.
    let count = scope == .help || view.filter != nil ? 3 : 1
    let action = up ? Action.up : .down
    let performing = scope.selfOrOuter(performing: action)
    return (0..<count).flatMap { _ in perform(action, in: performing, at: now) }
  }
}
