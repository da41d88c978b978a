public import TerminalCore
public import TimerKit

/// What the program shows and does, as a value: messages go in, effects come out, and the picture is
/// a function of it. It reads no clock and touches no timer.
public struct Dashboard: Sendable {
  public private(set) var options: DisplayOptions
  public private(set) var size: Size
  var rows = RowList()
  var selected = 0
  var grid: DisplayGrid
  private var nextID = 1

  public init(options: DisplayOptions, size: Size) {
    self.options = options
    self.size = size
    grid = DisplayGrid(showsTenths: options.showsTenths)
  }

  /// Adds timers to the board, as those of the command line are.
  public mutating func start(_ specs: [TimerSpec], at now: Moment) -> [Effect] {
    specs.map { spec in
      let id = TimerID(nextID)
      nextID += 1
      let checkpoint = spec.isPaused ? spec.pausedAtStart(at: now) : nil
      let snapshot = Repeater.Snapshot(
        phase: checkpoint?.phase ?? .idle, mode: spec.mode, interval: spec.interval,
        missedTicks: spec.missedTicks, tolerance: spec.tolerance,
        remainingIterations: spec.mode.count, frozenTimeLeft: checkpoint?.timeLeft)
      rows.insert(Row(id: id, spec: spec, snapshot: snapshot), at: rows.count)
      return .create(id, spec, restoring: checkpoint)
    }
  }

  /// Takes a message in.
  /// - Returns: what is to be done about it, in order.
  public mutating func update(_ message: Message, at now: Moment) -> [Effect] {
    switch message {
    case .timer(let id, let event, let snapshot):
      guard let index = rows.position(of: id) else { return [] }
      rows.change(at: index) { row in
        row.mirror(snapshot, at: now)
        if case .tick(let tick)? = event { row.noteFire(tick, at: now) }
      }
      return []
    case .resized(let size):
      self.size = size
      return []
    case .resumed: return [.redraw]
    case .input(.key(.control("c"))): return [.quit(status: 130)]
    case .input(.key(.character("q"))): return [.quit(status: 0)]
    case .input(.key(.space)):
      guard selected < rows.count else { return [] }
      let row = rows[selected]
      return [.send(row.snapshot.phase == .running ? .pause : .start, to: row.id)]
    case .input(.key(.down)): selected = min(selected + 1, max(0, rows.count - 1))
    case .input(.key(.up)): selected = max(0, selected - 1)
    case .input: break
    }
    return []
  }

  /// The whole frame.
  public func view(at now: Moment) -> Canvas {
    var canvas = Canvas(size)
    let start = grid.start(of: now.uptime)
    for (y, row) in rows.rows.prefix(size.height).enumerated() {
      let units = row.due.map { grid.units(until: $0, from: start) } ?? 0
      canvas.write(
        "\(y == selected ? ">" : " ") \(row.label)  \(row.state(at: now.uptime))  \(units)", x: 0,
        y: y)
    }
    return canvas
  }

  /// The uptime instant at which the picture next changes by itself; `nil` where it never does.
  public func staleAt(_ now: Moment) -> TimelineInstant? {
    guard rows.next != nil else { return nil }
    return grid.next(after: grid.start(of: now.uptime))
  }
}
