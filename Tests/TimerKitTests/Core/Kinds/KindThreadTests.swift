import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// Calls controls of every kind from eight threads. Also run these tests under the thread sanitizer:
/// `swift test --filter TimerKitTests --sanitize thread -Xswiftc -DTSAN`
@Suite struct KindThreadTests {
  static let threads = 8

  @Test(arguments: Kind.allCases, [false, true])
  func anyControlOnAnyThread(_ kind: Kind, isConcurrent: Bool) throws {
    let queue = DispatchQueue(label: "threads", attributes: isConcurrent ? .concurrent : [])
    for round in 0..<6 {
      let counters = (0..<4).map { _ in ConcurrencyCounter() }
      let timers = try counters.map { counter in
        try kind.make(on: queue) {
          counter.enter()
          counter.leave()
          return true
        }
      }
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        var random = SplitMix(state: UInt64(round * Self.threads + thread))
        for _ in 0..<150 { timers[random.below(timers.count)].use(&random) }
      }
      for (timer, counter) in zip(timers, counters) {
        _ = timer.end()
        #expect(counter.maximum <= 1)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func nothingIsDeliveredAfterCancelReturns(_ kind: Kind) throws {
    let queue = DispatchQueue(label: "cancel")
    let counts = Recorder<(timer: AnyKind, delivered: Int)>()
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for _ in 0..<60 {
        guard let timer = try? kind.make(on: queue, handled: { true }) else { continue }
        for _ in 0..<6 { timer.use(&random) }
        stayBusy(for: .microseconds(random.below(60)))
        let delivered = timer.end()
        counts.append((timer, delivered))
      }
    }
    queue.sync {}
    for (timer, delivered) in counts.all { #expect(timer.deliveredCount() == delivered) }
    #expect(counts.count == Self.threads * 60)
  }

  @Test(arguments: Kind.allCases)
  func canBeReleasedInAnyStateOnAnyThreadAndInItsHandler(_ kind: Kind) throws {
    let instances = InstanceCounter()
    let queue = DispatchQueue(label: "dropped")
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for _ in 0..<150 {
        // The handler may hold the last reference.
        let reference = Guarded<AnyKind?>(nil)
        let instance = InstanceCounter.Instance(instances)
        let timer = try? kind.make(on: queue) {
          withExtendedLifetime(instance) { _ = reference.withLock { $0.take() } }
          return true
        }
        reference.withLock { $0 = timer }
        for _ in 0..<random.below(6) { timer?.use(&random) }
        if random.below(3) == 0 { timer?.cancel() }
        _ = reference.withLock { $0.take() }
      }
    }
    queue.sync {}
    #expect(instances.liveCount == 0)
  }
}
