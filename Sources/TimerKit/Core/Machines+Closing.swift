// What each kind of timer does at the beginning of a drain. The article "Ending a program" has the same table for users.
//
// | Kind | delivered at once | dropped |
// |---|---|---|
// | Repeater, Countdown | – | ticks that are due, and manual ones |
// | Cycle | – | ends of phases that are due, and skips |
// | DeadlineTimer | – | the deadline |
// | Stopwatch | laps that wait for their delivery | the alarm |
// | TimeLimited | values that have expired | the value that has not expired |
// | Debouncer, Throttler, and their keyed forms | the values that wait | – |
// | Batcher | the values that wait, in batches | – |
// | BackgroundTimer | the pending work | – |
//
// The protocol has no default for this, so that a new kind needs a row.

/// The part of its life that a timer is in.
@usableFromInline
enum LifePhase: Sendable {
  case open
  /// It refuses controls, and delivers what was pending.
  case draining
  case cancelled

  // By pattern and not by `==`, which is not inlined into a client's calls.
  @inlinable var isClosed: Bool { if case .open = self { false } else { true } }
  @inlinable var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}

/// A machine that delivers nothing when it closes: it is cancelled.
@usableFromInline
protocol DroppingStateMachine: TimerStateMachine {}

extension DroppingStateMachine {
  @usableFromInline var isClosed: Bool { isCancelled }
  @usableFromInline var undeliveredCount: Int { 0 }

  @usableFromInline
  mutating func close(at now: Int64) { cancel() }
}

extension RepeaterStateMachine: DroppingStateMachine {}
extension CycleStateMachine: DroppingStateMachine {}
extension DeadlineStateMachine: DroppingStateMachine {}

extension StopwatchStateMachine {
  @usableFromInline var isClosed: Bool { phase.isClosed || isCancelled }
  @usableFromInline var undeliveredCount: Int { undeliveredLaps.count }

  @usableFromInline
  mutating func close(at now: Int64) { phase = .draining }
}

extension TimeLimitedStateMachine {
  @usableFromInline var isClosed: Bool { phase.isClosed }
  @usableFromInline var undeliveredCount: Int { undelivered.count }

  /// A value that is over expires first, even if the timer has not woken for it.
  @usableFromInline
  mutating func close(at now: Int64) {
    advance(to: now)
    phase = .draining
  }
}

extension PendingStateMachine {
  @usableFromInline var undeliveredCount: Int { pendingCount }
}

extension CallStateMachine {
  @usableFromInline
  mutating func close(at now: Int64) {
    _ = flush(at: now)
    calls.phase = .draining
  }
}

extension KeyedStateMachine {
  @usableFromInline
  mutating func close(at now: Int64) {
    _ = flush(at: now)
    phase = .draining
  }
}

extension BatchStateMachine {
  @usableFromInline
  mutating func close(at now: Int64) {
    _ = flush(at: now)
    phase = .draining
  }
}

extension BackgroundStateMachine {
  @usableFromInline
  mutating func close(at now: Int64) {
    _ = flush(at: now)
    phase = .draining
  }
}
