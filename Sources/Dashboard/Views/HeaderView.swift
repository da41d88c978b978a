import TerminalCore
import TimerBoard
import TimerKit

/// The top line: the number of timers in each state, the next fire, the most recent fire and the time of day.
/// The choice of fields depends on their maximum widths, so that it does not change as time passes.
struct HeaderView {
  /// The timer whose time is shown: one with an alert, or else the one that fires next.
  private let changing: BoardTimer?
  private let showsClock: Bool
  private let left: TextLine
  private let right: TextLine

  /// A choice of fields for the header, from all of them to the fewest.
  private struct FieldPriority {
    var hasTitle = false
    var hasWords = false
    var next: NextForm?
    var hasLast = false
    var hasClock = true

    enum NextForm { case long, short }

    static let all = [
      FieldPriority(hasTitle: true, hasWords: true, next: .long, hasLast: true),
      FieldPriority(hasTitle: true, hasWords: true, next: .long),
      FieldPriority(hasTitle: true, next: .long, hasLast: true),
      FieldPriority(hasTitle: true, next: .long), FieldPriority(hasTitle: true, next: .short),
      FieldPriority(next: .short),
      FieldPriority(), FieldPriority(hasClock: false),
    ]
  }

  /// Creates the header with the most fields that fit.
  init?(_ frame: Frame) {
    for priority in FieldPriority.all {
      let left = Self.left(priority, frame)
      let (right, slack) = Self.right(priority, frame)
      guard left.width + 2 + right.width + slack <= frame.dashboard.size.width else { continue }
      self.left = left
      self.right = right
      changing =
        priority.next == nil ? nil : frame.dashboard.alertingRow ?? frame.dashboard.rows.next
      showsClock = priority.hasClock && frame.dashboard.options.showsClock
      return
    }
    return nil
  }

  func draw(on canvas: inout Canvas, in area: Rect, _ frame: Frame) -> TimerClock.Instant? {
    left.draw(on: &canvas, x: area.x, y: area.y, theme: frame.theme)
    right.draw(on: &canvas, x: area.maxX - right.width, y: area.y, theme: frame.theme)
    return [
      changing.flatMap { frame.nextDigitChange(of: $0) },
      showsClock ? frame.nextLocal(60_000_000_000) : nil,
    ].earliest
  }

  private static func left(_ priority: FieldPriority, _ frame: Frame) -> TextLine {
    var line = TextLine()
    line.add(frame.inset > 0 ? " " : "")
    if priority.hasTitle { line.add("carillon", .title) }
    for state in TimerState.shown {
      let count = frame.dashboard.rows.count(of: state)
      guard count > 0 else { continue }
      if line.width > frame.inset {
        line.add(priority.hasWords ? "   " : priority.hasTitle ? "  " : " ")
      }
      line.add("\(frame.symbols[state]) \(count)", Role(state))
      if priority.hasWords { line.add(" \(state)") }
    }
    if frame.dashboard.board.isMuted, priority.hasTitle { line.add("  muted", .paused) }
    return line
  }

  /// Returns the line, and the number of cells by which it can grow as time passes.
  private static func right(_ priority: FieldPriority, _ frame: Frame) -> (TextLine, slack: Int) {
    var line = TextLine()
    var slack = 0
    let dashboard = frame.dashboard
    let alert = dashboard.alertingRow
    if let form = priority.next, let alert {
      line = frame.alertText(of: alert, hasKeys: form == .long)
      slack = max(
        0, Overtime.widestText.count - (dashboard.timeText(of: alert, at: frame.now) ?? "").count)
    } else if let form = priority.next, let next = dashboard.rows.next {
      let time = dashboard.timeText(of: next, at: frame.now) ?? ""
      slack = max(0, dashboard.metrics.time.widest - time.cellWidth)
      if form == .long { line.add("next: ", .faint) }
      line.add(next.label.truncated(to: form == .long ? 20 : 10))
      line.add(" in ", .faint)
      line.add(time)
    }
    if priority.hasLast, alert == nil, let last = dashboard.board.lastFire {
      line.add(line.width > 0 ? " · fired: " : "fired: ", .faint)
      line.add(last.label.truncated(to: 20))
      let time = TimeText.timeOfDay(
        last.second, uses24Hours: dashboard.options.uses24Hours)
      line.add(" \(time)", .faint)
    }
    if priority.hasClock, dashboard.options.showsClock {
      let time = TimeText.timeOfDay(
        LocalTime(frame.now).second, uses24Hours: dashboard.options.uses24Hours)
      let widest = dashboard.options.uses24Hours ? 5 : 8
      let gap = line.width == 0 ? 0 : priority.hasWords ? 4 : 2
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
