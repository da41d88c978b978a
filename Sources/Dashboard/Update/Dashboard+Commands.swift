import TimerKit

/// Why a key means nothing to a timer.
struct Refusal: Error {
  var reason: String
}

extension Dashboard {
  /// What a key means to a timer, or why it means nothing.
  func command(
    for action: Action, of row: Row, at now: Moment
  ) throws(Refusal) -> TimerCommand {
    switch row.status {
    case .repeater(let snapshot): try command(for: action, of: row, snapshot, at: now)
    case .cycle: try cycleCommand(for: action, of: row, at: now)
    case .stopwatch: try stopwatchCommand(for: action, of: row)
    case .calls: try callsCommand(for: action, of: row)
    }
  }

  private func command(
    for action: Action, of row: Row, _ snapshot: Repeater.Snapshot, at now: Moment
  ) throws(Refusal) -> TimerCommand {
    if let schedule = snapshot.configuration.schedule {
      try refuse(action, of: row, schedule, at: now)
    }
    switch action {
    case .startOrPause: return snapshot.state == .running ? .pause : .start
    case .reset: return .reset(restart: true)
    case .resetAndStop: return .reset(restart: false)
    case .fire, .fireAndPause:
      try refuseIfFinished(row)
      return .fire(andPause: action == .fireAndPause)
    case .moreTime, .lessTime: return try timeCommand(action, of: row, at: now)
    case .longerInterval:
      guard let longer = Self.ladder.first(where: { $0 > row.usualInterval(snapshot) }) else {
        throw Refusal(reason: "\(row.label) has the longest interval of the keys: e sets any other")
      }
      return .setInterval(longer, .fromLastFire)
    case .shorterInterval:
      guard let shorter = Self.ladder.last(where: { $0 < row.usualInterval(snapshot) }) else {
        throw Refusal(
          reason: "\(row.label) has the shortest interval of the keys: e sets any other")
      }
      return .setInterval(shorter, .fromLastFire)
    case .moreIterations: return try iterationsCommand(1, of: row, snapshot)
    case .fewerIterations: return try iterationsCommand(-1, of: row, snapshot)
    case .skipPhase: throw Refusal(reason: "\(row.label) has no phases: f fires it now")
    default: throw Refusal(reason: "\(row.label) takes no laps: a stopwatch does")
    }
  }

  /// What a timer that follows the time of day cannot do.
  private func refuse(
    _ action: Action, of row: Row, _ schedule: WallSchedule, at now: Moment
  ) throws(Refusal) {
    switch action {
    case .startOrPause where row.status.phase != .running, .reset:
      guard schedule.next(after: now.wall) == nil else { return }
      throw Refusal(reason: "\(row.label) is for a date that is past: e sets another")
    case .moreTime, .lessTime, .longerInterval, .shorterInterval:
      throw Refusal(reason: "\(row.label) is due by the clock: e sets another time")
    default: return
    }
  }

  private func cycleCommand(
    for action: Action, of row: Row, at now: Moment
  ) throws(Refusal) -> TimerCommand {
    switch action {
    case .startOrPause: return row.status.phase == .running ? .pause : .start
    case .reset: return .reset(restart: true)
    case .resetAndStop: return .reset(restart: false)
    case .moreTime, .lessTime: return try timeCommand(action, of: row, at: now)
    case .skipPhase, .fire:
      try refuseIfFinished(row)
      return .skip
    case .longerInterval, .shorterInterval, .moreIterations, .fewerIterations:
      throw Refusal(reason: "\(row.label) has phases: e edits them and the rounds")
    default: throw Refusal(reason: "\(row.label) is a cycle: s skips to its next phase")
    }
  }

  private func stopwatchCommand(
    for action: Action, of row: Row
  ) throws(Refusal) -> TimerCommand {
    switch action {
    case .startOrPause: return row.status.phase == .running ? .pause : .start
    case .reset: return .reset(restart: true)
    case .resetAndStop: return .reset(restart: false)
    case .lap:
      guard row.status.phase == .running else {
        throw Refusal(reason: "\(row.label) stands still: Space starts it")
      }
      return .lap
    default: throw Refusal(reason: "\(row.label) counts up and never rings: c takes a lap")
    }
  }

  private func callsCommand(for action: Action, of row: Row) throws(Refusal) -> TimerCommand {
    switch action {
    case .fire: return .fire(andPause: false)
    case .reset, .resetAndStop: return .reset(restart: false)
    default: throw Refusal(reason: "\(row.label) waits to be triggered: f triggers it, r resets it")
    }
  }

  private func timeCommand(
    _ action: Action, of row: Row, at now: Moment
  ) throws(Refusal) -> TimerCommand {
    try refuseIfFinished(row)
    guard let left = row.status.timeLeft(at: now) else {
      throw Refusal(
        reason: "\(row.label) is not started: Space starts it, < and > set its interval")
    }
    guard action == .moreTime || left > .zero else {
      throw Refusal(reason: "\(row.label) has no time left to take")
    }
    let step = Self.timeStep(for: left)
    return .adjustTimeLeft(action == .moreTime ? step : .zero - step)
  }

  private func iterationsCommand(
    _ change: Int, of row: Row, _ snapshot: Repeater.Snapshot
  ) throws(Refusal) -> TimerCommand {
    let what = change > 0 ? "add" : "take"
    switch snapshot.configuration.mode {
    case .infinite: throw Refusal(reason: "\(row.label) has no end, so no iterations to \(what)")
    case .once: throw Refusal(reason: "\(row.label) rings once: it has no iterations to \(what)")
    case .finite: try refuseIfFinished(row)
    }
    let left = (snapshot.remainingIterations ?? 1) + change
    guard left >= 1 else {
      throw Refusal(reason: "\(row.label) is at its last iteration: f fires it, d deletes it")
    }
    guard left <= TimerParser.largestCount else {
      throw Refusal(reason: "\(row.label) has as many iterations as a timer can have")
    }
    return .setRemainingIterations(left)
  }

  private func refuseIfFinished(_ row: Row) throws(Refusal) {
    if row.status.phase == .finished {
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
  /// The same with another amount of time, if it is about one.
  func amounting(to amount: Duration?) -> TimerCommand {
    guard let amount, case .adjustTimeLeft(let change) = self else { return self }
    return .adjustTimeLeft(change < .zero ? .zero - amount : amount)
  }

  /// What undo calls it; `nil` for what needs no undo, because a key takes it back anyway.
  var deed: String? {
    switch self {
    case .start, .pause, .fire: nil
    case .reset: "reset of"
    case .adjustTimeLeft: "time of"
    case .setInterval: "interval of"
    case .setRemainingIterations: "iterations of"
    case .skip: "skip of"
    case .lap: "lap of"
    }
  }
}
