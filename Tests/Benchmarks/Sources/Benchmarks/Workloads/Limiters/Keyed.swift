import Dispatch
import Synchronization
import TimerKit

/// Calls keyed limiters for many keys, and flushes and cancels all keys. Except for debounced calls, the
/// times are clock times: a caller that waits for the limiter uses no CPU.
struct Keyed {
  let count: Int

  func run() throws -> Readings {
    var readings = try throttle()
    let delivered = Countdown(count)
    let debouncer = try KeyedDebouncer<Int, Int>(delay: .seconds(1_000)) { _, _, _ in
      delivered.count()
    }
    readings[.firstCall] = callAll(debouncer)
    readings[.nextCall] = callAll(debouncer)
    let began = Clocks.uptime
    debouncer.flush()
    readings[.flushAll] = microseconds(since: began)
    try delivered.wait()
    readings[.deliverAll] = microseconds(since: began)

    _ = callAll(debouncer)
    let cancelBegan = Clocks.uptime
    debouncer.cancelPending()
    readings[.cancelAll] = microseconds(since: cancelBegan)
    guard debouncer.snapshot.deliveredCount == count else {
      throw Failure.wrongChecksum("deliveries: \(debouncer.snapshot.deliveredCount)")
    }
    return readings
  }

  /// - Returns: The CPU time of a call. Nothing is delivered meanwhile, so no call waits.
  private func callAll(_ debouncer: KeyedDebouncer<Int, Int>) -> Double {
    let began = Clocks.threadCPU
    for key in 0..<count { debouncer.call(key, for: key) }
    return Double(Clocks.threadCPU - began) / Double(count)
  }

  /// Calls while the values of earlier calls are being delivered.
  private func throttle() throws -> Readings {
    let delivered = Countdown(count)
    let throttler = try KeyedThrottler<Int, Int>(interval: .seconds(1_000)) { _, _, _ in
      delivered.count()
    }
    var times: [Int64] = []
    times.reserveCapacity(count)
    for key in 0..<count {
      let began = Clocks.uptime
      throttler.call(key, for: key)
      times.append(Clocks.uptime - began)
    }
    try delivered.wait()
    times.sort()
    return [
      .call: Double(times.reduce(0, +)) / Double(count),
      .callTail: Double(times[count * 999 / 1_000]) / 1_000,
    ]
  }

  private func microseconds(since began: Int64) -> Double {
    Double(Clocks.uptime - began) / 1_000
  }
}

/// Lets a thread wait until a number of values have been delivered.
private final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let done = DispatchSemaphore(value: 0)

  init(_ count: Int) { left = Atomic(count) }

  func count() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
  }

  func wait() throws {
    guard done.wait(timeout: .now() + 60) == .success else {
      throw Failure.wrongChecksum("values were lost")
    }
  }
}
