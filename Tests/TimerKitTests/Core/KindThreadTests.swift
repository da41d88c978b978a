import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// Eight threads at once, on every kind. Run them under the thread sanitizer as well:
/// `swift test --filter TimerKitTests --sanitize thread -Xswiftc -DTSAN`
@Suite struct KindThreadTests {
  static let threads = 8

  @Test(arguments: Kind.allCases, [false, true])
  func anyControlOnAnyThread(_ kind: Kind, isConcurrent: Bool) throws {
    let queue = DispatchQueue(label: "threads", attributes: isConcurrent ? .concurrent : [])
    for round in 0..<6 {
      let depths = (0..<4).map { _ in Depth() }
      let timers = try depths.map { depth in
        try kind.make(on: queue) {
          depth.enter()
          depth.leave()
          return true
        }
      }
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        var random = SplitMix(state: UInt64(round * Self.threads + thread))
        for _ in 0..<150 { timers[random.below(timers.count)].use(&random) }
      }
      for (timer, depth) in zip(timers, depths) {
        _ = timer.end()
        #expect(depth.deepest <= 1)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func nothingIsCommittedAfterCancelReturned(_ kind: Kind) throws {
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
  func droppedInAnyStateOnAnyThreadAndInsideItsHandler(_ kind: Kind) throws {
    let census = Census()
    let queue = DispatchQueue(label: "dropped")
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for _ in 0..<150 {
        // The handler may be the last to hold it.
        let deliverer = Guarded<AnyKind?>(nil)
        let member = Census.Member(census)
        let timer = try? kind.make(on: queue) {
          withExtendedLifetime(member) { _ = deliverer.withLock { $0.take() } }
          return true
        }
        deliverer.withLock { $0 = timer }
        for _ in 0..<random.below(6) { timer?.use(&random) }
        if random.below(3) == 0 { timer?.cancel() }
        _ = deliverer.withLock { $0.take() }
      }
    }
    queue.sync {}
    #expect(census.living == 0)
  }

  #if os(Linux)
    @Test func tenThousandMadeAndDroppedLeaveNoGrowth() throws {
      let census = Census()
      let queue = DispatchQueue(label: "growth")
      func round() throws {
        var random = SplitMix(state: 1)
        let timers = try (0..<10_000).map { number in
          let member = Census.Member(census)
          let timer = try Kind.allCases[number % 5].make(on: queue) {
            withExtendedLifetime(member) { false }
          }
          for _ in 0..<random.below(4) { timer.use(&random) }
          return timer
        }
        for timer in timers.prefix(3_000) { timer.cancel() }
      }
      try round()
      queue.sync {}
      let (threads, files) = (entries(of: "/proc/self/task"), entries(of: "/proc/self/fd"))
      for _ in 0..<4 { try round() }
      queue.sync {}
      #expect(census.living == 0)
      // A thread or a file for each would be thousands; other tests of this process have some too.
      #expect(entries(of: "/proc/self/task") - threads < 200)
      #expect(entries(of: "/proc/self/fd") - files < 200)
      let usage = TimerClock.suspending.source.driver(for: queue).usage
      #expect(usage.slots == usage.freeSlots)
      #expect(usage.entries <= 130)
    }
  #endif
}
