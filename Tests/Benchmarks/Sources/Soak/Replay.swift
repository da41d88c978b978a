import TimerKit

/// Plays a history back on the plain model: is there an order of its calls and events, each in the
/// order in which they came, in which the model does and answers the same?
///
/// Calls and events interleave as the mutex of the timer decided, which nobody saw: where the model
/// could go on either way, both are tried. The moment of a call is known to lie between two readings
/// of the clock, and between two of the timer; what comes of it later tells it exactly.
struct Replay {
  private let history: History
  private let counts: Counts
  /// The farthest that any order went.
  private var best = (calls: 0, events: 0)
  /// How many steps may still be tried: where nothing agrees, there are more orders than time.
  private var patience = 100_000

  private struct Position {
    var model: ReferenceTimer
    var call = 0
    var event = 0
    /// The earliest moment at which the handlers that run can have returned.
    var tickedAt = 0
  }

  /// Answers what is wrong; `nil` if nothing is.
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
    patience -= 1
    guard patience > 0 else { return false }
    if position.call + position.event > best.calls + best.events {
      best = (position.call, position.event)
    }
    if position.call == history.calls.count, position.event == history.events.count {
      return Counts(position.model) == counts
    }
    for next in afterEvent(position) {
      if play(next) { return true }
    }
    guard let next = afterCall(position) else { return false }
    return play(next)
  }

  private var description: String {
    """
    no order agrees with the model and with \(counts); the farthest went to call \(best.calls) and \
    event \(best.events)
    \(history)
    """
  }
}

// MARK: - Steps
extension Replay {
  /// The next call, if the model has come as far as the timer had, answers the same, and shows what
  /// was told of it.
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
    if next.model.state != position.model.state {
      guard told(position) == .state(from: position.model.state, to: next.model.state) else {
        return nil
      }
      next.event += 1
    }
    return settled(next, latest: latest, seen: [call.after])
  }

  /// What the model may do for the next event; there can be two ways for one.
  private func afterEvent(_ position: Position) -> [Position] {
    if position.call < history.calls.count {
      let (totals, latest) = (position.model.totals, history.calls[position.call].after)
      guard totals.delivered <= latest.delivered, totals.stale <= latest.stale else { return [] }
    }
    switch told(position) {
    case .state(let old, .executing):
      guard position.model.state == old else { return [] }
      if position.event + 1 < history.events.count,
        case .tick(let tick) = history.events[position.event + 1]
      {
        return [delivered(tick, position)].compactMap { $0 }
      }
      return takenBack(position)
    case .state(.executing, let new):
      guard position.model.executing != nil else { return [] }
      return [returned(position, new)].compactMap { $0 }
    case .stale(let generation): return refused(Int(generation), position)
    case .state, .tick, nil: return []
    }
  }

  private func told(_ position: Position) -> Repeater.Event? {
    position.event < history.events.count ? history.events[position.event] : nil
  }

  private func delivered(_ tick: Repeater.Tick, _ position: Position) -> Position? {
    var next = position
    let scheduled = Int(tick.scheduled.nanoseconds)
    next.tickedAt = scheduled + Int(tick.lateness.clampedNanoseconds)
    let outcome: ReferenceTimer.Outcome
    if tick.isManual {
      // When it was asked for is known from nothing else.
      guard let request = next.model.requests.first, request.at <= scheduled else { return nil }
      next.model.requests[0].at = scheduled
      outcome = next.model.next(next.tickedAt)
    } else if !next.model.burst.isEmpty {
      outcome = next.model.next(next.tickedAt)
    } else {
      outcome = next.model.alarm(generation: next.model.generation, next.tickedAt)
    }
    guard outcome == .tick(tick) else { return nil }
    next.event += 2
    return next
  }

  /// A tick that nobody was told of: a control came between its delivery and its callbacks.
  private func takenBack(_ position: Position) -> [Position] {
    var ways: [Position] = []
    func add(at time: Int, _ deliver: (inout ReferenceTimer) -> ReferenceTimer.Outcome) {
      var next = position
      guard case .tick = deliver(&next.model) else { return }
      next.tickedAt = time
      next.event += 1
      ways.append(next)
    }
    if let time = position.model.burst.first?.scheduled ?? position.model.requests.first?.at {
      add(at: time) { $0.next(time) }
    }
    if case .running(let deadline?) = position.model.phase {
      add(at: deadline) { $0.alarm(generation: $0.generation, deadline) }
    }
    return ways
  }

  private func returned(_ position: Position, _ state: Repeater.State) -> Position? {
    var next = position
    var latest = position.model
    next.model.deliveryFinished(position.tickedAt)
    latest.deliveryFinished(.max / 2)
    guard next.model.state == state else { return nil }
    next.event += 1
    let later = position.call < history.calls.count ? [history.calls[position.call].before] : []
    return settled(next, latest: latest, seen: later)
  }

  /// A request that was taken back, or an alarm that a control had superseded.
  private func refused(_ generation: Int, _ position: Position) -> [Position] {
    var request = position
    var alarm = position
    request.event += 1
    alarm.event += 1
    var ways: [Position] = []
    if request.model.isReady, request.model.next(0) == .stale(generation) { ways.append(request) }
    if generation < alarm.model.generation,
      alarm.model.alarm(generation: generation, 0) == .stale(generation)
    {
      ways.append(alarm)
    }
    return ways
  }

  /// Sets the model's time to what it was seen to be, which must lie between the earliest and the
  /// latest that it can be.
  private func settled(
    _ position: Position, latest: ReferenceTimer, seen: [History.Glimpse]
  ) -> Position? {
    let model = position.model
    guard model.phase != latest.phase else { return position }
    let glimpse = seen.first { $0.generation == model.generation }
    var settled = position
    switch (model.phase, latest.phase) {
    case (.running(let first?), .running(let last?)):
      let next = nextDeadline(position)
      guard let deadline = next ?? glimpse?.deadline else { return position }
      guard first <= deadline, deadline <= last else {
        // One that was taken before a tick, or after the next, can show another deadline.
        return next == nil && glimpse?.delivered != model.totals.delivered ? position : nil
      }
      settled.model.phase = .running(deadline: deadline)
    case (.paused(let most), .paused(let least)):
      guard let left = glimpse?.left else { return position }
      guard least <= left, left <= most else { return nil }
      settled.model.phase = .paused(left: left)
    default: return nil
    }
    return settled
  }

  /// The deadline of the model's generation, as the next tick of the clock will tell it.
  private func nextDeadline(_ position: Position) -> Int? {
    let generation = position.model.generation
    for event in history.events[position.event...] {
      guard case .tick(let tick) = event else { continue }
      let own = Int(tick.generation) - (tick.isLast ? 1 : 0)
      if own > generation { return nil }
      if own == generation, !tick.isManual { return Int(tick.scheduled.nanoseconds) }
    }
    return nil
  }
}
