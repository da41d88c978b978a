/// Lets many timers tick together for a while.
struct Steady {
  private let count = 1_000
  private let ticks = 40
  private let interval: Int64 = 50_000_000

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let tally = Tally(timers: count, fires: 4 * ticks)
    // Never complete in time: it is only waited on.
    let first = Clocks.uptime + 60_000_000 + Int64(count) * System.creationCost
    let tickers = try (0..<count).map { index in
      try system.every(interval, from: first, tolerance: 0) { missed in
        for _ in 0...missed { tally.add(index) }
      }
    }
    defer { withExtendedLifetime(tickers) {} }

    // The measurement starts and ends between two ticks; the first ticks are a warm-up.
    let began = try pause(of: tally, after: 4, first: first, system)
    let ended = try pause(of: tally, after: ticks, first: first, system)
    return [.cpu: Double(ended.cpu - began.cpu) / Double((ended.ticks - began.ticks) * count)]
  }

  /// Waits until every timer has ticked at least this often, and all equally often.
  private func pause<System: TimerSystem>(
    of tally: Tally, after ticks: Int, first: Int64, _ system: System
  ) throws -> (cpu: Int64, ticks: Int) {
    for turn in ticks..<2 * ticks {
      rest(system, until: first + Int64(turn) * interval - interval / 2)
      let cpu = Clocks.processCPU
      if let rounds = tally.rounds, rounds >= ticks { return (cpu, rounds) }
    }
    throw Failure.wrongChecksum("\(tally.count) ticks of \(count) timers, not by all as often")
  }
}

/// Lets timers run until `instant`.
func rest(_ system: some TimerSystem, until instant: Int64) {
  system.wait(for: Tally(timers: 1), until: instant)
}
