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

  func start(
    of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(TimerConfigurationError) -> TimerMachine {
    var gate = TriggerGate(
      try CallGate(rule(tolerance: spec.tolerance), clock: TimerClock(spec.clock)))
    // So that it also fires for what is quiet from the beginning.
    if behavior == .idle { gate.start(at: now[spec.clock]) }
    return .triggered(gate)
  }

  /// Pending calls are not saved: the timer is idle.
  func restore(
    _ fields: SavedFields, of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(SavedFieldError) -> TimerMachine {
    try SavedFieldError.ofTimer { () throws(TimerConfigurationError) in
      try start(of: spec, seed: seed, at: now)
    }
  }

  private func rule(tolerance: Duration) throws(TimerConfigurationError) -> CallGate<Trigger>.Rule {
    switch behavior {
    case .debounce(let maxWait, let edges):
      .debounce(
        DebounceConfiguration(
          delay: interval, edges: edges, maxWait: maxWait, tolerance: tolerance))
    case .throttle(let mode, let kept):
      .throttle(
        ThrottleConfiguration(
          interval: interval, mode: mode, keeping: kept, tolerance: tolerance))
    case .coalesce: .background(.coalesce, delay: interval, tolerance: tolerance)
    case .idle: .background(.delay, delay: interval, tolerance: tolerance)
    }
  }

  static func command(of action: TimerAction) throws(ControlRefusal) -> TimerCommand {
    switch action {
    case .fire(pausing: false), .startAsSuccessor: return .fire(pausing: false)
    case .reset: return .reset(restart: false)
    default: throw ControlRefusal("waits for triggers; it can only be triggered and reset")
    }
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

/// The value of a call that has none.
package struct Trigger: Hashable, Sendable {}

/// A gate of triggers.
package struct TriggerGate: Hashable, Sendable {
  private var gate: CallGate<Trigger>
  /// The number of calls that were starts, and not triggers.
  private var startCount = 0

  init(_ gate: CallGate<Trigger>) {
    self.gate = gate
  }

  var clock: TimerClock.Kind { gate.clock }
  var wakeUp: ClosedRange<TimerClock.Instant>? { gate.wakeUp }
  var isPending: Bool { gate.snapshot.state == .pending }

  /// The counts of triggers and fires.
  package var snapshot: CallSnapshot {
    var snapshot = gate.snapshot
    snapshot.callCount = max(0, snapshot.callCount - startCount)
    return snapshot
  }

  /// Starts an idle timer: it is pending, but not triggered.
  mutating func start(at now: TimerClock.Instant) {
    gate.call(Trigger(), at: now)
    startCount += 1
  }

  mutating func trigger(times count: Int = 1, at now: TimerClock.Instant) {
    gate.call(Trigger(), times: count, at: now)
  }

  mutating func advance(to now: TimerClock.Instant) -> Trigger? { gate.advance(to: now) }
  mutating func cancelPending() -> ControlResult { gate.cancelPending() }

  mutating func perform(_ command: TimerCommand, at now: TimerClock.Instant) -> ControlResult {
    switch command {
    case .fire:
      trigger(at: now)
      return .changed
    case .reset: return cancelPending()
    default: return .unchanged
    }
  }
}

extension TimerMachine {
  /// The counts of triggers and fires of a timer that waits for triggers; `nil` for others.
  package var calls: CallSnapshot? {
    if case .triggered(let gate) = self { gate.snapshot } else { nil }
  }
}
