import Dispatch
import Testing

@testable import TimerKit

/// `cancelAndWait()` in an asynchronous context.
@Suite struct CancelAndWaitTests {
  /// A timer whose handler is running, blocked until `leave` is signaled.
  private struct Busy: Sendable {
    let cancelAndWait: @Sendable () async -> Void
    let hasWaiters: @Sendable () -> Bool
    let isCancelled: @Sendable () -> Bool
  }

  enum Kind: CaseIterable, Sendable {
    case repeater, countdown, cycle, stopwatch, debouncer, throttler, keyedDebouncer, keyedThrottler
    case backgroundTimer, timeLimited, deadlineTimer
  }

  private static func make(
    _ kind: Kind, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws -> Busy {
    let interval = Duration.microseconds(10)
    switch kind {
    case .repeater: return busy(try Repeater.every(interval, queue: queue) { _, _ in handler() })
    case .countdown:
      let timer = try Countdown(from: 9, every: interval, queue: queue) { _, _ in handler() }
      timer.start()
      return busy(timer)
    case .cycle:
      let timer = try Cycle([.init("a", interval)], queue: queue) { _, _ in handler() }
      timer.start()
      return busy(timer)
    case .stopwatch:
      let timer = Stopwatch(queue: queue) { _, _ in handler() }
      timer.start()
      timer.lap()
      return busy(timer)
    case .debouncer:
      let timer = try Debouncer<Int>(delay: interval, queue: queue) { _, _ in handler() }
      timer.call(1)
      return busy(timer)
    case .throttler:
      let timer = try Throttler<Int>(interval: interval, queue: queue) { _, _ in handler() }
      timer.call(1)
      return busy(timer)
    case .keyedDebouncer:
      let timer = try KeyedDebouncer<Int, Int>(delay: interval, queue: queue) { _, _, _ in
        handler()
      }
      timer.call(1, for: 1)
      return busy(timer)
    case .keyedThrottler:
      let timer = try KeyedThrottler<Int, Int>(interval: interval, queue: queue) { _, _, _ in
        handler()
      }
      timer.call(1, for: 1)
      return busy(timer)
    case .backgroundTimer:
      let timer = BackgroundTimer(for: queue, queue: queue)
      timer.perform(after: interval) { _ in handler() }
      return busy(timer)
    case .timeLimited:
      return busy(try TimeLimited(1, for: interval, queue: queue) { _, _ in handler() })
    case .deadlineTimer:
      let timer = DeadlineTimer(queue: queue) { _, _ in handler() }
      timer.schedule(at: TimerClock.suspending.now.advanced(by: interval))
      return busy(timer) { await timer.cancelAndWait() }
    }
  }

  private static func busy(_ timer: some ObservableTimer & TimerStorageOwner) -> Busy {
    busy(timer) { await timer.cancelAndWait() }
  }

  private static func busy(
    _ timer: some TimerStorageOwner, cancelAndWait: @escaping @Sendable () async -> Void
  ) -> Busy {
    Busy(
      cancelAndWait: cancelAndWait,
      hasWaiters: { timer.storage.readGuardedState { !$0.coldState.value.waiters.isEmpty } },
      isCancelled: { timer.storage.readMachine(\.isCancelled) })
  }

  @Test(arguments: Kind.allCases) func waitsForTheRunningHandler(_ kind: Kind) async throws {
    let leave = DispatchSemaphore(value: 0)
    let (entered, continuation) = AsyncStream.makeStream(of: Void.self)
    let log = Recorder<String>()
    let timer = try Self.make(kind, on: DispatchQueue(label: "waited for")) {
      continuation.finish()
      leave.wait()
      log.append("returned")
    }
    for await _ in entered {}
    let waiter = Task {
      await timer.cancelAndWait()
      log.append("waited")
    }
    // The wait suspends and blocks no thread: otherwise two waiters could use up the thread pool.
    while !timer.hasWaiters() { await Task.yield() }
    #expect(timer.isCancelled())
    #expect(log.all == [])
    leave.signal()
    await waiter.value
    #expect(log.all == ["returned", "waited"])
  }

  @Test(arguments: Kind.allCases) func returnsImmediatelyWhenNoHandlerRuns(_ kind: Kind)
    async throws
  {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let timer = try Self.make(kind, on: queue) { Issue.record("a handler call after cancel") }
    await timer.cancelAndWait()
    #expect(timer.isCancelled())
    await timer.cancelAndWait()
    queue.resume()
    queue.sync {}
  }

  @Test func timersOfDifferentKindsAreCancelledTogether() throws {
    let clock = TimerClock.virtual(VirtualClock())
    let timers: [any ObservableTimer] = [
      try Repeater.every(.seconds(1), clock: clock) { _, _ in },
      try Debouncer<Int>(delay: .seconds(1), clock: clock),
      BackgroundTimer(for: VirtualClock(), clock: clock), Stopwatch(clock: clock),
      try TimeLimited(7, for: .seconds(1), clock: clock),
    ]
    for timer in timers { #expect(timer.cancel() == .changed) }
    for timer in timers { #expect(timer.cancel() == .unchanged) }
    for timer in timers { timer.cancelAndWait() }
  }

  @Test func severalTasksCanWait() async throws {
    let leave = DispatchSemaphore(value: 0)
    let (entered, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater.every(.microseconds(10), queue: DispatchQueue(label: "many")) {
      _, _ in
      continuation.finish()
      leave.wait()
    }
    for await _ in entered {}
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await timer.cancelAndWait() } }
      while timer.storage.readGuardedState({ $0.coldState.value.waiters.count }) < 20 {
        await Task.yield()
      }
      leave.signal()
    }
    #expect(timer.state == .cancelled)
  }
}
