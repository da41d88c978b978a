package import TimerKit

/// Timers that wait for triggers: debouncers, throttlers and background timers.
package struct TriggeredFamily: TimerFamily, Hashable, Sendable {
  package enum Behavior: Hashable, Sendable {
    /// Fires at the edges of a burst of triggers, and after the maximum wait within one.
    case debounce(maxWait: Duration?, DebounceEdges)
    /// Fires at most once in each interval.
    case throttle(ThrottleMode, KeptValue)
    /// Fires a delay after the first trigger; later ones do not change the time.
    case coalesce
    /// Fires a delay after its start or the last trigger; each trigger defers it.
    case idle
  }

  package var behavior: Behavior
  package var interval: Duration

  var keyword: Keyword {
    switch behavior {
    case .debounce: .debounce
    case .throttle: .throttle
    case .coalesce: .coalesce
    case .idle: .idle
    }
  }

  var text: String {
    var text = "\(keyword.rawValue) \(DurationText.text(interval))"
    switch behavior {
    case .debounce(let maxWait, let edges):
      if let maxWait { text += " max \(DurationText.text(maxWait))" }
      if edges != .trailing { text += " \(edges.rawValue)" }
    case .throttle(let mode, let kept):
      if mode == .deferred { text += " deferred" }
      if kept != .latest { text += " \(kept.rawValue)" }
    case .coalesce, .idle: break
    }
    return text
  }

  var kindWords: [String] {
    switch behavior {
    case .debounce: ["max"] + DebounceEdges.allCases.map(\.rawValue)
    case .throttle: ["fixed", "deferred"] + KeptValue.allCases.map(\.rawValue)
    case .coalesce, .idle: []
    }
  }

  func start(of spec: TimerSpec, at now: ClockReading) -> TimerCheckpoint {
    .triggered(CallCheckpoint())
  }
}

extension TimerSpec.Kind {
  package static func debounce(
    _ delay: Duration, maxWait: Duration?, edges: DebounceEdges
  ) -> Self {
    .triggered(TriggeredFamily(behavior: .debounce(maxWait: maxWait, edges), interval: delay))
  }

  package static func throttle(
    _ interval: Duration, mode: ThrottleMode, keeps kept: KeptValue
  ) -> Self {
    .triggered(TriggeredFamily(behavior: .throttle(mode, kept), interval: interval))
  }

  package static func coalesce(_ delay: Duration) -> Self {
    .triggered(TriggeredFamily(behavior: .coalesce, interval: delay))
  }

  package static func idle(_ delay: Duration) -> Self {
    .triggered(TriggeredFamily(behavior: .idle, interval: delay))
  }
}

extension TimerParser {
  mutating func debounce() throws(TimerSyntaxError) -> TimerSpec.Kind {
    prefersMilliseconds = true
    defer { prefersMilliseconds = false }
    let delay = try duration(after: "debounce")
    var maxWait: Duration?
    var edges: DebounceEdges?
    while position < tokens.count, let word = tokens[position].keyword {
      if word == "max", maxWait == nil {
        maxWait = try duration(after: word)
        continue
      } else if let named = DebounceEdges(rawValue: word), edges == nil {
        edges = named
      } else {
        break
      }
      position += 1
    }
    return .debounce(delay, maxWait: maxWait, edges: edges ?? .trailing)
  }

  mutating func throttle() throws(TimerSyntaxError) -> TimerSpec.Kind {
    prefersMilliseconds = true
    defer { prefersMilliseconds = false }
    let interval = try duration(after: "throttle")
    var mode: ThrottleMode?
    var kept: KeptValue?
    while position < tokens.count, let word = tokens[position].keyword {
      if word == "fixed" || word == "deferred", mode == nil {
        mode = word == "fixed" ? .fromDelivery : .deferred
      } else if let named = KeptValue(rawValue: word), kept == nil {
        kept = named
      } else {
        break
      }
      position += 1
    }
    return .throttle(interval, mode: mode ?? .fromDelivery, keeps: kept ?? .latest)
  }
}

extension CallSnapshot: FamilyStatus {
  var common: CommonStatus {
    // A timer with a pending call is shown as running.
    let state: TimerState =
      switch self.state {
      case .idle: .idle
      case .pending: .running
      case .cancelled: .cancelled
      }
    return CommonStatus(
      state: state, isExecuting: isExecuting, clock: deadline?.clockKind ?? .continuous,
      deadline: deadline, deliveredCount: deliveredCount, staleCount: staleCount)
  }

  var canPause: Bool { false }

  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    switch action {
    case .fire(pausing: false), .startAsSuccessor: return .fire(pausing: false)
    case .reset: return .reset(restart: false)
    default: throw ControlRefusal("waits for triggers; it can only be triggered and reset")
    }
  }

  func checkpoint(at now: ClockReading, intervalBeforeBackoff: Duration?) -> TimerCheckpoint {
    .triggered(CallCheckpoint(isPending: state == .pending))
  }

  func update(_ spec: inout TimerSpec, intervalBeforeBackoff: Duration?) {}
}

extension TimerStatus {
  /// The counts of triggers and fires of a timer that waits for triggers; `nil` for others.
  package var calls: CallSnapshot? { if case .triggered(let calls) = self { calls } else { nil } }
}

/// The checkpoint of a timer without a time to restore.
package struct CallCheckpoint: Hashable, Sendable, FamilyCheckpoint {
  var takenAt = WallInstant(nanosecondsSince1970: 0)
  /// False for a timer that waited for a trigger: an undone deletion is no start.
  var isPending = true

  var state: TimerState { .idle }
  var fields: SavedFields { SavedFields(state: .idle) }
  var checkpoint: TimerCheckpoint { .triggered(self) }

  func status(at now: ClockReading) -> TimerStatus {
    .triggered(
      CallSnapshot(
        state: .idle, pendingCount: 0, callCount: 0, deliveredCount: 0, staleCount: 0,
        deadline: nil))
  }

  func makeTimer(in environment: TimerEnvironment) throws(RestoreError) -> any LiveTimer {
    guard case .triggered(let family) = environment.spec.kind else { throw .invalidState(state) }
    do throws(TimerConfigurationError) {
      let tolerance = environment.spec.tolerance
      switch family.behavior {
      case .debounce(let maxWait, let edges):
        return try Debouncer<Void>(
          delay: family.interval, edges: edges, maxWait: maxWait, tolerance: tolerance,
          clock: environment.clock, queue: environment.queue
        ) { _, _ in }
      case .throttle(let mode, let kept):
        return try Throttler<Void>(
          interval: family.interval, mode: mode, keeping: kept, tolerance: tolerance,
          clock: environment.clock, queue: environment.queue
        ) { _, _ in }
      case .coalesce: return try TriggeredTimer(.coalesce, family.interval, in: environment)
      case .idle:
        return try TriggeredTimer(
          .delay, family.interval, countsFromStart: isPending, in: environment)
      }
    } catch {
      throw .configuration(error)
    }
  }

  mutating func advance(to wall: WallInstant) -> Int { 0 }
  mutating func restore(_ fields: SavedFields, at now: ClockReading) {}
}

extension CallLimiter where Self: ObservableLiveTimer, Delivery == Void {
  package var status: TimerStatus { .triggered(snapshot) }

  package func perform(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .fire:
      call()
      return .changed
    case .reset: return cancelPending()
    default: return .unchanged
    }
  }

  package static func event(of delivery: Void) -> Board.TimerEvent { .fired(Fire(lateness: nil)) }
}

extension Debouncer: ObservableLiveTimer, LiveTimer where Value == Void {}
extension Throttler: ObservableLiveTimer, LiveTimer where Value == Void {}

/// A background timer, which needs an owner: this object.
private final class TriggeredTimer: LiveTimer {
  private let timer: BackgroundTimer<TriggeredTimer>
  private let delay: Duration
  /// 1 if the timer counts from its start, which is a call but no trigger.
  private let startCount: Int

  /// - Parameter countsFromStart: True for a timer that begins as if it had been triggered, so that it also fires for what
  ///   is quiet from the beginning.
  init(
    _ behavior: BackgroundBehavior, _ delay: Duration, countsFromStart: Bool = false,
    in environment: TimerEnvironment
  ) throws(TimerConfigurationError) {
    self.delay = delay
    startCount = countsFromStart ? 1 : 0
    timer = try BackgroundTimer(
      behavior: behavior, tolerance: environment.spec.tolerance, clock: environment.clock,
      queue: environment.queue)
    timer.owner = self
    if countsFromStart { _ = perform(.fire(pausing: false)) }
  }

  var status: TimerStatus {
    var snapshot = timer.snapshot
    snapshot.callCount = max(0, snapshot.callCount - startCount)
    return .triggered(snapshot)
  }

  func perform(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .fire: return timer.perform(after: delay) { _ in }
    case .reset: return timer.cancelPending()
    default: return .unchanged
    }
  }

  func observe(_ handler: @escaping @Sendable (any LiveTimer, Board.TimerEvent) -> Void) {
    timer.observe { timer, event in
      guard let owner = timer.owner else { return }
      handler(owner, event.onBoard { _ in .fired(Fire(lateness: nil)) })
    }
  }

  func end() {
    timer.removeAllObservers()
    timer.cancel()
  }
}
