/// Asks for a permit of each of many keys: the first ones, then further ones, of which the last is refused.
struct RateLimit {
  private let count = 100_000
  private let limit = 3

  func run(_ system: some LimitSystem) throws -> Readings {
    Stopwatch.waitUntilIdle()
    let heap = Resources.heapBytes
    // An hour, so that no bucket gains a permit meanwhile.
    let limiter = try system.limiter(limit: limit, per: 3_600_000_000_000)
    let first = askAll(limiter)
    let used = Resources.heapBytes - heap
    let next = askAll(limiter)
    let last = askAll(limiter)
    let refused = askAll(limiter)
    guard [first, next, last].allSatisfy({ $0.allowed == count }), refused.allowed == 0 else {
      throw Failure.wrongChecksum("\(first.allowed + next.allowed + last.allowed) were allowed")
    }
    return [
      .firstCall: first.cost, .nextCall: next.cost, .call: refused.cost,
      .heap: Double(used) / Double(count),
    ]
  }

  /// - Returns: The number of keys that were allowed, and the CPU time of a call.
  private func askAll(_ limiter: some RateLimiting) -> (allowed: Int, cost: Double) {
    let began = Clocks.threadCPU
    var allowed = 0
    for key in 0..<count where limiter.allows(key) { allowed += 1 }
    return (allowed, Double(Clocks.threadCPU - began) / Double(count))
  }
}

/// Adds values in a tight loop, which are delivered in arrays of 100.
struct Collect {
  private let count = 1_000_000
  private let size = 100

  func run(_ system: some LimitSystem) throws -> Readings {
    _ = try collect(count / 10, system)
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    let call = try collect(count, system)
    return [.call: call, .cpu: Double(stopwatch.stop().process) / Double(count)]
  }

  /// - Returns: The CPU time of a call on the thread that adds the values.
  private func collect(_ count: Int, _ system: some LimitSystem) throws -> Double {
    let batches = Tally(timers: 1, fires: count / size)
    let collector = try system.collector(count: size, wait: 10_000_000_000) { [size] values in
      if values.count == size { batches.add(0) }
    }
    let began = Clocks.threadCPU
    for value in 0..<count { collector.collect(value) }
    let cost = Double(Clocks.threadCPU - began) / Double(count)
    batches.wait(until: Clocks.uptime + 5_000_000_000)
    try batches.check()
    return cost
  }
}
