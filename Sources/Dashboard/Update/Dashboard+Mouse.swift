import TerminalCore
import TimerBoard
import TimerKit

extension MouseEvent {
  /// A Boolean value that indicates whether the event is a click or a turn of the wheel.
  var isClickOrScroll: Bool {
    switch kind {
    case .press(button: 1), .scrollUp, .scrollDown: true
    case .press, .release, .drag: false
    }
  }
}

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
    switch Frame(self, at: now).clickTarget(at: point) {
    case .key(let key): return press(key, at: now)
    case .match(let index):
      changeCommandPrompt { $0.choose(index) }
      return performInPalette(.accept, at: now)
    // The selection must not change while a prompt other than the filter is open.
    case _ where isTyping && !isTypingFilter: break
    case .column(let column): order(by: column)
    case .row(let position):
      let id = rows[position].id
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
    switch scope {
    case .help, .history, .log:
      return (0..<3).flatMap { _ in perform(up ? .up : .down, in: scope, at: now) }
    case .timeline where modifiers.contains(.control):
      return perform(up ? .zoomIn : .zoomOut, in: scope, at: now)
    case .timeline where modifiers.contains(.shift):
      return perform(up ? .scrollLeft : .scrollRight, in: scope, at: now)
    case .board, .focus, .timeline: return perform(up ? .up : .down, in: .board, at: now)
    case .lab: return perform(up ? .up : .down, in: .lab, at: now)
    case .prompt:
      return commandPrompt == nil ? [] : performInPrompt(up ? .previousEntry : .nextEntry, at: now)
    case .global: return []
    }
  }
}
