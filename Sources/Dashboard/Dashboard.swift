public import TerminalCore
public import TimerKit

/// What the program shows and does, as a value: messages go in, effects come out, and the picture is
/// a function of it. It reads no clock and touches no timer.
public struct Dashboard: Sendable {
  public let options: DisplayOptions
  public internal(set) var size: Size
  let bindings: Bindings
  /// All there are to choose from.
  let themes: [Theme]
  var theme: Theme
  let symbols: Symbols

  /// What the screen shows; help and prompt lie over it.
  var screen = Screen.board
  var digitStyle: DigitStyle
  /// Whether bell and notifications are off.
  public internal(set) var isMuted: Bool
  var timeline = TimelineScale()
  var logView = LogView()
  /// What the lab shows, while it is on the screen: whoever drives the lab puts it here before a
  /// frame.
  public var lab: LabFrame?
  var rows: RowList
  var list = BoardList()
  var grid: DisplayGrid
  /// The selected row's position in the board's own order; 0 on an empty board.
  var selected = 0
  /// The row at the top of the table, counted among those that are seen.
  var top = 0
  var prompt: Prompt?
  var command: CommandPrompt?
  var commandHistory = InputHistory()
  /// Of what was added and edited.
  var timerHistory = InputHistory()
  /// How far the help overlay is scrolled; `nil` while it is closed.
  var help: Int?
  var notice: Notice?
  var undoHistory = UndoHistory()
  /// What "pause all" has paused and nobody has started since.
  var pausedTogether: Set<TimerID> = []
  /// What was asked of a timer and is told of when it answers.
  var awaited: AwaitedDeed?
  var lastFire: LastFire?
  /// When rows were last placed by other clocks than the suspending one.
  var clocksAsOf: Moment?
  /// When the newest of the rows that call for attention began to.
  var callsSince: TimerClock.Instant?
  /// The row that was clicked last, and when: another click soon after makes two.
  var lastClick: (id: TimerID, at: TimerClock.Instant)?
  var log = EventLog()
  private var typeAhead = TypeAhead()
  private var nextID = 1

  /// What rang last, and at which second of the day.
  struct LastFire: Sendable {
    var label: String
    var second: Int
  }

  public init(options: DisplayOptions, size: Size, bindings: Bindings = .standard) {
    self.options = options
    self.size = size
    self.bindings = bindings
    themes = Theme.all + options.ownThemes
    theme = options.hasColor ? options.theme : .mono
    digitStyle = options.digitStyle
    isMuted = options.isMuted
    symbols = options.isASCII ? .ascii : .unicode
    grid = DisplayGrid(showsTenths: options.showsTenths)
    rows = RowList(grid: grid)
  }

  /// Adds timers at the end of the board, as those of the command line are.
  public mutating func start(_ specs: [TimerSpec], at now: Moment) -> [Effect] {
    let effects = specs.map { add($0, at: rows.count, now: now) }
    typeAhead.expectAnswers(to: effects)
    return effects
  }

  /// Takes a message in.
  /// - Returns: what is to be done about it, in order.
  public mutating func update(_ message: Message, at now: Moment) -> [Effect] {
    followClocks(at: now)
    switch message {
    case .timer(let id, let news, let status):
      let effects = hear(news, status, of: id, at: now)
      if news == nil { typeAhead.noteAnswer(of: id) }
      typeAhead.expectAnswers(to: effects)
      return news == nil ? effects + takeInTypeAhead(at: now) : effects
    case .notCreated(let id, let reason):
      removeRow(of: id, because: reason, at: now)
      typeAhead.noteAnswer(of: id)
      return takeInTypeAhead(at: now)
    case .command(let id, let result, let isRunning):
      let effects = hear(result, of: id, isRunning: isRunning, at: now)
      typeAhead.expectAnswers(to: effects)
      return effects
    case .input(let input):
      if typeAhead.isWaiting, !isInterrupt(input) {
        typeAhead.add(input)
        return []
      }
      return takeIn(input, at: now)
    case .resized(let size):
      self.size = size
      keepSelectionVisible()
    case .resumed: return [.redraw]
    case .labLeft: show(.board)
    case .trouble(let text):
      notice = .refused(text)
      logNotice(at: now)
    case .told(let text):
      notice = .done(text)
      logNotice(at: now)
    }
    return []
  }

  /// The whole frame.
  public func view(at now: Moment) -> Canvas {
    Frame(followingClocks(at: now), at: now).draw()
  }

  /// The instant of the suspending clock at which the picture next changes by itself; `nil` where it never does.
  public func staleAt(_ now: Moment) -> TimerClock.Instant? {
    Frame(followingClocks(at: now), at: now).staleAt()
  }

  /// Whether the frame has the lab in it.
  public var showsLab: Bool { screen == .lab && help == nil }

  /// Opens the lab.
  public mutating func showLab() { show(.lab) }

  private mutating func takeIn(_ input: TerminalInput, at now: Moment) -> [Effect] {
    switch input {
    case .key(let key): return perform(at: now) { $0.press(key, at: now) }
    case .mouse(let event):
      guard event.isDeed else { break }
      return perform(at: now) { $0.take(event, at: now) }
    case .paste(let text):
      if help == nil { insert(text) }
      keepSelectionVisible()
    case .focus: break
    }
    return []
  }

  /// Does what a person asks for, and sees to what goes with every deed.
  private mutating func perform(
    at now: Moment, _ deed: (inout Dashboard) -> [Effect]
  ) -> [Effect] {
    let silence = acknowledgeCalls()
    notice = nil
    let effects = silence + deed(&self)
    forgetFailures(after: effects)
    logNotice(at: now)
    keepSelectionVisible()
    typeAhead.expectAnswers(to: effects)
    return effects
  }

  private mutating func takeInTypeAhead(at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    while let input = typeAhead.takeNext() { effects += takeIn(input, at: now) }
    return effects
  }

  /// Whatever a timer does, one can leave.
  private func isInterrupt(_ input: TerminalInput) -> Bool {
    guard case .key(let key) = input else { return false }
    return bindings.action(for: key, in: .global) == .interrupt
  }

  var selectedRow: Row? { selected < rows.count && !list.hidesAll ? rows[selected] : nil }

  private mutating func acknowledgeCalls() -> [Effect] {
    let isRinging = rows.rows.contains(where: \.isRinging)
    rows.acknowledgeCalls()
    callsSince = nil
    return isRinging ? [.keepRinging(false)] : []
  }

  /// Puts a row at the end of the board, as its timer stood.
  mutating func add(_ timer: SavedTimer, at now: Moment) -> Effect {
    let id = TimerID(nextID)
    nextID += 1
    let row = Row(id: id, timer.spec, as: timer.checkpoint, at: now)
    rows.insert(row, at: rows.count)
    alignGrid(to: row, was: nil)
    return .create(id, timer.spec, restoring: timer.checkpoint)
  }

  mutating func expectAnswers(to effects: [Effect]) {
    typeAhead.expectAnswers(to: effects)
  }

  /// Puts a new row on the board, as its timer is about to be.
  mutating func add(_ spec: TimerSpec, at position: Int, now: Moment) -> Effect {
    let id = TimerID(nextID)
    nextID += 1
    let start = TimerCheckpoint(startOf: spec, at: now)
    let row = Row(id: id, spec, as: start, at: now)
    rows.insert(row, at: position)
    alignGrid(to: row, was: nil)
    return .create(id, spec, restoring: row.status.phase == .running ? nil : start)
  }

  /// Makes a row's timer anew in its place.
  mutating func remake(at position: Int, as checkpoint: TimerCheckpoint, now: Moment) -> Effect {
    rows.change(at: position) { row in
      row.command = CommandState()
      row.mirror(checkpoint.status(at: now), at: now)
    }
    let row = rows[position]
    return .create(row.id, row.spec, restoring: checkpoint)
  }

  /// A timer that runs alone sets the grid, whenever its deadline moves; in company the grid stays,
  /// so that no other row's digits jump.
  mutating func alignGrid(to row: Row, was due: TimerClock.Instant?) {
    if let newDue = row.due, newDue != due, rows.count(of: .running) == 1 { grid.align(to: newDue) }
  }

  mutating func keepSelectionVisible() {
    selected = min(max(0, selected), max(0, rows.count - 1))
    let arrangement = Arrangement(of: self)
    list.hidesAll = arrangement.positions.isEmpty && !rows.isEmpty
    if arrangement.place(of: selected) == nil, let nearest = arrangement.nearest(to: selected) {
      selected = nearest
    }
    top = ScreenLayout(of: self).firstRow(
      from: top, selected: arrangement.place(of: selected) ?? 0,
      count: arrangement.positions.count)
  }
}
