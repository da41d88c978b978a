@testable import TimerKit

/// The behavior of a debouncer or throttler, derived from the complete history of calls and deliveries.
/// Nothing else is stored. Times are plain numbers.
struct CallHistory {
  enum Fate {
    /// Pending until its deadline.
    case waiting
    /// Pending until its drain only.
    case ready
    case delivered
    case dropped
  }

  var calls: [(value: Int, at: Int, fate: Fate)] = []
  /// The time of each delivery, and a Boolean value that indicates whether a call was still
  /// waiting.
  var deliveries: [(at: Int, whileWaiting: Bool)] = []
  /// The counts of calls and deliveries at the last reset.
  var resetAt = (calls: 0, deliveries: 0)

  var remembered: ArraySlice<(value: Int, at: Int, fate: Fate)> { calls[resetAt.calls...] }
  var rememberedDeliveries: ArraySlice<(at: Int, whileWaiting: Bool)> {
    deliveries[resetAt.deliveries...]
  }
  var waiting: Int? { calls.firstIndex { $0.fate == .waiting } }
  var firstReady: Int? { calls.firstIndex { $0.fate == .ready } }

  func count(_ fate: Fate) -> Int { calls.count { $0.fate == fate } }

  mutating func deliver(_ index: Int?, at now: Int) -> Int? {
    guard let index else { return nil }
    calls[index].fate = .delivered
    deliveries.append((now, waiting != nil))
    return calls[index].value
  }

  mutating func flush() {
    if let waiting { calls[waiting].fate = .ready }
  }

  mutating func cancelPending() {
    for index in calls.indices where calls[index].fate != .delivered {
      calls[index].fate = .dropped
    }
    resetAt = (calls.count, deliveries.count)
  }
}

/// The common interface of both reference limiters.
protocol ReferenceLimiter {
  var history: CallHistory { get set }
  var deadline: Int? { get }
  var historyExpiresAt: Int? { get }
  /// Returns true if the call is to be delivered without waiting.
  mutating func call(_ value: Int, at now: Int) -> Bool
  mutating func alarm(at now: Int) -> Int?
  mutating func drain(at now: Int) -> Int?
  mutating func cancelPending()
}

extension ReferenceLimiter {
  fileprivate mutating func add(_ value: Int, at now: Int, _ fate: CallHistory.Fate) -> Bool {
    history.calls.append((value, now, fate))
    return fate == .ready
  }
}

struct ReferenceDebouncer: ReferenceLimiter {
  var delay: Int
  let edges: DebounceEdges
  let maxWait: Int?
  var history = CallHistory()
  /// The start times of bursts.
  var beginnings: [Int] = []

  init(delay: Int, edges: DebounceEdges, maxWait: Int?) {
    self.delay = delay
    self.edges = edges
    self.maxWait = maxWait
  }

  /// The time at which a waiting call must be delivered even if calls continue.
  private var longestWait: Int? {
    let ends = history.rememberedDeliveries.filter { !$0.whileWaiting }.map(\.at)
    guard let maxWait, let start = (beginnings + ends).max() else { return nil }
    return start + max(delay, maxWait)
  }

  var deadline: Int? {
    guard history.waiting != nil, let last = history.remembered.last else { return nil }
    return min(last.at + delay, longestWait ?? .max)
  }

  var historyExpiresAt: Int? {
    guard edges != .trailing || maxWait != nil else { return nil }
    return history.remembered.last.map { $0.at + delay }
  }

  mutating func call(_ value: Int, at time: Int) -> Bool {
    let last = history.remembered.last?.at
    let now = max(time, last ?? time)
    var isFirst = last.map { now - $0 >= delay } ?? true
    if delay == 0, history.firstReady != nil { isFirst = false }
    let isOverdue = edges == .leading && longestWait.map { now >= $0 } ?? false
    let begins = history.waiting == nil && (isFirst || isOverdue)
    if begins { beginnings.append(now) }
    switch edges {
    case .leading,
      .both where begins:
      return add(value, at: now, begins ? .ready : .dropped)
    case .trailing, .both:
      if let waiting = history.waiting { history.calls[waiting].fate = .dropped }
      return add(value, at: now, .waiting)
    }
  }

  mutating func alarm(at now: Int) -> Int? {
    guard let deadline, now >= deadline else { return nil }
    return history.deliver(history.firstReady ?? history.waiting, at: now)
  }

  mutating func drain(at now: Int) -> Int? { history.deliver(history.firstReady, at: now) }

  mutating func cancelPending() {
    history.cancelPending()
    beginnings = []
  }
}

struct ReferenceThrottler: ReferenceLimiter {
  let interval: Int
  let mode: ThrottleMode
  let keeps: KeptValue
  var history = CallHistory()
  /// The call that started to wait while the throttler was open.
  private var waitStart: Int?
  /// The number of deliveries at the end of the last one's interval.
  private var over = 0

  init(interval: Int, mode: ThrottleMode, keeps: KeptValue) {
    self.interval = interval
    self.mode = mode
    self.keeps = keeps
  }

  var historyExpiresAt: Int? { nil }

  var deadline: Int? {
    if interval == 0 { return nil }
    if mode == .deferred, history.waiting == nil { return nil }
    if mode != .deferred, let last = history.rememberedDeliveries.last,
      history.deliveries.count > over
    {
      return last.at + interval
    }
    return waitStart.map { $0 + interval }
  }

  mutating func call(_ value: Int, at now: Int) -> Bool {
    if interval == 0 { return add(value, at: now, .ready) }
    if let waiting = history.waiting {
      if keeps != .latest { return add(value, at: now, .dropped) }
      history.calls[waiting].fate = .dropped
      return add(value, at: now, .waiting)
    }
    if keeps == .nothing, history.firstReady == nil, let deadline, deadline <= now {
      over = history.deliveries.count
      waitStart = nil
    }
    let isClosed = mode != .deferred && (deadline != nil || history.firstReady != nil)
    if !isClosed, mode == .fromDelivery { return add(value, at: now, .ready) }
    if isClosed, keeps == .nothing { return add(value, at: now, .dropped) }
    if !isClosed { waitStart = now }
    return add(value, at: now, .waiting)
  }

  mutating func alarm(at now: Int) -> Int? {
    guard let deadline, now >= deadline else { return nil }
    over = history.deliveries.count
    return delivered(history.deliver(history.firstReady ?? history.waiting, at: now))
  }

  mutating func drain(at now: Int) -> Int? {
    delivered(history.deliver(history.firstReady, at: now))
  }

  private mutating func delivered(_ value: Int?) -> Int? {
    if value != nil, mode != .deferred { waitStart = nil }
    return value
  }

  mutating func cancelPending() {
    history.cancelPending()
    waitStart = nil
  }
}
