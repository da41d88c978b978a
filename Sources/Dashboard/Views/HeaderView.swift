import TerminalCore
import TimerBoard
import TimerKit

/// The top line: the views, the number of timers in each state, the next fire and the time of day. Its fields depend on
/// their maximum widths, so that they do not change as time passes.
struct HeaderView {
  /// A field, or a longer form of one.
  private enum Field {
    case title
    /// The current view, and the other ones.
    case view, allViews
    /// The next fire.
    case timer, longTimer
    case counts, wideCounts
    case clock
  }

  /// The fields by rank: the first one is left out last.
  private static let ranked: [Field] = [
    .counts, .clock, .view, .allViews, .wideCounts, .title, .timer, .longTimer,
  ]

  /// The timer that fires next.
  private let timedRow: Row?
  private let showsClock: Bool
  /// The views with their keys.
  let tabs: [KeyEntry]
  private let left: TextLine
  private let right: TextLine
  /// The maximum width.
  private let width: Int

  /// Creates the header with the fields that fit, chosen by rank.
  init(_ frame: Frame) {
    self.init(frame, Set(Self.ranked))
    // On a wide screen all of them fit.
    guard width > frame.dashboard.size.width else { return }
    let fields = Self.ranked.reduce(into: Set<Field>()) { fields, field in
      let more = fields.union([field])
      if HeaderView(frame, more).width <= frame.dashboard.size.width { fields = more }
    }
    self = HeaderView(frame, fields)
  }

  private init(_ frame: Frame, _ fields: Set<Field>) {
    left = Self.left(fields, frame)
    tabs = Self.tabs(fields, frame, from: left.width)
    let slack: Int
    (right, slack) = Self.right(fields, frame)
    let end = tabs.last.map { $0.x + $0.line.width } ?? left.width
    width = end + 2 + right.width + slack
    timedRow = fields.contains(.timer) ? frame.nextRow : nil
    showsClock = fields.contains(.clock) && frame.dashboard.options.showsClock
  }

  func draw(_ frame: Frame, in area: Rect) {
    frame.draw(left, x: area.x, y: area.y)
    for tab in tabs {
      frame.draw(tab.line, x: tab.x, y: area.y)
      guard tab.isCurrent else { continue }
      let label = Rect(x: tab.x - 1, y: area.y, width: tab.line.width + 2, height: 1)
      frame.canvas.highlight(label, frame.theme)
    }
    frame.draw(right, x: area.maxX - right.width, y: area.y)
  }

  /// Returns the instant at which the header can change.
  func nextChange(_ frame: Frame) -> TimerClock.Instant? {
    (timedRow?.nextChange).earlier(or: showsClock ? frame.nextMinute : nil)
  }

  private static func left(_ fields: Set<Field>, _ frame: Frame) -> TextLine {
    var line = TextLine(frame.inset > 0 ? " " : "")
    if fields.isSuperset(of: [.title, .view, .allViews]) {
      let process = frame.dashboard.attached?.process
      line.add(process?.name.truncated(to: 24) ?? "carillon", .title)
      if let process { line.add(" \(process.id)", .faint) }
      line.add("  ")
    }
    return line
  }

  /// Returns the entries of the views that have a key, placed from the x coordinate `x` on.
  private static func tabs(_ fields: Set<Field>, _ frame: Frame, from x: Int) -> [KeyEntry] {
    guard fields.contains(.view) else { return [] }
    let hasAllNames = fields.contains(.allViews)
    var x = x
    return frame.dashboard.bindings.ofViews.map { view, key in
      let isCurrent = view == frame.dashboard.view
      let tab = KeyEntry(
        keys: [key], label: isCurrent || hasAllNames ? view.name : "", rank: 1,
        isCurrent: isCurrent, x: x, frame.symbols)
      x += tab.line.width + (hasAllNames ? 2 : 1)
      return tab
    }
  }

  /// Returns the line, and the number of cells by which it can grow as time passes.
  private static func right(_ fields: Set<Field>, _ frame: Frame) -> (TextLine, slack: Int) {
    let isLong = fields.contains(.longTimer)
    var line = TextLine()
    var slack = 0
    let dashboard = frame.dashboard
    func separate(by gap: Int = 2) {
      if line.width > 0 { line.add(String(repeating: " ", count: gap)) }
    }
    if fields.contains(.timer), let next = frame.nextRow {
      let time = next.time.text ?? ""
      slack = max(0, dashboard.rowWidths.time - time.cellWidth)
      if isLong { line.add("next ", .faint) }
      line.add(next.label.truncated(to: isLong ? 20 : 10))
      line.add(" in ", .faint)
      line.add(time)
    }
    if fields.contains(.counts) {
      var counts = TimerState.displayOrder.map {
        (symbol: frame.symbols[Role($0)], count: dashboard.rows.count(of: $0), role: Role($0))
      }
      counts.insert((frame.symbols.standsReady, dashboard.rows.readyCount, .paused), at: 1)
      for (symbol, count, role) in counts where count > 0 {
        separate(by: fields.contains(.wideCounts) ? 2 : 1)
        line.add("\(symbol) \(count)", role)
      }
    }
    if dashboard.board.isMuted, fields.contains(.view) {
      separate()
      line.add("muted", .paused)
    }
    if fields.contains(.clock), dashboard.options.showsClock {
      let time = frame.timeOfDay(at: frame.now.suspending)
      separate()
      line.add(
        String(repeating: " ", count: (dashboard.options.uses24Hours ? 5 : 8) - time.utf8.count))
      line.add(time, .title)
    }
    line.add(frame.inset > 0 ? " " : "")
    return (line, slack)
  }
}
