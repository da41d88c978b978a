import TimerKit

/// Something asked of a timer, to be told of when its answer is there.
struct AwaitedDeed: Sendable {
  var id: TimerID
  var command: TimerCommand
  /// What the timer was when it was asked.
  var before: TimerStatus
}

extension Dashboard {
  /// A timer told of itself: its row is what it says.
  mutating func hear(
    _ news: TimerNews?, _ status: TimerStatus, of id: TimerID, at now: Moment
  ) -> [Effect] {
    guard let position = rows.position(of: id) else { return [] }
    let before = rows[position].status
    let due = rows[position].due
    var fire: Fire?
    if case .fired(let newest)? = news { fire = newest }
    let hasFinished = status.phase == .finished && before.phase != .finished
    rows.change(at: position) { row in
      row.mirror(status, at: now)
      if let fire { row.noteFire(fire, at: now) }
      if hasFinished || (fire != nil && row.spec.rings) { row.callsForAttention = true }
    }
    let row = rows[position]
    if !list.filter.isEmpty, before.phase != status.phase || before.period != status.period {
      keepSelectionVisible()
    }
    logNews(news, of: row, at: now)
    alignGrid(to: row, was: due)
    if before.phase == .paused, status.phase != .paused { pausedTogether.remove(id) }
    if fire != nil {
      lastFire = LastFire(label: row.label, second: LocalTime(now).second)
    }
    if case .refused(let reason)? = news {
      if awaited?.id == id { awaited = nil }
      notice = .refused("\(row.label): \(reason)")
      logNotice(at: now)
    }
    if news == nil, let deed = awaited, deed.id == id {
      awaited = nil
      notice = announcement(of: deed, row: row, at: now)
      // A fire is logged when it happens.
      if case .fire = deed.command {} else { logNotice(at: now) }
    }
    if rows[position].callsForAttention, hasFinished || fire != nil { callsSince = now.uptime }
    return consequences(of: fire, hasFinished: hasFinished, ofRowAt: position, at: now)
  }

  /// The time left as the row shows it.
  func timeText(of row: Row, at now: Moment) -> String? {
    grid.units(of: row, from: grid.start(of: now.uptime))
      .map { TimeText.clock($0, showsTenths: grid.showsTenths) }
  }

  private func announcement(of deed: AwaitedDeed, row: Row, at now: Moment) -> Notice {
    let name = row.label
    let after = row.status
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
      let time = after.frozenTimeLeft == nil ? "" : " with \(left)"
      return .done("paused \(name)\(time)")
    case .reset(let restart):
      return .done(restart ? "reset \(name), \(left)" : "reset \(name), stopped")
    case .fire(let andPause):
      guard deed.before.phase != .finished else { break }
      return .done(
        andPause && after.phase == .paused
          ? "fired \(name), paused" + (after.frozenTimeLeft == nil ? "" : " with \(left)")
          : "fired \(name)")
    case .adjustTimeLeft(let change):
      guard after.phase == deed.before.phase else { break }
      let amount = DurationText.text(change < .zero ? .zero - change : change)
      return .done("\(amount) \(change < .zero ? "less" : "more") for \(name), \(left)")
    case .setInterval:
      guard let old = deed.before.period, let new = after.period else { break }
      return .done("\(DurationText.text(old)) → \(DurationText.text(new)), \(left)", by: name)
    case .setRemainingIterations:
      guard case .counted(let left, let count) = after.iterations else { break }
      return .done("\(left) of \(count) to come", by: name)
    case .skip:
      guard case .cycle(let cycle) = after, after.phase != .finished else { break }
      return .done("\(name) skips to \(cycle.position?.phase.name ?? "its end"), \(left)")
    case .lap:
      guard case .stopwatch(let stopwatch) = after, let lap = stopwatch.laps.last else { break }
      return .done("lap \(lap.number) in \(TimeText.precise(lap.time))", by: name)
    }
    return .refused("\(name) is \(after.phase) by now")
  }
}

extension Dashboard {
  /// Asks the selected timer, or the marked ones, for what a key means, or says why that cannot be.
  /// - Parameter amount: Of time, where a step of the keys is not meant.
  mutating func ask(_ action: Action, by amount: Duration? = nil, at now: Moment) -> [Effect] {
    let targets = targets
    guard let row = targets.first else {
      refuseWithoutTarget()
      return []
    }
    if targets.count > 1 { return ask(action, by: amount, of: targets, at: now) }
    do throws(Refusal) {
      let command = try command(for: action, of: row, at: now).amounting(to: amount)
      if let deed = command.deed {
        remember("\(deed) \(row.label)", of: [row]) { $0.checkpoint(at: now) }
      }
      awaited = AwaitedDeed(id: row.id, command: command, before: row.status)
      return [.send(command, to: row.id)]
    } catch {
      notice = .refused(error.reason)
      return []
    }
  }

  /// Pauses everything that runs; where nothing does, starts exactly what this has paused before.
  mutating func pauseOrResumeAll() -> [Effect] {
    let running = rows.rows.filter { $0.status.phase == .running }.map(\.id)
    guard running.isEmpty else {
      pausedTogether.formUnion(running)
      notice = .done(
        "paused \(timers(running.count)) — P lets \(running.count == 1 ? "it" : "them") go on")
      return running.map { .send(.pause, to: $0) }
    }
    let paused = rows.rows.filter { pausedTogether.contains($0.id) && $0.status.phase == .paused }
    guard !paused.isEmpty else {
      notice = .refused("nothing runs that could be paused")
      return []
    }
    notice = .done("\(timers(paused.count)) \(paused.count == 1 ? "goes" : "go") on")
    return paused.map { .send(.start, to: $0.id) }
  }

  func timers(_ count: Int) -> String { count == 1 ? "1 timer" : "\(count) timers" }
}
