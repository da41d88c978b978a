import TerminalCore
import TimerBoard
import TimerKit

/// The top line: the views, the number of timers in each state, the next fire and the time of day. The choice of
/// fields depends on their maximum widths, so that it does not change as time passes.
struct HeaderView {
  /// The timer that is shown: one with an alert, or else the one that fires next.
  private let timedRow: BoardTimer?
  private let showsClock: Bool
  /// The views with their keys.
  let tabs: [KeyEntry]
  private let left: TextLine
  private let right: TextLine

  /// A choice of fields for the header.
  private struct FieldChoice {
    var tabs = Tabs.all
    var hasTitle = false
    /// The form of the timer with an alert, or else of the next fire; `nil` to leave it out.
    var timer: TimerForm?
    var hasCounts = true
    /// A Boolean value that indicates whether the counts are close together.
    var isTight = false
    var hasClock = true

    enum TimerForm { case long, short }
    /// The views with all their names, the views with only the current one's name, or no views.
    enum Tabs { case all, current, none }

    /// The choices while there is an alert: its text has priority over the names of the views, the counts and the time
    /// of day.
    static let alerting = [
      FieldChoice(hasTitle: true, timer: .long), FieldChoice(timer: .long),
      FieldChoice(timer: .long, isTight: true), FieldChoice(timer: .long, hasCounts: false),
      FieldChoice(timer: .long, hasCounts: false, hasClock: false),
      FieldChoice(tabs: .current, timer: .long),
      FieldChoice(tabs: .current, timer: .long, hasCounts: false),
      FieldChoice(tabs: .current, timer: .long, hasCounts: false, hasClock: false),
      FieldChoice(tabs: .current, timer: .short, isTight: true),
      FieldChoice(tabs: .current, timer: .short, hasCounts: false),
      FieldChoice(tabs: .none, timer: .short, hasCounts: false),
      FieldChoice(tabs: .none, timer: .short, hasCounts: false, hasClock: false),
    ]

    /// The choices in order of preference: the names of the views and the counts have priority over the timer.
    static let all = [
      FieldChoice(hasTitle: true, timer: .long), FieldChoice(hasTitle: true, timer: .short),
      FieldChoice(hasTitle: true), FieldChoice(), FieldChoice(isTight: true),
      FieldChoice(tabs: .current, timer: .long), FieldChoice(tabs: .current, timer: .short),
      FieldChoice(tabs: .current, isTight: true),
      FieldChoice(tabs: .current, hasCounts: false),
      FieldChoice(tabs: .none, isTight: true),
      FieldChoice(tabs: .none, isTight: true, hasClock: false),
      FieldChoice(tabs: .none, hasCounts: false, hasClock: false),
    ]
  }

  /// Creates the header with the first choice of fields that fits; `nil` if none fits.
  init?(_ frame: Frame) {
    let alert = frame.dashboard.alertingRow
    for choice in (alert == nil ? [] : FieldChoice.alerting) + FieldChoice.all {
      let left = Self.left(choice, frame)
      let tabs = Self.tabs(choice, frame, from: left.width)
      let end = tabs.last.map { $0.x + $0.line.width } ?? left.width
      let (right, slack) = Self.right(choice, frame)
      guard end + 2 + right.width + slack <= frame.dashboard.size.width else { continue }
      self.tabs = tabs
      self.left = left
      self.right = right
      timedRow = choice.timer == nil ? nil : alert ?? frame.dashboard.rows.next
      showsClock = choice.hasClock && frame.dashboard.options.showsClock
      return
    }
    return nil
  }

  func draw(on canvas: inout Canvas, in area: Rect, _ theme: Theme) {
    left.draw(on: &canvas, x: area.x, y: area.y, theme: theme)
    for tab in tabs { tab.line.draw(on: &canvas, x: tab.x, y: area.y, theme: theme) }
    right.draw(on: &canvas, x: area.maxX - right.width, y: area.y, theme: theme)
  }

  /// Returns the instant at which the header can change.
  func nextChange(_ frame: Frame) -> TimerClock.Instant? {
    let counts = timedRow.map(frame.isMoving) ?? false
    return (counts ? frame.nextStep : nil).earlier(or: showsClock ? frame.nextMinute : nil)
  }

  private static func left(_ choice: FieldChoice, _ frame: Frame) -> TextLine {
    var line = TextLine()
    line.add(frame.inset > 0 ? " " : "")
    if choice.hasTitle {
      line.add("carillon", .title)
      line.add("  ")
    }
    return line
  }

  /// Returns the entries of the views that have a key, placed from the x coordinate `x` on.
  private static func tabs(_ choice: FieldChoice, _ frame: Frame, from x: Int) -> [KeyEntry] {
    guard choice.tabs != .none else { return [] }
    var x = x
    return frame.dashboard.bindings.ofViews.map { view, key in
      let isCurrent = view == frame.dashboard.view
      let tab = KeyEntry(
        keys: [key], label: isCurrent || choice.tabs == .all ? view.name : "", rank: 1,
        isCurrent: isCurrent, x: x, frame.symbols)
      x += tab.line.width + (choice.tabs == .all ? 2 : 1)
      return tab
    }
  }

  /// Returns the line, and the number of cells by which it can grow as time passes.
  private static func right(_ choice: FieldChoice, _ frame: Frame) -> (TextLine, slack: Int) {
    var line = TextLine()
    var slack = 0
    let dashboard = frame.dashboard
    func separate(by gap: Int = 2) {
      if line.width > 0 { line.add(String(repeating: " ", count: gap)) }
    }
    if let form = choice.timer, let alert = dashboard.alertingRow {
      line = frame.alertText(of: alert, hasKeys: form == .long)
      slack = max(
        0, Overtime.widestText.count - (dashboard.timeText(of: alert, at: frame.now) ?? "").count)
    } else if let form = choice.timer, let next = dashboard.rows.next {
      let time = dashboard.timeText(of: next, at: frame.now) ?? ""
      slack = max(0, dashboard.rowWidths.time - time.cellWidth)
      if form == .long { line.add("next ", .faint) }
      line.add(next.label.truncated(to: form == .long ? 20 : 10))
      line.add(" in ", .faint)
      line.add(time)
    }
    if choice.hasCounts {
      var counts = TimerState.displayOrder.map {
        (symbol: frame.symbols[Role($0)], count: dashboard.rows.count(of: $0), role: Role($0))
      }
      counts.insert((frame.symbols.standsReady, dashboard.rows.readyCount, .paused), at: 1)
      for (symbol, count, role) in counts where count > 0 {
        separate(by: choice.isTight ? 1 : 2)
        line.add("\(symbol) \(count)", role)
      }
    }
    if dashboard.board.isMuted, choice.tabs != .none {
      separate()
      line.add("muted", .paused)
    }
    if choice.hasClock, dashboard.options.showsClock {
      let time = TimeText.timeOfDay(
        LocalTime(frame.now).secondOfDay, uses24Hours: dashboard.options.uses24Hours)
      separate()
      line.add(
        String(repeating: " ", count: (dashboard.options.uses24Hours ? 5 : 8) - time.utf8.count))
      line.add(time, .title)
    }
    line.add(frame.inset > 0 ? " " : "")
    return (line, slack)
  }
}
