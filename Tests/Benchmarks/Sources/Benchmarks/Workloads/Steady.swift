/// Lets many timers tick together for a while.
struct Steady {
  private let count = 1_000
  private let ticks = 40
  private let interval: Int64 = 50_000_000

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let tally = Tally(timers: count, fires: ticks)
    // Complete only later: it is there to wait on.
    let first = Clocks.uptime + 60_000_000 + Int64(count) * System.costOfMaking
    let tickers = try (0..<count).map { index in
      try system.every(interval, from: first, tolerance: 0) { missed in
        for _ in 0...missed { tally.add(index) }
      }
    }
    defer { withExtendedLifetime(tickers) {} }

    // From between two ticks to between two ticks; the first ones warm up.
    let warmUps = 4
    rest(system, until: first + Int64(warmUps) * interval - interval / 2)
    let began = (cpu: Clocks.processCPU, count: tally.count)
    rest(system, until: first + Int64(ticks) * interval - interval / 2)
    let ended = (cpu: Clocks.processCPU, count: tally.count)
    try tally.check()
    guard ended.count - began.count == count * (ticks - warmUps) else {
      throw Failure.wrongChecksum("\(ended.count - began.count) ticks were counted")
    }
    return [.cpu: Double(ended.cpu - began.cpu) / Double(ended.count - began.count)]
  }
}

/// Lets timers run until `instant`, whatever they do.
func rest(_ system: some TimerSystem, until instant: Int64) {
  system.wait(for: Tally(timers: 1), until: instant)
}
