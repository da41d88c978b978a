import Dispatch
import Fuzzing
import Synchronization
import Testing

@testable import TimerKit

/// Calls a Repeater from eight threads. Also run these tests under the thread sanitizer:
/// `swift test --filter TimerKitTests --sanitize thread -Xswiftc -DTSAN`
@Suite struct RepeaterThreadTests {
  static let threads = 8

  /// Performs a random control.
  private static func performRandomControl(
    _ timer: Repeater, _ random: inout SplitMix, _ counter: ConcurrencyCounter
  ) {
    switch random.below(24) {
    case 0...3: timer.start()
    case 4...5: timer.pause()
    case 6: _ = random.below(2) == 0 ? timer.restart() : timer.reset()
    case 7: timer.restart(every: .microseconds(1 + random.below(50)))
    case 8...10:
      let changes: [Repeater.IntervalStart] = [.fromNow, .fromLastFire, .fromNextFire]
      timer.setInterval(
        .microseconds(1 + random.below(100)), counting: changes[random.below(3)])
    case 11...12: timer.adjustTimeLeft(by: .microseconds(random.below(200) - 100))
    case 13: timer.setRemainingIterations(1 + random.below(9))
    case 14...16: timer.fire(pausing: random.below(5) == 0)
    case 17:
      timer.setHandler { _, _ in
        counter.enter()
        counter.leave()
      }
    case 18:
      timer.removeObserver(
        timer.observe { _, _ in
          counter.enter()
          counter.leave()
        })
    case 19:
      timer.onStateChanged = { _, _, _ in
        counter.enter()
        counter.leave()
      }
    case 20: _ = timer.isCurrent(.ofGeneration(timer.snapshot.generation))
    case 21: _ = timer.checkpoint
    case 22: _ = timer.events(bufferingNewest: 2)
    default: if random.below(60) == 0 { timer.cancel() }
    }
  }

  @Test(arguments: [false, true])
  func anyControlOnAnyThread(isConcurrent: Bool) throws {
    let queue = DispatchQueue(label: "threads", attributes: isConcurrent ? .concurrent : [])
    for round in 0..<12 {
      let policies: [Repeater.MissedTicks] = [.skip, .delay, .burst(limit: 3)]
      let counters = (0..<6).map { _ in ConcurrencyCounter() }
      let timers = try counters.enumerated().map { index, counter in
        try Repeater(
          interval: .microseconds(20), mode: index % 2 == 0 ? .infinite : .finite(5),
          missedTicks: policies[index % 3], queue: queue
        ) { timer, tick in
          counter.enter()
          defer { counter.leave() }
          var random = SplitMix(state: UInt64(tick.iteration))
          Self.performRandomControl(timer, &random, counter)
        }
      }
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        var random = SplitMix(state: UInt64(round * Self.threads + thread))
        for _ in 0..<200 {
          let index = random.below(timers.count)
          Self.performRandomControl(timers[index], &random, counters[index])
        }
      }
      for (timer, counter) in zip(timers, counters) {
        timer.cancelAndWait()
        let snapshot = timer.snapshot
        #expect(snapshot.state == .cancelled)
        #expect((snapshot.remainingIterations ?? 0) >= 0)
        #expect(counter.maximum <= 1)
      }
    }
  }

  /// The same for `pause()` and `reset()`: later deliveries belong to the new schedule.
  @Test func noDeliveryOfTheOldScheduleAfterPauseOrReset() throws {
    let queue = DispatchQueue(label: "pause")
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix(state: UInt64(thread))
      for round in 0..<100 {
        let ticks = Recorder<Repeater.Tick>()
        let timer = try? Repeater.every(.microseconds(2), queue: queue) { ticks.append($1) }
        guard let timer else { continue }
        stayBusy(for: .microseconds(random.below(40)))
        if round % 2 == 0 {
          timer.pause()
        } else {
          timer.reset()
        }
        let snapshot = timer.snapshot
        timer.cancelAndWait()
        #expect(timer.snapshot.deliveredCount == snapshot.deliveredCount)
        #expect(ticks.count <= timer.snapshot.deliveredCount)
      }
    }
  }

  @Test func firesFromEightThreadsAreAllDelivered() async throws {
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let counter = ConcurrencyCounter()
    let timer = try Repeater(interval: .days(1), mode: .finite(8 * 100)) { _, tick in
      counter.enter()
      counter.leave()
      if tick.isLast { continuation.finish() }
    }
    DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
      for _ in 0..<100 { timer.fire() }
    }
    for await _ in done {}
    #expect(timer.snapshot.deliveredCount == 8 * 100)
    #expect(counter.maximum == 1)
  }

  @Test func streamsAndObserversCanChangeWhileTheTimerTicks() async throws {
    let timer = try Repeater.every(.microseconds(30)) { _, _ in }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<Self.threads {
        group.addTask {
          for round in 0..<20 {
            let token = timer.observe { _, _ in }
            var received = 0
            for await _ in timer.events(bufferingNewest: 4) {
              received += 1
              if received > (task + round) % 5 { break }
            }
            #expect(timer.removeObserver(token))
          }
        }
      }
    }
    await timer.cancelAndWait()
  }
}
