import TimerKit

/// Replays a history on the plain model: is there an interleaving of its calls and events, each in its own
/// order, in which the model has the same results?
///
/// The timer's mutex decided the actual interleaving, which was not recorded: if two continuations are
/// possible, both are tried. The time of a call lies between two readings of the clock, and between two
/// snapshots of the timer; its later effects determine it exactly.
struct Replay {
  private let history: History
  private let counts: Counts
  /// The farthest position that any interleaving reached.
  private var best = (calls: 0, events: 0)
  /// The number of steps left to try, since a history with a fault can have too many interleavings.
  private var remainingSteps = 100_000

  private struct Position {
    var model: ReferenceTimer
    var call = 0
    var event = 0
    /// The state before the tick whose handlers run. The change since then is reported when they have returned.
    var stateBefore: Repeater.State?
    /// The earliest time at which the running handlers can have returned.
    var tickedAt = 0
  }

  /// Returns a fault, or `nil` if there is none.
  static func fault(in history: History, _ snapshot: Repeater.Snapshot) -> String? {
    var replay = Replay(history: history, counts: Counts(snapshot))
    let model = ReferenceTimer(
      mode: history.mode, policy: history.policy, interval: history.interval)
    return replay.play(Position(model: model)) ? nil : replay.description
  }

  private struct Counts: Equatable {
    var generation, delivered, missed, stale: Int
    var left: Int?

    init(_ snapshot: Repeater.Snapshot) {
      generation = Int(snapshot.generation)
      delivered = snapshot.deliveredCount
      missed = snapshot.missedCount
      stale = snapshot.staleCount
      left = snapshot.remainingIterations
    }

    init(_ model: ReferenceTimer) {
      generation = model.generation
      (delivered, missed, stale) = model.totals
      left = model.left
    }
  }

  private init(history: History, counts: Counts) {
    self.history = history
    self.counts = counts
  }

  private mutating func play(_ position: Position) -> Bool {
    remainingSteps -= 1
    guard remainingSteps > 0 else { return false }
    if (position.event, position.call) > (best.events, best.calls) {
      best = (position.call, position.event)
    }
    if position.call == history.calls.count, position.event == history.events.count {
      return Counts(position.model) == counts
    }
    // The rare last: what follows a wrong guess can take all steps.
    for next in afterEvent(position) + [afterCall(position)].compactMap(\.self) + revoked(position)
    {
      if play(next) { return true }
    }
    return false
  }

  private var description: String {
    """
    no order agrees with the model and with \(counts); the farthest went to call \(best.calls) and \
    event \(best.events)
    \(history.mode), \(history.policy), \(history.interval) ns
    \(history.calls.map { "call \($0)" }.joined(separator: "\n"))
    \(history.events.map(described).joined(separator: "\n"))
    """
  }

  private func described(_ event: Repeater.Event) -> String {
    guard case .delivery(let tick) = event else { return "event \(event)" }
    return "event \(tick), generation \(tick.generation), scheduled at \(tick.deadline.nanoseconds)"
  }
}

// MARK: - Steps
extension Replay {
  /// Returns the position after the next call, if the model has the timer's state, the same result, and the
  /// reported events.
  private func afterCall(_ position: Position) -> Position? {
    guard position.call < history.calls.count else { return nil }
    let call = history.calls[position.call]
    let totals = position.model.totals
    guard call.before.delivered <= totals.delivered, totals.delivered <= call.after.delivered,
      call.before.stale <= totals.stale, totals.stale <= call.after.stale
    else { return nil }
    var next = position
    var latest = position.model
    guard call.control.perform(on: &next.model, at: call.began) == call.result else { return nil }
    _ = call.control.perform(on: &latest, at: call.ended)
    next.call += 1
    if position.stateBefore == nil {
      guard let reported = reporting(next, since: position.model.state) else { return nil }
      next = reported
    }
    return resolved(next, latest: latest, seen: [call.after])
  }

  /// Returns the positions after the next event, or after handlers have returned.
  private func afterEvent(_ position: Position) -> [Position] {
    if position.call < history.calls.count {
      let (totals, latest) = (position.model.totals, history.calls[position.call].after)
      guard totals.delivered <= latest.delivered, totals.stale <= latest.stale else { return [] }
    }
    var positions: [Position] = []
    switch nextEvent(position) {
    case .delivery(let tick): positions += [delivered(tick, position)].compactMap(\.self)
    case .stale(let generation): positions += stale(Int(generation), position)
    case .state, nil: break
    }
    if position.model.executing != nil { positions += [returned(position)].compactMap(\.self) }
    return positions
  }

  /// Returns the position after the event for a change of state since `old`, if there was one.
  private func reporting(_ position: Position, since old: Repeater.State) -> Position? {
    guard position.model.state != old else { return position }
    guard nextEvent(position) == .state(from: old, to: position.model.state) else { return nil }
    var next = position
    next.event += 1
    return next
  }

  private func nextEvent(_ position: Position) -> Repeater.Event? {
    position.event < history.events.count ? history.events[position.event] : nil
  }

  private func delivered(_ tick: Repeater.Tick, _ position: Position) -> Position? {
    guard position.model.executing == nil else { return nil }
    var next = position
    let scheduled = Int(tick.deadline.nanoseconds)
    next.tickedAt = scheduled + tick.lateness.wholeNanoseconds
    let outcome: ReferenceTimer.Outcome
    if tick.isManual {
      // The time of the request is known only from the tick.
      guard let request = next.model.requests.first, request.at <= scheduled else { return nil }
      next.model.requests[0].at = scheduled
      outcome = next.model.takeReady(next.tickedAt)
    } else if !next.model.burst.isEmpty {
      outcome = next.model.takeReady(next.tickedAt)
    } else {
      outcome = next.model.handleArmedAlarm(generation: next.model.generation, next.tickedAt)
    }
    guard outcome == .tick(tick) else { return nil }
    next.event += 1
    next.stateBefore = position.model.state
    return next
  }

  /// Returns the positions after an unreported tick: a control came between its delivery and its
  /// callbacks.
  private func revoked(_ position: Position) -> [Position] {
    guard position.model.executing == nil, position.call < history.calls.count else { return [] }
    let call = history.calls[position.call]
    guard position.model.totals.delivered < call.after.delivered else { return [] }
    var positions: [Position] = []
    func add(at time: Int, _ deliver: (inout ReferenceTimer) -> ReferenceTimer.Outcome) {
      var next = position
      guard case .tick = deliver(&next.model) else { return }
      next.tickedAt = time
      next.stateBefore = position.model.state
      positions.append(next)
    }
    if let time = position.model.burst.first?.scheduled ?? position.model.requests.first?.at {
      add(at: time) { $0.takeReady(time) }
    }
    if case .running(let deadline?) = position.model.phase, deadline <= call.ended {
      add(at: deadline) { $0.handleArmedAlarm(generation: $0.generation, deadline) }
    }
    return positions
  }

  private func returned(_ position: Position) -> Position? {
    var next = position
    var latest = position.model
    next.model.deliveryFinished(position.tickedAt)
    latest.deliveryFinished(.max / 2)
    guard let reported = reporting(next, since: position.stateBefore ?? next.model.state) else {
      return nil
    }
    next = reported
    next.stateBefore = nil
    let later = position.call < history.calls.count ? [history.calls[position.call].before] : []
    return resolved(next, latest: latest, seen: later)
  }

  /// Returns the positions after a revoked request, or an alarm that a control had superseded.
  private func stale(_ generation: Int, _ position: Position) -> [Position] {
    var request = position
    var alarm = position
    request.event += 1
    alarm.event += 1
    var positions: [Position] = []
    if request.model.isReady, request.model.takeReady(0) == .stale(generation) {
      positions.append(request)
    }
    if generation < alarm.model.generation,
      alarm.model.handleArmedAlarm(generation: generation, 0) == .stale(generation)
    {
      positions.append(alarm)
    }
    return positions
  }

  /// Sets the model's time to the observed one, which must lie between the earliest and the latest possible
  /// time.
  private func resolved(
    _ position: Position, latest: ReferenceTimer, seen: [History.PartialSnapshot]
  ) -> Position? {
    let model = position.model
    guard model.phase != latest.phase else { return position }
    let snapshot = seen.first { $0.generation == model.generation }
    var resolved = position
    switch (model.phase, latest.phase) {
    case (.running(let first?), .running(let last?)):
      let next = nextDeadline(position)
      guard let deadline = next ?? snapshot?.deadline else { return position }
      guard first <= deadline, deadline <= last else {
        // A snapshot from before a tick, or after the next, can have another deadline.
        return next == nil && snapshot?.delivered != model.totals.delivered ? position : nil
      }
      resolved.model.phase = .running(deadline: deadline)
    case (.paused(let most), .paused(let least)):
      guard let left = snapshot?.left else { return position }
      guard least <= left, left <= most else { return nil }
      resolved.model.phase = .paused(left: left)
    default: return nil
    }
    return resolved
  }

  /// Returns the deadline of the model's generation, according to the next scheduled tick.
  private func nextDeadline(_ position: Position) -> Int? {
    let generation = position.model.generation
    for event in history.events[position.event...] {
      guard case .delivery(let tick) = event else { continue }
      let own = Int(tick.generation) - (tick.isLast ? 1 : 0)
      if own > generation { return nil }
      if own == generation, !tick.isManual { return Int(tick.deadline.nanoseconds) }
    }
    return nil
  }
}
