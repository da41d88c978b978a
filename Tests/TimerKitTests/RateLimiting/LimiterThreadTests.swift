import Dispatch
import Fuzzing
import Synchronization
import Testing

@testable import TimerKit

/// Calls limiters from eight threads. Also run these tests under the thread sanitizer:
/// `swift test --filter TimerKitTests --sanitize thread -Xswiftc -DTSAN`
@Suite struct LimiterThreadTests {
  static let threads = 8

  /// Records the delivered values and the highest number of handlers that run at the same time.
  private final class DeliveryRecorder: Sendable {
    private let current = Atomic(0)
    private let highest = Atomic(0)
    let values = Recorder<Int>()

    func record(_ value: Int) {
      let now = current.add(1, ordering: .sequentiallyConsistent).newValue
      highest.max(now, ordering: .sequentiallyConsistent)
      values.append(value)
      current.subtract(1, ordering: .sequentiallyConsistent)
    }

    var maximum: Int { highest.load(ordering: .sequentiallyConsistent) }
  }

  private static func makeAll(
    _ queue: DispatchQueue, _ recorders: [DeliveryRecorder]
  ) throws -> [any CallLimiter<Int>] {
    let delay = Duration.microseconds(30)
    return [
      try Debouncer(delay: delay, queue: queue) { recorders[0].record($1) },
      try Debouncer(delay: delay, edges: .leading, queue: queue) { recorders[1].record($1) },
      try Debouncer(delay: delay, edges: .both, maxWait: delay * 2, queue: queue) {
        recorders[2].record($1)
      },
      try Debouncer(delay: .zero, queue: queue) { recorders[3].record($1) },
      try Throttler(interval: delay, queue: queue) { recorders[4].record($1) },
      try Throttler(interval: delay, mode: .deferred, keeping: .first, queue: queue) {
        recorders[5].record($1)
      },
      try Throttler(interval: .zero, queue: queue) { recorders[6].record($1) },
    ]
  }

  @Test(arguments: [false, true])
  func anyControlOnAnyThread(isConcurrent: Bool) throws {
    let queue = DispatchQueue(label: "limiters", attributes: isConcurrent ? .concurrent : [])
    let recorders = (0..<7).map { _ in DeliveryRecorder() }
    let limiters = try Self.makeAll(queue, recorders)
    let calls = Recorder<Int>()
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for value in 0..<3_000 {
        let index = random.below(limiters.count)
        let limiter = limiters[index]
        switch random.below(30) {
        case 0: limiter.cancelPending()
        case 1: limiter.flush()
        case 2: _ = limiter.snapshot
        case 3: _ = limiter.events(bufferingNewest: 2)
        case 4: limiter.removeObserver(limiter.observe { _, _ in })
        default:
          limiter.call(value)
          calls.append(index)
        }
      }
    }
    for (index, limiter) in limiters.enumerated() {
      limiter.cancelAndWait()
      let snapshot = limiter.snapshot
      #expect(snapshot.callCount == calls.all.count { $0 == index })
      #expect(snapshot.pendingCount == 0)
      #expect(snapshot.deliveredCount >= recorders[index].values.count)
      #expect(recorders[index].maximum <= 1)
    }
  }

  @Test func theCallsOfEachThreadStayInOrder() throws {
    let recorder = DeliveryRecorder()
    let throttler = try Throttler<Int>(interval: .zero) { recorder.record($1) }
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      // At most 1,024 wait.
      for value in 0..<100 { throttler.call(thread * 1_000 + value) }
    }
    while throttler.isPending { throttler.flush() }
    throttler.cancelAndWait()
    #expect(recorder.values.count == Self.threads * 100)
    for thread in 0..<Self.threads {
      let values = recorder.values.all.filter { $0 / 1_000 == thread }
      #expect(values == values.sorted())
    }
  }

  @Test func nothingIsDeliveredAfterCancelReturns() throws {
    let queue = DispatchQueue(label: "cancel")
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      let recorders = (0..<7).map { _ in DeliveryRecorder() }
      guard let limiters = try? Self.makeAll(queue, recorders) else { return }
      for round in 0..<60 {
        for limiter in limiters {
          for value in 0..<3 { limiter.call(round * 3 + value) }
        }
        stayBusy(for: .microseconds(random.below(80)))
        for limiter in limiters {
          if round < 59 { limiter.cancelPending() } else { limiter.cancel() }
          let delivered = limiter.snapshot.deliveredCount
          // A handler that had started may still run; none starts.
          if round < 59 { queue.sync {} } else { limiter.cancelAndWait() }
          #expect(limiter.snapshot.deliveredCount == delivered)
        }
      }
    }
  }

  @Test func keyedLimitersWorkFromEightThreads() throws {
    let queue = DispatchQueue(label: "keyed")
    let recorder = DeliveryRecorder()
    let debouncer = try KeyedDebouncer<Int, Int>(
      delay: .microseconds(20), edges: .both, queue: queue
    ) { recorder.record($2) }
    let throttler = try KeyedThrottler<Int, Int>(interval: .microseconds(20), queue: queue) {
      recorder.record($2)
    }
    let limiters: [any KeyedCallLimiter<Int, Int>] = [debouncer, throttler]
    let calls = Recorder<Int>()
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for value in 0..<3_000 {
        let index = random.below(2)
        let key = random.below(5)
        switch random.below(30) {
        case 0: limiters[index].cancelPending(for: key)
        case 1: limiters[index].flush(for: key)
        case 2: limiters[index].cancelPending()
        case 3: limiters[index].flush()
        case 4: _ = limiters[index].snapshot
        default:
          limiters[index].call(value, for: key)
          calls.append(index)
        }
      }
    }
    for (index, limiter) in limiters.enumerated() {
      limiter.cancelPending()
      let snapshot = limiter.snapshot
      #expect(snapshot.callCount == calls.all.count { $0 == index })
      #expect(snapshot.pendingCount == 0)
      #expect(limiter.keyCount == 0)
    }
    queue.sync {}
    #expect(recorder.maximum <= 1)
  }
}
