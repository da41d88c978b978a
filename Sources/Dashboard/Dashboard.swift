package import TerminalCore
package import TimerBoard
import TimerKit

/// The user interface as a value: messages go in, effects come out, and the frame is a function of it.
///
/// It reads no clock and changes no live timer. The timers are in its ``board``; the other properties are its own state,
/// such as the view, the prompt, the selection and the filter.
package struct Dashboard: Sendable {
  package let options: DisplayOptions
  package internal(set) var size: Size
  package var board: Board
  let bindings: Bindings
  var theme: Theme
  let symbols: Symbols

  var view = DashboardView.board
  /// The overlay of the view, which gets the keys.
  var overlay: Overlay?
  var digitStyle: DigitStyle
  var timeline = TimelineScale()
  var logState = LogState()
  var historyState = HistoryState()
  /// The most recent snapshot of the lab.
  var lab: LabSnapshot?
  var list = BoardList()
  var grid: DisplayGrid
  /// The widths of the texts in the rows.
  var metrics: RowMetrics
  /// The selected row's position in the board's own order; 0 on an empty board.
  var selected = 0
  /// A Boolean value that indicates whether a timer has changed since the selection was last checked
  /// against the filter.
  private var needsSelectionCheck = false
  /// The index of the row at the top of the table among the rows that match the filter.
  var top = 0
  var notice: Notice?
  /// The latest reports of the board: the response to a client that has sent a command.
  private var reports: [Report] = []
  private static let reportLimit = 100
  var commandInputHistory = InputHistory()
  /// The lines that were entered to add and edit timers.
  var timerInputHistory = InputHistory()
  /// The row and the instant of the most recent click, for double clicks.
  var lastClick: (id: TimerID, at: TimerClock.Instant)?

  /// - Parameter seed: A random number for the identifiers of the history.
  package init(
    options: DisplayOptions, size: Size, bindings: Bindings = .standard, seed: UInt64 = 0
  ) {
    self.options = options
    self.size = size
    self.bindings = bindings
    board = Board(isMuted: options.isMuted, seed: seed)
    theme = options.hasColor ? options.theme.limited(toColors: options.colorCount) : .mono
    digitStyle = options.digitStyle
    symbols = options.isASCII ? .ascii : .unicode
    grid = DisplayGrid(showsTenths: options.showsTenths)
    metrics = RowMetrics(grid: grid)
  }

  /// The built-in themes, then those of the configuration. They are not stored, because the first frame needs only one.
  var themes: [Theme] { Theme.all + options.customThemes }

  /// Updates the dashboard with a message.
  /// - Returns: The effects, to be performed in order.
  package mutating func update(_ message: Message, at now: ClockReading) -> [Effect] {
    board.synchronizeClocks(at: now)
    applyBoardChanges()
    switch message {
    case .board(let event):
      let count = rows.count
      let effects = showReports(in: board.apply(event, at: now), at: now)
      if rows.count == count { needsSelectionCheck = true } else { keepSelectionVisible() }
      return effects
    case .command(let command):
      let effects = perform(command, at: now)
      keepSelectionVisible()
      return effects
    case .input(let input): return handle(input, at: now)
    case .resized(let size):
      self.size = size
      keepSelectionVisible()
    case .resumed: return [.redraw]
    case .lab(let snapshot): lab = snapshot
    case .labLeft: show(.board)
    case .history(let index): historyState.setIndex(index)
    case .error(let text): notice = Notice(text: text, isFailure: true)
    case .info(let text):
      notice = Notice(text: text, isFailure: false)
      return perform(.record(text), at: now)
    }
    return []
  }

  /// Performs the commands with which the board starts.
  package mutating func start(with commands: [Board.Command], at now: ClockReading) -> [Effect] {
    let effects = commands.flatMap { perform($0, at: now) }
    keepSelectionVisible()
    return effects
  }

  /// Removes the reports since the last call and returns them, or the last hundred if there are more.
  package mutating func takeReports() -> [Report] {
    defer { reports = [] }
    return reports
  }

  /// Returns the frame at an instant.
  package func frame(at now: ClockReading) -> RenderedFrame {
    var dashboard = self
    dashboard.board.synchronizeClocks(at: now)
    if needsSelectionCheck { dashboard.keepSelectionVisible() }
    return Frame(dashboard, at: now).render()
  }

  /// A Boolean value that indicates whether the lab is in the frame.
  package var showsLab: Bool { view == .lab && help == nil }

  /// Opens the lab.
  package mutating func showLab() { show(.lab) }

  private mutating func handle(_ input: TerminalInput, at now: ClockReading) -> [Effect] {
    switch input {
    case .key(let key): return handle(at: now) { $0.press(key, at: now) }
    case .mouse(let event):
      guard event.isAction else { break }
      return handle(at: now) { $0.handle(event, at: now) }
    case .paste(let text):
      if help == nil { insert(text) }
      keepSelectionVisible()
    case .focus: break
    }
    return []
  }

  /// Performs the action of a key or the mouse, which also stops the bell and clears the notice.
  private mutating func handle(
    at now: ClockReading, _ action: (inout Dashboard) -> [Effect]
  ) -> [Effect] {
    notice = nil
    if needsSelectionCheck { keepSelectionVisible() }
    let effects = perform(.silence, at: now) + action(&self)
    keepSelectionVisible()
    if view == .timeline, !timeline.isFitted { fitTimeline(at: now) }
    return effects
  }

  /// Sends a command to the board.
  mutating func perform(_ command: Board.Command, at now: ClockReading) -> [Effect] {
    showReports(in: board.handle(command, at: now), at: now)
  }

  /// Shows the reports among the board's effects in the message line, and returns the other effects.
  private mutating func showReports(
    in effects: [Board.Effect], at now: ClockReading
  ) -> [Effect] {
    applyBoardChanges()
    return effects.compactMap { effect in
      guard case .report(let report) = effect else { return .board(effect) }
      reports = reports.suffix(Self.reportLimit - 1) + [report]
      notice = Notice(report, timeLeft: timeText(of: report, at: now))
      return nil
    }
  }

  private func timeText(of report: Report, at now: ClockReading) -> String? {
    guard report.includesTimeLeft, let timer = report.timers.first.flatMap({ board.timers[$0] })
    else { return nil }
    return timeText(of: timer, at: now)
  }
}

extension Dashboard {
  var rows: TimerList { board.timers }

  var selectedRow: BoardTimer? {
    selected < rows.count && !list.hidesAll ? rows[selected] : nil
  }

  /// Returns the time that a row shows, such as the time left or the elapsed time; `nil` if it shows none.
  func timeText(of row: BoardTimer, at now: ClockReading) -> String? {
    grid.units(of: row, from: grid.stepStart(of: now.suspending))
      .map {
        (row.status.state == .finished ? "+" : "")
          + TimeText.clock($0, showsTenths: grid.showsTenths)
      }
  }

  /// Updates the metrics from the changes of the board. If only one timer runs, the grid is aligned with its
  /// deadline whenever that changes; with several the grid stays, so that no other row's digits jump.
  private mutating func applyBoardChanges() {
    let changedDeadlines = metrics.update(with: board.takeChanges(), in: rows)
    guard rows.count(of: .running) == 1 else { return }
    for due in changedDeadlines { grid.align(to: due) }
  }

  mutating func keepSelectionVisible() {
    needsSelectionCheck = false
    list.marks = list.marks.filter { rows.position(of: $0) != nil }
    selected = min(max(0, selected), max(0, rows.count - 1))
    let arrangement = Arrangement(of: self)
    list.hidesAll = arrangement.positions.isEmpty && !rows.isEmpty
    if arrangement.index(of: selected) == nil, let nearest = arrangement.nearest(to: selected) {
      selected = nearest
    }
    top = ScreenLayout(of: self).firstRow(
      from: top, selected: arrangement.index(of: selected) ?? 0,
      count: arrangement.positions.count)
  }
}
