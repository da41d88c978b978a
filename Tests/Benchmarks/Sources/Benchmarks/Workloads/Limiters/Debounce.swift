import Dispatch
import Foundation
import Synchronization

/// Calls one debouncer in a tight loop, and checks that there is one delivery.
struct Debounce {
  let threads: Int
  private let quiet: Int64 = 1_000_000_000
  private let budget: Int64 = 200_000_000
  private let batch = 1_000

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    if threads > 1, System.Timer.self == Foundation.Timer.self {
      throw Failure.unsupported("a run loop's timer belongs to its thread")
    }
    let inbox = Inbox()
    let debouncer = try system.debouncer(quiet: quiet, inbox)
    let warmedUp = call(debouncer, from: 0, for: budget / 10)
    let heap = Resources.heapBytes
    let measured = call(debouncer, from: warmedUp.calls, for: budget)
    let growth = Resources.heapBytes - heap

    system.wait(for: inbox.arrival, until: Clocks.uptime + 4 * quiet)
    let last = warmedUp.calls + measured.calls
    let result = inbox.deliveries
    // With two threads, either can have made the last call.
    guard result.count == 1, threads > 1 || result.last == last else {
      throw Failure.wrongChecksum("\(result.count) deliveries, the last of \(result.last)")
    }
    var readings: Readings = [.call: measured.nanoseconds]
    if threads == 1 { readings[.growth] = Double(growth) / Double(measured.calls) }
    return readings
  }

  /// Returns the number of calls and the time of each.
  private func call(
    _ debouncer: some Debouncing, from first: Int, for nanoseconds: Int64
  ) -> (calls: Int, nanoseconds: Double) {
    let ready = Atomic(0)
    let results = Mutex((calls: 0, time: Int64(0)))
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      // All threads start together; otherwise the first would run alone for a while.
      ready.add(1, ordering: .sequentiallyConsistent)
      while ready.load(ordering: .sequentiallyConsistent) < threads {}
      let end = Clocks.uptime + nanoseconds
      let began = now()
      var value = first
      repeat {
        for _ in 0..<batch {
          value += 1
          debouncer.submit(value)
        }
      } while Clocks.uptime < end
      let time = now() - began
      results.withLock { $0 = ($0.calls + value - first, $0.time + time) }
    }
    let (calls, time) = results.withLock { $0 }
    return (calls, Double(time) / Double(calls))
  }

  /// The CPU time for one thread, and the uptime for two, which may wait for each other without
  /// using CPU.
  private func now() -> Int64 { threads == 1 ? Clocks.threadCPU : Clocks.uptime }
}
