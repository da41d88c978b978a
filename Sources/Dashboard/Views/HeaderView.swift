import TerminalCore
import TimerKit

/// The top line: how many timers are in which state, what rings next, what rang last, and the time
/// of day. Which of these fit is settled for the widest that each can get, so that nothing comes and
/// goes as time passes.
struct HeaderView {
  let showsNext: Bool
  let showsClock: Bool
  private let left: TextLine
  private let right: TextLine

  /// What a header can say, in the order in which it gives things up.
  private struct Wish {
    var hasTitle = false
    var hasWords = false
    var next: NextForm?
    var hasLast = false
    var hasClock = true

    enum NextForm { case long, short }

    static let all = [
      Wish(hasTitle: true, hasWords: true, next: .long, hasLast: true),
      Wish(hasTitle: true, hasWords: true, next: .long),
      Wish(hasTitle: true, next: .long, hasLast: true),
      Wish(hasTitle: true, next: .long), Wish(hasTitle: true, next: .short), Wish(next: .short),
      Wish(), Wish(hasClock: false),
    ]
  }

  /// The fullest header that fits.
  init?(_ frame: Frame) {
    for wish in Wish.all {
      let left = Self.left(wish, frame)
      let (right, slack) = Self.right(wish, frame)
      guard left.width + 2 + right.width + slack <= frame.dashboard.size.width else { continue }
      self.left = left
      self.right = right
      showsNext = wish.next != nil && frame.dashboard.rows.next != nil
      showsClock = wish.hasClock && frame.dashboard.options.showsClock
      return
    }
    return nil
  }

  func draw(on canvas: inout Canvas, in area: Rect, theme: Theme) {
    left.draw(on: &canvas, x: area.x, y: area.y, theme: theme)
    right.draw(on: &canvas, x: area.maxX - right.width, y: area.y, theme: theme)
  }

  private static func left(_ wish: Wish, _ frame: Frame) -> TextLine {
    var line = TextLine()
    line.add(frame.inset > 0 ? " " : "")
    if wish.hasTitle { line.add("carillon", .title) }
    for phase in TimerState.shown {
      let count = frame.dashboard.rows.count(of: phase)
      guard count > 0 else { continue }
      let state = phase
      if line.width > frame.inset { line.add(wish.hasWords ? "   " : wish.hasTitle ? "  " : " ") }
      line.add("\(frame.symbols[state]) \(count)", Role(state))
      if wish.hasWords { line.add(" \(state)") }
    }
    if frame.dashboard.isMuted, wish.hasTitle { line.add("  muted", .paused) }
    return line
  }

  /// The line, and by how many cells it can still grow.
  private static func right(_ wish: Wish, _ frame: Frame) -> (TextLine, slack: Int) {
    var line = TextLine()
    var slack = 0
    let dashboard = frame.dashboard
    if let form = wish.next, let next = dashboard.rows.next {
      let time = dashboard.timeText(of: next, at: frame.now) ?? ""
      slack = max(0, dashboard.rows.widths.time.widest - time.cellWidth)
      if form == .long { line.add("next: ", .faint) }
      line.add(next.label.truncated(to: form == .long ? 20 : 10))
      line.add(" in ", .faint)
      line.add(time)
    }
    if wish.hasLast, let last = dashboard.lastFire {
      line.add(line.width > 0 ? " · rang: " : "rang: ", .faint)
      line.add(last.label.truncated(to: 20))
      let time = TimeText.timeOfDay(
        last.second, uses24Hours: dashboard.options.uses24Hours)
      line.add(" \(time)", .faint)
    }
    if wish.hasClock, dashboard.options.showsClock {
      let time = TimeText.timeOfDay(
        LocalTime(frame.now).second, uses24Hours: dashboard.options.uses24Hours)
      let widest = dashboard.options.uses24Hours ? 5 : 8
      let gap = line.width == 0 ? 0 : wish.hasWords ? 4 : 2
      line.add(String(repeating: " ", count: gap + widest - time.utf8.count))
      line.add(time, .title)
    }
    line.add(frame.inset > 0 ? " " : "")
    return (line, slack)
  }
}

extension Role {
  init(_ state: TimerState) {
    self =
      switch state {
      case .idle: .idle
      case .running: .running
      case .executing: .executing
      case .paused: .paused
      case .finished: .finished
      case .cancelled: .cancelled
      }
  }
}
