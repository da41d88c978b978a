import Dispatch
import Foundation
import Synchronization

/// Timers on many queues, and timers that several threads create and cancel.
enum Threads {
  /// Creates a timer on each queue, cancels them all, and begins again.
  static func onQueues<System: TimerSystem>(_ systems: [System]) throws -> Readings {
    let tally = Tally(timers: 1)
    func cycle() throws {
      let timers = try systems.map { try $0.once(after: 1_000_000_000_000, 0, tally) }
      for (system, timer) in zip(systems, timers) { system.cancel(timer) }
    }
    try cycle()
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    let rounds = 20
    for _ in 0..<rounds { try cycle() }
    return [.cpu: Double(stopwatch.stop().process) / Double(rounds * systems.count)]
  }

  /// Creates and cancels one timer at a time on each of several threads.
  static func together<System: TimerSystem & Sendable>(
    _ threadCount: Int, _ system: System
  ) throws -> Readings {
    let tally = Tally(timers: 1)
    let count = 20_000
    let failure = Mutex<(any Error)?>(nil)
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    let ended = DispatchGroup()
    for _ in 0..<threadCount {
      ended.enter()
      Thread.detachNewThread {
        do {
          for _ in 0..<count { system.cancel(try system.once(after: 1_000_000_000_000, 0, tally)) }
        } catch {
          failure.withLock { $0 = error }
        }
        ended.leave()
      }
    }
    ended.wait()
    if let error = failure.withLock(\.self) { throw error }
    return [.cpu: Double(stopwatch.stop().process) / Double(threadCount * count)]
  }

  /// Creates timers on this thread in batches, which another thread cancels and releases meanwhile.
  static func handOver<System: TimerSystem & Sendable>(
    _ system: System
  ) throws -> Readings where System.Timer: Sendable {
    let tally = Tally(timers: 1)
    let (batchCount, count) = (100, 1_000)
    let batches = Mutex<[[System.Timer]]>([])
    let (filled, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    Thread.detachNewThread {
      for _ in 0..<batchCount {
        filled.wait()
        let batch = batches.withLock { $0.removeLast() }
        for timer in batch { system.cancel(timer) }
      }
      ended.signal()
    }
    for _ in 0..<batchCount {
      let batch = try (0..<count).map { _ in try system.once(after: 1_000_000_000_000, 0, tally) }
      batches.withLock { $0.append(batch) }
      filled.signal()
    }
    ended.wait()
    return [.cpu: Double(stopwatch.stop().process) / Double(batchCount * count)]
  }
}
