import Dispatch
import Synchronization
import TimerKit

/// A few thousand fires of a ``Repeater`` and of a ``ChainedTimer``, in real time.
final class AccuracyRun: Sendable {
  static let interval = Duration.milliseconds(1)

  /// The fires of one of the two timers.
  struct Trace: Sendable {
    var fires: [Fire] = []

    /// The number of periods so far, with and without a fire.
    var periods: Int { fires.last?.period ?? 0 }

    /// The median delays of the first and the last tenth of the fires, in nanoseconds; `nil` without a fire.
    var medians: (first: Int64, last: Int64)? {
      guard !fires.isEmpty else { return nil }
      let count = fires.count / 10 + 1
      let parts = [fires.prefix(count), fires.suffix(count)].map { $0.map(\.lateness).sorted() }
      return (parts[0][count / 2], parts[1][count / 2])
    }
  }

  struct Fire: Sendable {
    /// The number of intervals between the start and the time at which the fire was due.
    var period: Int
    /// The delay of the fire after that time, in nanoseconds.
    var lateness: Int64
  }

  private struct State {
    var start: TimerClock.Instant?
    var repeater: Repeater?
    var chained: ChainedTimer?
    var repeaterTrace = Trace()
    var chainedTrace = Trace()
  }

  let periods: Int
  private let queue = DispatchQueue(label: "lab.accuracy")
  private let otherQueue = DispatchQueue(label: "lab.accuracy.other")
  private let state = Mutex(State())
  private let group = DispatchGroup()

  /// Starts both timers.
  init(periods: Int) {
    self.periods = periods
    group.enter()
    group.enter()
    queue.async { [self] in withValidTimers { try startRepeater() } }
    otherQueue.async { [self] in startChained() }
  }

  deinit {
    state.withLock { _ = $0.repeater?.cancel() }
  }

  var traces: (repeater: Trace, chained: Trace) {
    state.withLock { ($0.repeaterTrace, $0.chainedTrace) }
  }

  /// The part of the run that is done, from 0 to 1.
  var progress: Double {
    let (repeater, chained) = traces
    return Double(min(repeater.periods, chained.periods)) / Double(periods)
  }

  var isOver: Bool { group.wait(timeout: .now()) == .success }

  /// Waits until both timers are done.
  func wait() { group.wait() }

  private func startRepeater() throws(TimerConfigurationError) {
    // region: grid
    let repeater = try Repeater(interval: Self.interval, queue: queue) { [weak self] timer, tick in
      self?.record(tick, of: timer)
    }
    repeater.start()
    // endregion
    state.withLock { $0.repeater = repeater }
  }

  /// Records a tick. The grid starts one interval before the first deadline of the timer.
  private func record(_ tick: Repeater.Tick, of timer: Repeater) {
    let isDone = state.withLock { state in
      let start = state.start ?? tick.deadline.advanced(by: .zero - Self.interval)
      state.start = start
      let time = start.duration(to: tick.deadline).clampedNanoseconds
      let period = Int(time / Self.interval.clampedNanoseconds)
      state.repeaterTrace.fires.append(
        Fire(period: period, lateness: tick.lateness.clampedNanoseconds))
      return period >= periods
    }
    guard isDone else { return }
    timer.cancel()
    group.leave()
  }

  private func startChained() {
    let start = TimerClock.suspending.now
    let timer = ChainedTimer(every: .milliseconds(1), queue: otherQueue) { [weak self] in
      self?.recordChained(since: start)
    }
    state.withLock { $0.chained = timer }
    timer.scheduleNext()
  }

  private func recordChained(since start: TimerClock.Instant) {
    let now = TimerClock.suspending.now
    let isDone = state.withLock { state in
      guard state.chained != nil else { return false }
      let period = state.chainedTrace.periods + 1
      let due = start.advanced(by: Self.interval * period)
      state.chainedTrace.fires.append(
        Fire(period: period, lateness: due.duration(to: now).clampedNanoseconds))
      if period >= periods { state.chained = nil }
      return period >= periods
    }
    if isDone { group.leave() }
  }
}

/// Unsafe: every wait starts when the previous wait ends, so the delays of all fires add up.
final class ChainedTimer: Sendable {
  private let interval: DispatchTimeInterval
  private let queue: DispatchQueue
  private let handler: @Sendable () -> Void

  init(
    every interval: DispatchTimeInterval, queue: DispatchQueue,
    handler: @escaping @Sendable () -> Void
  ) {
    self.interval = interval
    self.queue = queue
    self.handler = handler
  }

  // region: chained-waits
  func scheduleNext() {
    queue.asyncAfter(deadline: .now() + interval) { [weak self] in
      self?.handler()
      self?.scheduleNext()
    }
  }
  // endregion
}
