package import TerminalCore
package import TimerBoard
package import TimerKit

/// The user interface as a value: messages go in, what they change and effects come out, and the frame is a function of it
/// and of the board.
///
/// It reads no clock and performs no effect. The board is lent to it for the time of a call; between calls it has only its
/// own state, such as the view, the prompt, the selection and the filter.
package struct Dashboard {
  package let options: DisplayOptions
  package internal(set) var size: Size
  /// The board that is lent to the present call; empty between calls.
  var board = Board()
  /// The changes of the board by the commands of the present call.
  var change = Change()
  /// The time of the present call.
  var now = ClockReading.distantFuture
  let bindings: Bindings
  var theme: Theme
  let symbols: Symbols

  /// A Boolean value that indicates whether the session can continue in the background.
  package var canDetach = false
  /// Returns the names of the scenes of the lab with their subjects, which the command palette lists. They are read from
  /// texts, which the start does not wait for.
  package var scenes: @Sendable () -> [LabPage.Term] = { [] }
  var view = DashboardView.board
  /// The open prompt, which gets the keys unless the help covers it. Changing it closes the help.
  var prompt: Prompt? {
    didSet { helpOffset = nil }
  }
  /// The number of lines by which the help is scrolled; `nil` while it is closed.
  var helpOffset: Int?
  var boardLayout: BoardLayout
  var timeline = TimelineState()
  var logState = LogState()
  /// A Boolean value that indicates whether a lateness below a second is shown.
  var showsLateness = false
  var historyState = HistoryState()
  /// The most recent page of the lab, and the instant at which it changes by itself.
  var lab: (page: LabPage, nextChange: TimerClock.Instant?)?
  var listState = ListState()
  /// The timers of another process, in place of those of the board; `nil` for the own board.
  var attached: AttachedTimers?
  var firstMinute = FirstMinute()
  /// The steps in which digits and bars change.
  var displaySteps: DisplaySteps
  var rowMetrics = RowMetrics()
  /// The selected row's position in the board's own order; 0 on an empty board.
  var selected = 0
  /// The timer of the selected row after the last message, which another process may have moved to another row since.
  private var selectedID: TimerID?
  /// A Boolean value that indicates whether a timer has changed since the selection was last checked
  /// against the filter.
  var needsSelectionCheck = false
  /// The index of the row at the top of the table among the rows that match the filter.
  var top = 0
  var notice: Notice?
  /// The caption of the guided tour; `nil` outside it.
  var caption: Tour.Caption?
  var commandInputHistory = InputHistory()
  /// The lines that were entered to add and edit timers.
  var timerInputHistory = InputHistory()
  /// The row and the instant of the most recent click, for double clicks.
  var lastClick: (id: TimerID, at: TimerClock.Instant)?

  package init(
    options: DisplayOptions, size: Size, bindings: Bindings = .standard
  ) {
    self.options = options
    self.size = size
    self.bindings = bindings
    theme = options.fittingTheme
    boardLayout = options.boardLayout
    symbols = options.symbols
    displaySteps = DisplaySteps(showsTenths: options.showsTenths)
  }

  /// The built-in themes, then those of the configuration. They are not stored, because the first frame needs only one.
  var themes: [Theme] { Theme.all + options.customThemes }

  /// Returns the frame of a board.
  package func frame(of board: Board, at now: ClockReading) -> RenderedFrame {
    var dashboard = self
    dashboard.board = board
    dashboard.now = now
    if needsSelectionCheck { dashboard.followSelectedTimer() }
    return Frame(dashboard, at: now).render()
  }

  /// A Boolean value that indicates whether the lab is in the frame.
  package var showsLab: Bool { view == .lab && helpOffset == nil }

  /// Opens the lab.
  package mutating func showLab() { show(.lab) }
}

extension Dashboard {
  var rows: TimerList { _read { yield board.timers } }

  /// The largest widths of the texts in the rows.
  var rowWidths: RowWidths {
    attached == nil ? rowMetrics.widest : RowWidths(ofProcessIn: size.width)
  }

  /// A Boolean value that indicates whether there is no row, whatever the filter is.
  var hasNoRows: Bool { attached.map { $0.positions.isEmpty } ?? rows.isEmpty }

  var selectedRow: BoardTimer? {
    selected < rows.count && !listState.hidesAll ? rows[selected] : nil
  }

  /// Returns the time that a row shows, such as the time left or the elapsed time; `nil` if it shows none.
  func timeText(of row: BoardTimer, at now: ClockReading) -> String? {
    Row.Time(of: row, in: rowContext(at: now)).text
  }

  func rowContext(at now: ClockReading) -> RowContext {
    RowContext(at: now, displaySteps, symbols, uses24Hours: options.uses24Hours)
  }

  /// Selects the timer that was selected before the board changed.
  mutating func followSelectedTimer() {
    if let position = selectedID.flatMap({ attached?.position(of: $0) ?? rows.position(of: $0) }) {
      selected = position
    }
    keepSelectionVisible()
  }

  mutating func forgetSelectedTimer() { selectedID = nil }

  mutating func keepSelectionVisible() {
    needsSelectionCheck = false
    if let attached {
      selected = min(max(0, selected), max(0, attached.matchCount - 1))
      selectedID = attached.timer(at: selected)?.timerID
      top = ScreenLayout(of: self).firstRow(
        from: top, selected: selected, count: attached.matchCount)
      return
    }
    listState.marks = listState.marks.filter { rows.position(of: $0) != nil }
    selected = min(max(0, selected), max(0, rows.count - 1))
    let filteredRows = FilteredRows(of: self)
    listState.hidesAll = filteredRows.positions.isEmpty && !rows.isEmpty
    if filteredRows.index(of: selected) == nil, let nearest = filteredRows.nearest(to: selected) {
      selected = nearest
    }
    selectedID = selected < rows.count ? rows[selected].id : nil
    top = ScreenLayout(of: self).firstRow(from: top, selected: selected, of: filteredRows)
  }
}

/// A message to the dashboard.
package enum Message: Sendable {
  case input(TerminalInput)
  /// A new caption of the guided tour; `nil` at its end.
  case caption(Tour.Caption?)
  case resized(Size)
  /// The reports of a command of another process.
  case reports([Report])
  /// The program was stopped, and has the terminal again.
  case resumed
  /// The new page of the lab, and the instant at which it changes by itself; `nil` if it does not.
  case lab(LabPage, nextChange: TimerClock.Instant?)
  /// The lab was left, as a consequence of ``Effect/lab(_:)``.
  case labClosed
  /// The history of the last year, after it was read.
  case history(HistoryIndex)
  /// An error outside the dashboard, such as a failure to save the session.
  case error(String)
  /// An event outside the dashboard, such as the end of the input.
  case info(String)
}

/// An effect of the dashboard, which its caller performs.
package enum Effect: Hashable, Sendable {
  /// Redraws the whole screen, in case another program has written to it.
  case redraw
  case suspend
  /// Continues the session in the background and ends the program.
  case detach
  /// Ends the program. A session that was taken over from the background does not return there.
  case quitFully
  /// Begins the guided tour.
  case tour
  case lab(LabCommand)
  case quit(status: Int32)
}

/// A frame, and the instant on the suspending clock at which it changes by itself; `nil` if it does not.
package struct RenderedFrame {
  package var canvas: Canvas
  package var nextRedraw: TimerClock.Instant?
  /// The title of the terminal's window.
  package var title = ""
}
