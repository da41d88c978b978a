/// Measures the heap of many debouncers, idle and with a pending call.
struct DebouncerPopulation {
  let count: Int

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let inbox = Inbox()
    var debouncers: [System.Debouncer] = []
    debouncers.reserveCapacity(count)
    Stopwatch.waitUntilIdle()
    let empty = Resources.heapBytes
    for _ in 0..<count {
      debouncers.append(try system.debouncer(quiet: 1_000_000_000_000, inbox))
    }
    Stopwatch.waitUntilIdle()
    let idle = Resources.heapBytes
    for (index, debouncer) in debouncers.enumerated() { debouncer.submit(index) }
    Stopwatch.waitUntilIdle()
    let armed = Resources.heapBytes
    return withExtendedLifetime(debouncers) {
      [
        .idle: Double(idle - empty) / Double(count),
        .armed: Double(armed - empty) / Double(count),
      ]
    }
  }
}
