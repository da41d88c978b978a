import TimerKit

/// Something asked of a timer, to be told of when its answer is there.
struct AwaitedDeed: Sendable {
  var id: TimerID
  var command: TimerCommand
  /// What the timer was when it was asked.
  var before: Repeater.Snapshot
}

extension Dashboard {
  /// A timer told of itself: its row is what it says.
  mutating func hear(
    _ event: Repeater.Event?, _ snapshot: Repeater.Snapshot, of id: TimerID, at now: Moment
  ) -> [Effect] {
    guard let position = rows.position(of: id) else { return [] }
    let before = rows[position].snapshot
    let due = rows[position].due
    var tick: Repeater.Tick?
    if case .tick(let fire)? = event { tick = fire }
    let hasFinished = snapshot.phase == .finished && before.phase != .finished
    rows.change(at: position) { row in
      row.mirror(snapshot, at: now)
      if let tick { row.noteFire(tick, at: now) }
      if hasFinished { row.callsForAttention = true }
    }
    let row = rows[position]
    alignGrid(to: row, was: due)
    if before.phase == .paused, snapshot.phase != .paused { pausedTogether.remove(id) }
    if tick != nil {
      lastFire = LastFire(label: row.label, second: LocalTime(now).second)
    }
    if event == nil, let deed = awaited, deed.id == id {
      awaited = nil
      notice = announcement(of: deed, row: row, at: now)
    }
    return hasFinished ? [.ring] : []
  }

  /// The time left as the row shows it.
  func timeText(of row: Row, at now: Moment) -> String? {
    grid.units(of: row, from: grid.start(of: now.uptime))
      .map { TimeText.clock($0, showsTenths: grid.showsTenths) }
  }

  private func announcement(of deed: AwaitedDeed, row: Row, at now: Moment) -> Notice {
    let name = row.label
    let after = row.snapshot
    let left = timeText(of: row, at: now).map { "\($0) left" } ?? "\(after.phase)"
    switch deed.command {
    case .start:
      guard after.phase == .running else { break }
      switch deed.before.phase {
      case .paused: return .done("\(name) goes on with \(left)")
      case .finished: return .done("started \(name) anew, \(left)")
      default: return .done("started \(name), \(left)")
      }
    case .pause:
      guard after.phase == .paused else { break }
      return .done("paused \(name) with \(left)")
    case .reset(let restart):
      return .done(restart ? "reset \(name), \(left)" : "reset \(name), stopped")
    case .fire(let andPause):
      guard deed.before.phase != .finished else { break }
      return .done(
        andPause && after.phase == .paused
          ? "fired \(name), paused with \(left)" : "fired \(name)")
    case .adjustTimeLeft(let change):
      guard after.phase == deed.before.phase else { break }
      let amount = DurationText.text(change < .zero ? .zero - change : change)
      return .done("\(amount) \(change < .zero ? "less" : "more") for \(name), \(left)")
    case .setInterval:
      let interval = DurationText.text(after.interval)
      return .done("\(name): \(DurationText.text(deed.before.interval)) → \(interval), \(left)")
    case .setRemainingIterations:
      guard let iterations = row.iterations else { break }
      return .done("\(name): \(iterations.left) of \(iterations.of) to come")
    }
    return .refused("\(name) is \(after.phase) by now")
  }
}

extension Dashboard {
  /// Asks the selected timer for what a key means, or says why that cannot be.
  mutating func ask(_ action: Action, at now: Moment) -> [Effect] {
    guard let row = selectedRow else {
      notice = .refused("no timer is here: a adds one")
      return []
    }
    do throws(Refusal) {
      let command = try command(for: action, of: row, at: now)
      if let deed = command.deed {
        remember("\(deed) \(row.label)", of: row, checkpoint: row.checkpoint(at: now))
      }
      awaited = AwaitedDeed(id: row.id, command: command, before: row.snapshot)
      return [.send(command, to: row.id)]
    } catch {
      notice = .refused(error.reason)
      return []
    }
  }

  /// Pauses everything that runs; where nothing does, starts exactly what this has paused before.
  mutating func pauseOrResumeAll() -> [Effect] {
    let running = rows.rows.filter { $0.snapshot.phase == .running }.map(\.id)
    guard running.isEmpty else {
      pausedTogether.formUnion(running)
      notice = .done(
        "paused \(timers(running.count)) — P lets \(running.count == 1 ? "it" : "them") go on")
      return running.map { .send(.pause, to: $0) }
    }
    let paused = rows.rows.filter { pausedTogether.contains($0.id) && $0.snapshot.phase == .paused }
    guard !paused.isEmpty else {
      notice = .refused("nothing runs that could be paused")
      return []
    }
    notice = .done("\(timers(paused.count)) \(paused.count == 1 ? "goes" : "go") on")
    return paused.map { .send(.start, to: $0.id) }
  }

  func timers(_ count: Int) -> String { count == 1 ? "1 timer" : "\(count) timers" }

  private struct Refusal: Error {
    var reason: String
  }

  private func command(
    for action: Action, of row: Row, at now: Moment
  ) throws(Refusal) -> TimerCommand {
    let snapshot = row.snapshot
    switch action {
    case .startOrPause: return snapshot.phase == .running ? .pause : .start
    case .reset: return .reset(restart: true)
    case .resetAndStop: return .reset(restart: false)
    case .fire, .fireAndPause:
      try refuseIfFinished(row)
      return .fire(andPause: action == .fireAndPause)
    case .moreTime, .lessTime:
      try refuseIfFinished(row)
      guard let left = snapshot.timeLeft(at: now[snapshot.clock]) else {
        throw Refusal(
          reason: "\(row.label) is not started: Space starts it, < and > set its interval")
      }
      guard action == .moreTime || left > .zero else {
        throw Refusal(reason: "\(row.label) has no time left to take")
      }
      let step = Self.timeStep(for: left)
      return .adjustTimeLeft(action == .moreTime ? step : .zero - step)
    case .longerInterval:
      guard let longer = Self.ladder.first(where: { $0 > snapshot.interval }) else {
        throw Refusal(reason: "\(row.label) has the longest interval of the keys: e sets any other")
      }
      return .setInterval(longer, .fromLastFire)
    case .shorterInterval:
      guard let shorter = Self.ladder.last(where: { $0 < snapshot.interval }) else {
        throw Refusal(
          reason: "\(row.label) has the shortest interval of the keys: e sets any other")
      }
      return .setInterval(shorter, .fromLastFire)
    default: return try iterationsCommand(action == .moreIterations ? 1 : -1, of: row)
    }
  }

  private func iterationsCommand(
    _ change: Int, of row: Row
  ) throws(Refusal) -> TimerCommand {
    let what = change > 0 ? "add" : "take"
    switch row.snapshot.mode {
    case .infinite: throw Refusal(reason: "\(row.label) has no end, so no iterations to \(what)")
    case .once: throw Refusal(reason: "\(row.label) rings once: it has no iterations to \(what)")
    case .finite: try refuseIfFinished(row)
    }
    let left = (row.snapshot.remainingIterations ?? 1) + change
    guard left >= 1 else {
      throw Refusal(reason: "\(row.label) is at its last iteration: f fires it, d deletes it")
    }
    guard left <= TimerParser.largestCount else {
      throw Refusal(reason: "\(row.label) has as many iterations as a timer can have")
    }
    return .setRemainingIterations(left)
  }

  private func refuseIfFinished(_ row: Row) throws(Refusal) {
    if row.snapshot.phase == .finished {
      throw Refusal(reason: "\(row.label) is finished: Space starts it anew")
    }
  }

  /// One minute, ten seconds under five minutes, one second under thirty.
  static func timeStep(for left: Duration) -> Duration {
    left < .seconds(30) ? .seconds(1) : left < .minutes(5) ? .seconds(10) : .minutes(1)
  }

  /// The intervals that < and > go along.
  static let ladder: [Duration] =
    [1, 2, 5, 10, 15, 20, 30, 45].map { .seconds($0) }
    + [1, 2, 5, 10, 15, 20, 30, 45].map { .minutes($0) }
    + [1, 2, 5, 10, 15, 20].map { .hours($0) } + [1, 2, 5, 10, 20, 50, 100].map { .days($0) }
}

extension TimerCommand {
  /// What undo calls it; `nil` for what needs no undo, because a key takes it back anyway.
  fileprivate var deed: String? {
    switch self {
    case .start, .pause, .fire: nil
    case .reset: "reset of"
    case .adjustTimeLeft: "time of"
    case .setInterval: "interval of"
    case .setRemainingIterations: "iterations of"
    }
  }
}
