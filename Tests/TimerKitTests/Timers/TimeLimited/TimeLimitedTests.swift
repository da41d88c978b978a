import Dispatch
import Testing

@testable import TimerKit

@Suite struct TimeLimitedTests {
  let clock = VirtualClock()
  let expired = Recorder<String>()

  private func make(
    _ value: String = "a", for lifetime: Duration = .seconds(10)
  ) throws -> TimeLimited<String> {
    try TimeLimited(value, for: lifetime, clock: .virtual(clock)) { [expired] _, value in
      expired.append(value)
    }
  }

  @Test func holdsItsValueUntilTheDeadline() throws {
    let container = try make()
    #expect(container.value == "a")
    #expect(container.timeLeft == .seconds(10))
    clock.advance(by: .nanoseconds(9_999_999_999))
    #expect(container.value == "a")
    #expect(container.state == .holding)
    clock.advance(by: .nanoseconds(1))
    #expect(container.value == nil)
    #expect(container.state == .expired)
    #expect(container.deadline == nil)
    #expect(container.timeLeft == nil)
    #expect(expired.all == ["a"])
  }

  @Test func renewRestartsTheWholeLifetime() throws {
    let container = try make()
    for _ in 0..<5 {
      clock.advance(by: .seconds(9))
      #expect(try container.renew() == "a")
    }
    #expect(container.timeLeft == .seconds(10))
    #expect(try container.renew(for: .seconds(60)) == "a")
    clock.advance(by: .seconds(50))
    try container.renew()
    #expect(container.timeLeft == .seconds(60))
    #expect(container.lifetime == .seconds(60))
    clock.advance(by: .seconds(60))
    #expect(expired.all == ["a"])
  }

  @Test func replaceHoldsANewValueForAWholeLifetime() throws {
    let container = try make()
    clock.advance(by: .seconds(9))
    #expect(container.replace(with: "b") == "a")
    clock.advance(by: .seconds(9))
    #expect(container.value == "b")
    clock.advance(by: .seconds(1))
    #expect(expired.all == ["b"])
    #expect(container.replace(with: "c") == nil)
    #expect(try container.replace(with: "d", for: .seconds(1)) == "c")
    clock.advance(by: .seconds(1))
    #expect(expired.all == ["b", "d"])
  }

  @Test func aTakenValueDoesNotExpire() throws {
    let container = try make()
    #expect(container.take() == "a")
    #expect(container.state == .taken)
    #expect(container.take() == nil)
    #expect(container.value == nil)
    #expect(throws: TimeLimitedError.taken) { try container.renew() }
    clock.advance(by: .seconds(60))
    #expect(expired.all == [])
    container.replace(with: "b")
    clock.advance(by: .seconds(10))
    #expect(container.take() == nil)
    #expect(container.state == .expired)
    #expect(expired.all == ["b"])
  }

  // MARK: Late alarms

  /// Blocks the queue with a handler, so that the container cannot expire on time.
  private func blockQueue(_ body: @escaping @Sendable () -> Void) {
    let timer = DeadlineTimer(clock: .virtual(clock)) { _, _ in body() }
    timer.schedule(at: clock.now.advanced(by: .seconds(9)))
    clock.advance(by: .seconds(9))
    withExtendedLifetime(timer) {}
  }

  @Test func aValueIsNilAfterItsDeadlineEvenIfTheAlarmIsLate() throws {
    let container = try make()
    blockQueue { [clock, expired] in
      clock.advance(by: .seconds(3))
      #expect(container.value == nil)
      #expect(container.state == .expired)
      #expect(throws: TimeLimitedError.expired) { try container.renew() }
      #expect(container.take() == nil)
      #expect(expired.all == [])
    }
    #expect(expired.all == ["a"])
  }

  @Test func aRefusedRenewalReportsThatTheValueHasExpired() throws {
    let container = try make()
    let states = Recorder<TimeLimitedState>()
    container.observe { _, event in
      if case .state(from: .holding, let state) = event { states.append(state) }
    }
    blockQueue { [clock] in
      clock.advance(by: .seconds(3))
      #expect(throws: TimeLimitedError.expired) { try container.renew() }
    }
    #expect(states.all == [.expired])
    #expect(expired.all == ["a"])
  }

  @Test func aLateExpiryIsDeliveredOnceAndKeepsTheNewValue() throws {
    let container = try make()
    let reported = Recorder<TimeLimited<String>.Expiry>()
    container.observe { _, event in
      if case .delivery(let expiry) = event { reported.append(expiry) }
    }
    blockQueue { [clock] in
      clock.advance(by: .seconds(3))
      #expect(container.replace(with: "b") == nil)
    }
    #expect(container.value == "b")
    #expect(container.timeLeft == .seconds(10))
    let deadline = clock.instant(10_000_000_000)
    #expect(reported.all == [.init(value: "a", deadline: deadline, lateness: .seconds(2))])
    clock.advance(by: .seconds(10))
    #expect(reported.all.map(\.value) == ["a", "b"])
  }

  /// The same on a suspended queue.
  @Test func aValueIsNilEvenIfTheQueueIsSuspended() throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let container = try TimeLimited("a", for: .milliseconds(5), queue: queue) {
      [expired] _, value in
      expired.append(value)
    }
    while container.value != nil {}
    #expect(try container.replace(with: "b", for: .hours(1)) == nil)
    #expect(expired.count == 0)
    queue.resume()
    while expired.count == 0 { queue.sync {} }
    #expect(expired.all == ["a"])
    #expect(container.value == "b")
  }

  // MARK: Handlers

  @Test func theHandlerCanUseTheContainer() throws {
    let container = try make()
    container.setHandler { [expired] container, value in
      expired.append(value)
      #expect(container.value == nil)
      if expired.count < 3 { container.replace(with: value + "'") }
    }
    clock.advance(by: .minutes(5))
    #expect(expired.all == ["a", "a'", "a''"])
  }

  @Test func aHandlerIsOptionalAndCanBeRemoved() throws {
    let container = try TimeLimited("a", for: .seconds(1), clock: .virtual(clock))
    clock.advance(by: .seconds(1))
    #expect(container.value == nil)
    container.replace(with: "b")
    container.setHandler { [expired] _, value in expired.append(value) }
    clock.advance(by: .seconds(1))
    #expect(expired.all == ["b"])
    container.removeAllObservers()
    container.replace(with: "c")
    clock.advance(by: .seconds(1))
    #expect(expired.all == ["b"])
  }

  @Test func statesAndExpiriesAreDeliveredInOrder() throws {
    let container = try make()
    let reported = Recorder<String>()
    container.observe { _, event in
      switch event {
      case .state(let old, let new): reported.append("\(old) → \(new)")
      case .delivery(let expiry): reported.append(expiry.value)
      case .stale: break
      }
    }
    clock.advance(by: .seconds(10))
    container.replace(with: "b")
    container.take()
    #expect(
      reported.all == ["a", "holding → expired", "expired → holding", "holding → taken"])
  }

  @Test func aStreamEndsWhenTheContainerIsReleased() async throws {
    var container: TimeLimited<String>? = try make()
    let events = try #require(container?.events())
    await clock.advance(by: .seconds(10))
    container?.replace(with: "b")
    container = nil
    var reported: [String] = []
    for await event in events {
      switch event {
      case .state(_, let new): reported.append("\(new)")
      case .delivery(let expiry): reported.append(expiry.value)
      case .stale: break
      }
    }
    #expect(reported == ["a", "expired", "holding", "cancelled"])
    await clock.advance(by: .minutes(1))
    #expect(expired.all == ["a"])
  }

  /// A value that is released while the mutex is locked deadlocks, or traps, if it uses the
  /// container.
  @Test func valuesAreReleasedOutsideTheMutex() throws {
    final class Value: Sendable {
      let released: @Sendable () -> Void
      init(_ released: @escaping @Sendable () -> Void) { self.released = released }
      deinit { released() }
    }
    let count = Recorder<Bool>()
    let box = Guarded<TimeLimited<Value>?>(nil)
    func value() -> Value {
      Value { count.append(box.withLock { $0 }?.value == nil) }
    }
    let container = try TimeLimited(value(), for: .seconds(1), clock: .virtual(clock))
    box.withLock { $0 = container }
    clock.advance(by: .seconds(1))
    #expect(count.count == 1)
    container.replace(with: value())
    container.replace(with: value())
    #expect(count.count == 2)
    container.take()
    #expect(count.count == 3)
    container.setHandler { _, _ in }
    container.replace(with: value())
    clock.advance(by: .seconds(1))
    #expect(count.count == 4)
    box.withLock { $0 = nil }
  }

  // MARK: Input

  @Test func invalidInputThrowsATypedErrorAndChangesNothing() throws {
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .lifetime)) {
      _ = try make(for: .zero)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      _ = try TimeLimited("a", for: .seconds(1), tolerance: .seconds(-1), clock: .virtual(clock))
    }
    let container = try make()
    let before = container.snapshot
    #expect(
      throws: TimeLimitedError.configuration(.invalidDuration(.seconds(-1), parameter: .lifetime))
    ) {
      try container.replace(with: "b", for: .seconds(-1))
    }
    #expect(throws: TimeLimitedError.configuration(.invalidDuration(.zero, parameter: .lifetime))) {
      try container.renew(for: .zero)
    }
    #expect(container.snapshot == before)
  }

  @Test func theLongestLifetimeNeverElapses() throws {
    let container = try make(for: .seconds(Int64.max))
    clock.advance(by: .days(365 * 200))
    #expect(container.value == "a")
    try container.renew()
    #expect(container.deadline == clock.instant(.max))
  }

  @Test func onlyOneOfManyThreadsTakesTheValue() throws {
    let taken = Recorder<Int>()
    for round in 0..<200 {
      let container = try TimeLimited(round, for: .microseconds(20)) { _, value in
        taken.append(value)
      }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if let value = container.take() { taken.append(value) }
      }
      // Taken by one of them, or expired before.
      #expect(container.value == nil)
    }
    let last = DispatchSemaphore(value: 0)
    let end = DeadlineTimer { _, _ in last.signal() }
    end.schedule(at: TimerClock.suspending.now)
    last.wait()
    #expect(Set(taken.all).count == taken.count)
  }
}
