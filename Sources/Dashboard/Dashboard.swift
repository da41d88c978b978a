public import TerminalCore
public import TimerKit

/// What the program shows and does, as a value: messages go in, effects come out, and the picture is
/// a function of it. It reads no clock and touches no timer.
public struct Dashboard: Sendable {
  public let options: DisplayOptions
  public internal(set) var size: Size
  let bindings = Bindings.standard
  let theme: Theme
  let symbols: Symbols

  /// What the screen shows; help and prompt lie over it.
  var screen = Screen.board
  var digitStyle = DigitStyle.block
  var timeline = TimelineScale()
  var logView = LogView()
  /// What the lab shows, while it is on the screen: whoever drives the lab puts it here before a
  /// frame.
  public var lab: LabFrame?
  var rows: RowList
  var grid: DisplayGrid
  /// The selected row; 0 on an empty board.
  var selected = 0
  /// The row at the top of the table.
  var top = 0
  var prompt: Prompt?
  /// How far the help overlay is scrolled; `nil` while it is closed.
  var help: Int?
  var notice: Notice?
  var undoHistory = UndoHistory()
  /// What "pause all" has paused and nobody has started since.
  var pausedTogether: Set<TimerID> = []
  /// What was asked of a timer and is told of when it answers.
  var awaited: AwaitedDeed?
  var lastFire: LastFire?
  var log = EventLog()
  private var typeAhead = TypeAhead()
  private var nextID = 1

  /// What rang last, and at which second of the day.
  struct LastFire: Sendable {
    var label: String
    var second: Int
  }

  public init(options: DisplayOptions, size: Size) {
    self.options = options
    self.size = size
    theme = options.hasColor ? .standard : Theme.standard.withoutColor
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
    switch message {
    case .timer(let id, let news, let status):
      let effects = hear(news, status, of: id, at: now)
      guard news == nil else { return effects }
      typeAhead.noteAnswer(of: id)
      return effects + takeInTypeAhead(at: now)
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
    }
    return []
  }

  /// The whole frame.
  public func view(at now: Moment) -> Canvas {
    Frame(self, at: now).draw()
  }

  /// The uptime instant at which the picture next changes by itself; `nil` where it never does.
  public func staleAt(_ now: Moment) -> TimelineInstant? {
    Frame(self, at: now).staleAt()
  }

  /// Whether the frame has the lab in it.
  public var showsLab: Bool { screen == .lab && help == nil }

  /// Opens the lab.
  public mutating func showLab() { show(.lab) }

  private mutating func takeIn(_ input: TerminalInput, at now: Moment) -> [Effect] {
    switch input {
    case .key(let key):
      rows.acknowledgeCalls()
      notice = nil
      let effects = press(key, at: now)
      logNotice(at: now)
      keepSelectionVisible()
      typeAhead.expectAnswers(to: effects)
      return effects
    case .paste(let text):
      if help == nil { insert(text) }
    case .mouse, .focus: break
    }
    return []
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

  var selectedRow: Row? { selected < rows.count ? rows[selected] : nil }

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
    rows.change(at: position) { $0.mirror(checkpoint.status(at: now), at: now) }
    let row = rows[position]
    return .create(row.id, row.spec, restoring: checkpoint)
  }

  /// A timer that runs alone sets the grid, whenever its deadline moves; in company the grid stays,
  /// so that no other row's digits jump.
  mutating func alignGrid(to row: Row, was due: TimelineInstant?) {
    if let newDue = row.due, newDue != due, rows.count(of: .running) == 1 { grid.align(to: newDue) }
  }

  mutating func keepSelectionVisible() {
    selected = min(max(0, selected), max(0, rows.count - 1))
    top = ScreenLayout(of: self).firstRow(from: top, selected: selected, count: rows.count)
  }
}
