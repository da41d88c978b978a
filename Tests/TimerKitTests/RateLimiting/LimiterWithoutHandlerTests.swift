import Dispatch
import Testing

@testable import TimerKit

/// A limiter without a handler is a decision, which must not depend on what else its queue does.
@Suite struct LimiterWithoutHandlerTests {
  let clock = VirtualClock()

  /// Returns the results of calls at an interval, made while the timers of the clock wait for a handler.
  private func whileBusy<Result: Sendable>(
    _ count: Int, every interval: Duration, _ call: @escaping @Sendable () -> Result
  ) throws -> [Result] {
    let results = Recorder<Result>()
    let busy = try Repeater.once(after: .zero, clock: .virtual(clock)) { [clock] _, _ in
      for _ in 0..<count {
        results.append(call())
        clock.advance(by: interval)
      }
    }
    clock.advance(by: .zero)
    withExtendedLifetime(busy) {}
    return results.all
  }

  @Test(arguments: KeptValue.allCases)
  func aThrottlerAllowsAsManyCallsWhileTheQueueIsBusy(kept: KeptValue) throws {
    let free = try Throttler<Int>(
      interval: .milliseconds(100), keeping: kept, clock: .virtual(clock))
    var expected: [Bool] = []
    for number in 0..<40 {
      expected.append(free.call(number))
      clock.advance(by: .milliseconds(30))
    }
    let throttler = try Throttler<Int>(
      interval: .milliseconds(100), keeping: kept, clock: .virtual(clock))
    let keyed = try KeyedThrottler<Int, Int>(
      interval: .milliseconds(100), keeping: kept, clock: .virtual(clock))
    let allowed = try whileBusy(40, every: .milliseconds(30)) {
      [throttler.call(1), keyed.call(1, for: 1)]
    }
    #expect(expected.count { $0 } == (kept == .nothing ? 10 : 1))
    #expect(allowed == expected.map { [$0, $0] })
  }

  @Test(arguments: DebounceEdges.allCases)
  func aDebouncerAllowsTheSameCallsWhileTheQueueIsBusy(edges: DebounceEdges) throws {
    let allowed = try whileBusy(1, every: .zero) { [clock] in
      let debouncer = try? Debouncer<Int>(
        delay: .milliseconds(100), edges: edges, clock: .virtual(clock))
      let keyed = try? KeyedDebouncer<Int, Int>(
        delay: .milliseconds(100), edges: edges, clock: .virtual(clock))
      return (0..<12).map { number in
        defer { clock.advance(by: .milliseconds(number % 4 == 3 ? 300 : 50)) }
        let results = [debouncer?.call(number), keyed?.call(number, for: 7)]
        return results == [true, true] ? "a" : results == [false, false] ? "-" : "?"
      }.joined()
    }
    #expect(allowed == [edges == .trailing ? "------------" : "a---a---a---"])
  }

  @Test func everyCallIsCountedAtOnce() throws {
    let snapshots = try whileBusy(1, every: .zero) { [clock] in
      let throttler = try? Throttler<Int>(interval: .zero, clock: .virtual(clock))
      for number in 0..<3 { throttler?.call(number) }
      return throttler?.snapshot
    }
    #expect(snapshots.first??.deliveredCount == 3)
    #expect(snapshots.first??.pendingCount == 0)
  }

  /// Values are destroyed outside the mutex, because destroying one can run any code.
  @Test func aValueCanUseTheLimiterWhenItIsDestroyed() throws {
    final class Caller: Sendable {
      let limiter: Throttler<Caller?>
      init(_ limiter: Throttler<Caller?>) { self.limiter = limiter }
      deinit { limiter.call(nil) }
    }
    let limiter = try Throttler<Caller?>(interval: .zero, clock: .virtual(clock))
    limiter.call(Caller(limiter))
    #expect(limiter.snapshot.deliveredCount == 2)
  }

  @Test func aSuspendedQueueIsNotNeeded() throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    defer { queue.resume() }
    let limiter = try KeyedThrottler<Int, Void>(
      interval: .nanoseconds(1), keeping: .nothing, queue: queue)
    for _ in 0..<10 {
      #expect(limiter.call(for: 1))
      let now = TimerClock.suspending.now
      while TimerClock.suspending.now <= now.advanced(by: .nanoseconds(1)) {}
    }
  }

  /// A container without a handler releases the values that have expired.
  @Test func expiredValuesDoNotWaitForTheQueue() throws {
    let counter = InstanceCounter()
    let counts = try whileBusy(1, every: .zero) { [clock] in
      let container = try? TimeLimited(
        InstanceCounter.Instance(counter), for: .milliseconds(1), clock: .virtual(clock))
      return (0..<9).map { _ in
        clock.advance(by: .milliseconds(2))
        container?.replace(with: InstanceCounter.Instance(counter))
        return counter.liveCount
      }
    }
    #expect(counts == [Array(repeating: 1, count: 9)])
  }
}
