/// What many debouncers hold of the heap: each idle, and each with a call that waits.
struct DebouncerPopulation {
  let count: Int

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let inbox = Inbox()
    var debouncers: [System.Debouncer] = []
    debouncers.reserveCapacity(count)
    Stopwatch.settle()
    let empty = Resources.heapBytes
    for _ in 0..<count {
      debouncers.append(try system.debouncer(quiet: 1_000_000_000_000, inbox))
    }
    Stopwatch.settle()
    let idle = Resources.heapBytes
    for (index, debouncer) in debouncers.enumerated() { debouncer.submit(index) }
    Stopwatch.settle()
    let armed = Resources.heapBytes
    return withExtendedLifetime(debouncers) {
      [
        .idle: Double(idle - empty) / Double(count),
        .armed: Double(armed - empty) / Double(count),
      ]
    }
  }
}
