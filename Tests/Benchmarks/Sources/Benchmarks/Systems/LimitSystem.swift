import Dispatch
import Synchronization
import TimerKit

/// A way to limit rates by key, and to collect values.
protocol LimitSystem {
  associatedtype Limiter: RateLimiting
  associatedtype Collector: Collecting

  /// Allows `limit` requests of each key in each `period` of nanoseconds.
  func limiter(limit: Int, per period: Int64) throws -> Limiter

  /// Delivers values in arrays of `count`, and an incomplete one after `wait` nanoseconds.
  func collector(
    count: Int, wait: Int64, _ deliver: @escaping @Sendable ([Int]) -> Void
  ) throws -> Collector
}

protocol RateLimiting {
  func allows(_ key: Int) -> Bool
}

protocol Collecting {
  func collect(_ value: Int)
}

/// TimerKit: `KeyedRateLimiter` and `Batcher`.
struct TimerKitLimits: LimitSystem {
  func limiter(limit: Int, per period: Int64) throws -> KeyedRateLimiter<Int> {
    try KeyedRateLimiter(limit: limit, per: .nanoseconds(period))
  }

  func collector(
    count: Int, wait: Int64, _ deliver: @escaping @Sendable ([Int]) -> Void
  ) throws -> Batcher<Int> {
    try Batcher(count: count, maxWait: .nanoseconds(wait), limit: .max) { _, values in
      deliver(values)
    }
  }
}

extension KeyedRateLimiter: RateLimiting where Key == Int {
  func allows(_ key: Int) -> Bool { tryAcquire(for: key) == .acquired }
}

extension Batcher: Collecting where Value == Int {
  func collect(_ value: Int) { add(value) }
}

/// The code that a program has in place of a library: a dictionary of token buckets, and an array, each in a mutex. The
/// dictionary forgets no key.
struct HandmadeLimits: LimitSystem {
  func limiter(limit: Int, per period: Int64) -> Buckets { Buckets(limit: limit, period: period) }

  func collector(
    count: Int, wait: Int64, _ deliver: @escaping @Sendable ([Int]) -> Void
  ) -> Collector { Collector(count: count, wait: wait, deliver: deliver) }

  final class Buckets: RateLimiting, Sendable {
    private let limit: Double
    private let perNanosecond: Double
    private let buckets = Mutex<[Int: (tokens: Double, at: Int64)]>([:])

    init(limit: Int, period: Int64) {
      self.limit = Double(limit)
      perNanosecond = Double(limit) / Double(period)
    }

    func allows(_ key: Int) -> Bool {
      let now = Clocks.uptime
      return buckets.withLock { buckets in
        let old = buckets[key] ?? (limit, now)
        let tokens = min(limit, old.tokens + Double(now - old.at) * perNanosecond)
        buckets[key] = (tokens >= 1 ? tokens - 1 : tokens, now)
        return tokens >= 1
      }
    }
  }

  final class Collector: Collecting, Sendable {
    private let count: Int
    private let wait: Int64
    private let deliver: @Sendable ([Int]) -> Void
    private let values = Mutex<[Int]>([])
    private let queue = DispatchQueue(label: "collector")

    init(count: Int, wait: Int64, deliver: @escaping @Sendable ([Int]) -> Void) {
      self.count = count
      self.wait = wait
      self.deliver = deliver
    }

    func collect(_ value: Int) {
      let (batch, isFirst) = values.withLock { values -> ([Int]?, Bool) in
        values.append(value)
        guard values.count >= count else { return (nil, values.count == 1) }
        defer { values = [] }
        return (values, false)
      }
      if let batch { queue.async { [deliver] in deliver(batch) } }
      // A delay for each batch, which is not cancelled when the batch is complete.
      if isFirst { queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait))) { self.flush() } }
    }

    private func flush() {
      let batch = values.withLock { values in
        defer { values = [] }
        return values
      }
      if !batch.isEmpty { deliver(batch) }
    }
  }
}
