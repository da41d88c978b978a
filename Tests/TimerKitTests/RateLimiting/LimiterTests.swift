import Dispatch
import Testing

@testable import TimerKit

/// Behavior of `Debouncer` and `Throttler` beyond the marble diagrams.
@Suite struct LimiterTests {
  let clock = VirtualClock()
  let values = Recorder<Int>()

  private func debouncer(
    _ milliseconds: Int = 10, edges: DebounceEdges = .trailing, maxWait: Duration? = nil
  ) throws -> Debouncer<Int> {
    try Debouncer(
      delay: .milliseconds(milliseconds), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
  }

  private func throttler(
    _ milliseconds: Int = 10, _ mode: ThrottleMode = .fromDelivery
  ) throws -> Throttler<Int> {
    try Throttler(interval: .milliseconds(milliseconds), mode: mode, clock: .virtual(clock)) {
      [values] _, value in values.append(value)
    }
  }

  private func pass(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

  // MARK: New delays

  @Test func aNewDelayMovesThePendingValue() throws {
    let debouncer = try debouncer()
    debouncer.call(1)
    pass(4)
    debouncer.setDelay(.milliseconds(6))
    pass(2)
    #expect(values.all == [1])
    debouncer.call(2)
    pass(4)
    debouncer.setDelay(.milliseconds(3))
    #expect(debouncer.setDelay(.milliseconds(3)) == .unchanged)
    #expect(debouncer.configuration.delay == .milliseconds(3))
    pass(0)
    #expect(values.all == [1, 2])
    debouncer.cancel()
    #expect(debouncer.setDelay(.milliseconds(6)) == .refused(.cancelled))
  }

  @Test func anInvalidDelayChangesNothing() throws {
    let debouncer = try debouncer()
    debouncer.call(1)
    #expect(
      debouncer.setDelay(.milliseconds(-1))
        == .refused(.invalid(.invalidDuration(.milliseconds(-1), parameter: .delay))))
    #expect(debouncer.configuration.delay == .milliseconds(10))
    #expect(debouncer.snapshot.callCount == 1)
    pass(10)
    #expect(values.all == [1])
  }

  @Test func invalidInputThrowsATypedError() {
    #expect(throws: TimerConfigurationError.invalidDuration(.milliseconds(-1), parameter: .delay)) {
      try debouncer(-1)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .maxWait)) {
      try debouncer(maxWait: .seconds(-1))
    }
    #expect(
      throws: TimerConfigurationError.invalidDuration(
        .milliseconds(-1), parameter: .throttleInterval)
    ) { try throttler(-1) }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try Debouncer<Int>(delay: .zero, tolerance: .seconds(-1)) { _, _ in }
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try Throttler<Int>(interval: .zero, tolerance: .seconds(-1)) { _, _ in }
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .delay)) {
      try KeyedDebouncer<Int, Int>(delay: .seconds(-1)) { _, _, _ in }
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try KeyedThrottler<Int, Int>(interval: .zero, tolerance: .seconds(-1)) { _, _, _ in }
    }
  }

  @Test func theLongestDelaysNeverElapse() throws {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let edges = try DebounceEdges.allCases.map { edges in
      try Debouncer<Int>(delay: longest, edges: edges, maxWait: longest, clock: .virtual(clock)) {
        [values] _, value in values.append(value)
      }
    }
    let modes: [ThrottleMode] = [.fromDelivery, .fromDelivery(firstAtOnce: false), .deferred]
    let throttlers = try modes.map { mode in
      try Throttler<Int>(interval: longest, mode: mode, clock: .virtual(clock)) {
        [values] _, value in values.append(value)
      }
    }
    for value in [1, 2] {
      for debouncer in edges { debouncer.call(value) }
      for throttler in throttlers { throttler.call(value) }
      clock.advance(by: .days(100 * 365))
    }
    // Two leading edges and an immediate fire.
    #expect(values.all == [1, 1, 1])
    #expect(edges.map { $0.flush() } == [.unchanged, .changed, .changed])
    #expect(values.all == [1, 1, 1, 2, 2])
  }

  // MARK: State and counts

  @Test func aDebouncerReportsItsStateAndCounts() throws {
    let debouncer = try debouncer(edges: .both)
    let states = Recorder<CallState>()
    debouncer.onStateChanged = { states.append($2) }
    debouncer.call(1)
    #expect(states.all == [.pending, .idle])
    debouncer.call(2)
    debouncer.call(3)
    #expect(debouncer.state == .pending)
    #expect(debouncer.isPending)
    let due = clock.now.advanced(by: .milliseconds(10))
    #expect(
      debouncer.snapshot
        == CallSnapshot(
          state: .pending, pendingCount: 1, callCount: 3, deliveredCount: 1, staleCount: 0,
          deadline: due))
    #expect(debouncer.snapshot.droppedCount == 1)
    pass(10)
    #expect(!debouncer.isPending)
    #expect(debouncer.snapshot.deadline == nil)
    #expect(debouncer.snapshot.deliveredCount == 2)
    #expect(
      states.all == [.pending, .idle, .pending, .idle])
  }

  @Test func theStateInAHandlerIsTheUnderlyingState() throws {
    let states = Recorder<CallState>()
    let debouncer = try Debouncer<Int>(delay: .milliseconds(10), clock: .virtual(clock)) {
      debouncer, value in
      #expect(debouncer.isExecuting && debouncer.snapshot.isExecuting)
      states.append(debouncer.state)
      if value == 1 { debouncer.call(2) } else { debouncer.cancel() }
      states.append(debouncer.state)
      #expect(debouncer.snapshot.state == debouncer.state)
      #expect(debouncer.isPending == (value == 1))
    }
    debouncer.call(1)
    pass(10)
    #expect(debouncer.state == .pending)
    #expect(!debouncer.snapshot.isExecuting)
    pass(10)
    #expect(states.all == [.idle, .pending, .idle, .cancelled])
    #expect(debouncer.state == .cancelled)
  }

  // MARK: Controls inside handlers

  @Test func aHandlerCanCallAgain() throws {
    let debouncer = try Debouncer<Int>(delay: .milliseconds(10), clock: .virtual(clock)) {
      [values] debouncer, value in
      values.append(value)
      if value < 3 { debouncer.call(value + 1) }
    }
    debouncer.call(1)
    pass(10)
    #expect(values.all == [1])
    pass(20)
    #expect(values.all == [1, 2, 3])
    let throttler = try Throttler<Int>(interval: .milliseconds(10), clock: .virtual(clock)) {
      [values] throttler, value in
      values.append(value)
      if value < 6 { throttler.call(value + 1) }
    }
    throttler.call(4)
    #expect(values.all == [1, 2, 3, 4])
    pass(20)
    #expect(values.all == [1, 2, 3, 4, 5, 6])
  }

  @Test func aHandlerCanCancelPendingAndFlush() throws {
    let debouncer = try Debouncer<Int>(
      delay: .milliseconds(10), edges: .both, clock: .virtual(clock)
    ) { [values] debouncer, value in
      values.append(value)
      guard value < 10 else { return }
      debouncer.call(value + 10)
      #expect((value == 1 ? debouncer.cancelPending() : debouncer.flush()) == .changed)
    }
    debouncer.call(1)
    pass(50)
    #expect(values.all == [1])
    debouncer.call(2)
    #expect(values.all == [1, 2, 12])
  }

  @Test func cancelPendingInAHandlerSkipsTheRemainingObservers() throws {
    let debouncer = try debouncer()
    debouncer.observe { debouncer, event in
      if case .delivery(2) = event { debouncer.cancelPending() }
    }
    debouncer.observe { [values] _, event in
      if case .delivery(let value) = event { values.append(-value) }
    }
    debouncer.call(1)
    pass(10)
    debouncer.call(2)
    pass(10)
    #expect(values.all == [1, -1, 2])
  }

  // MARK: Late queues

  /// If a handler takes longer than the interval, the calls that arrive in the meantime are one delivery,
  /// of the newest value, and the next interval starts with that delivery.
  @Test func aThrottlerWithASlowHandlerDeliversTheNewestValue() throws {
    let times = Recorder<[Int]>()
    let throttler = try Throttler<Int>(interval: .milliseconds(10), clock: .virtual(clock)) {
      [clock] throttler, value in
      times.append([value, Int(clock.now.nanoseconds / 1_000_000)])
      guard value == 1 else { return }
      for value in 2...4 {
        clock.advance(by: .milliseconds(10))
        throttler.call(value)
      }
    }
    throttler.call(1)
    pass(0)
    throttler.call(5)
    pass(100)
    #expect(times.all == [[1, 0], [4, 30], [5, 40]])
  }

  /// A burst that begins while the leading edge of the last one waits for the queue is not lost.
  @Test func aLateQueueLosesNoLeadingEdge() throws {
    let debouncer = try Debouncer<Int>(
      delay: .milliseconds(10), edges: .leading, clock: .virtual(clock)
    ) { [values, clock] debouncer, value in
      values.append(value)
      guard value == 1 else { return }
      for value in 2...4 {
        clock.advance(by: .milliseconds(10))
        debouncer.call(value)
        debouncer.call(-value)
      }
    }
    debouncer.call(1)
    #expect(values.all == [1, 2, 3, 4])
  }

  @Test func aSuspendedQueueDeliversTheNewestValueOnce() async throws {
    let queue = DispatchQueue(label: "suspended")
    let (delivered, continuation) = AsyncStream.makeStream(of: Int.self)
    let debouncer = try Debouncer<Int>(delay: .milliseconds(1), queue: queue) { _, value in
      continuation.yield(value)
    }
    let throttler = try Throttler<Int>(interval: .milliseconds(1), queue: queue) { _, value in
      continuation.yield(value)
    }
    queue.suspend()
    for value in 1...100 {
      debouncer.call(value)
      throttler.call(-value)
    }
    #expect(debouncer.snapshot.pendingCount == 1)
    #expect(throttler.snapshot.pendingCount == 2)
    queue.resume()
    var values: [Int] = []
    for await value in delivered {
      values.append(value)
      if values.count == 3 { break }
    }
    #expect(Set(values) == [-1, -100, 100])
    #expect(debouncer.snapshot.pendingCount + throttler.snapshot.pendingCount == 0)
  }

  // MARK: Cancellation and deallocation

  @Test func aLateAlarmAfterCancelIsReportedAsStale() throws {
    let debouncer = try debouncer()
    let stale = Recorder<UInt64>()
    debouncer.observe { _, event in
      if case .stale(let generation) = event { stale.append(generation) }
    }
    debouncer.call(1)
    let canceller = DeadlineTimer(clock: .virtual(clock)) { [clock] _, _ in
      // The debouncer's alarm is due and has not fired.
      clock.advance(by: .milliseconds(20))
      #expect(debouncer.cancelPending() == .changed)
    }
    canceller.schedule(at: clock.now)
    pass(0)
    #expect(stale.count == 1)
    #expect(debouncer.snapshot.staleCount == 1)
    #expect(values.all == [])
    debouncer.call(2)
    pass(10)
    #expect(values.all == [2])
  }

  @Test func callsCanHaveNoValue() throws {
    let count = Recorder<Void>()
    let debouncer = try Debouncer<Void>(delay: .milliseconds(10), clock: .virtual(clock)) { _, _ in
      count.append(())
    }
    let throttler = try Throttler<Void>(interval: .milliseconds(10), clock: .virtual(clock)) {
      _, _ in
      count.append(())
    }
    let keyed = try KeyedThrottler<String, Void>(
      interval: .milliseconds(10), clock: .virtual(clock)
    ) {
      _, _, _ in count.append(())
    }
    debouncer.call()
    throttler.call()
    keyed.call(for: "key")
    pass(10)
    #expect(count.count == 3)
  }
}
