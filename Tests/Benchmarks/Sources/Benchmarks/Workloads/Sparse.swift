/// Lets timers with different intervals tick, so that almost every tick is alone.
struct Sparse {
  private let count = 150
  private let seconds: Int64 = 4

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    // Never complete in time: it is only counted.
    let tally = Tally(timers: 1, fires: 1 << 23)
    let first = Clocks.uptime + 60_000_000
    let tickers = try (1...count).map { number in
      try system.every(Int64(number * 7 + 50) * 1_000_000, from: first, tolerance: 0) { missed in
        for _ in 0...missed { tally.add(0) }
      }
    }
    defer { withExtendedLifetime(tickers) {} }
    rest(system, until: first + 300_000_000)
    let began = (cpu: Clocks.processCPU, switches: Resources.switches, count: tally.count)
    rest(system, until: first + 300_000_000 + seconds * 1_000_000_000)
    let fires = Double(tally.count - began.count)
    guard fires > 0 else { throw Failure.wrongChecksum("no fires") }
    return [
      .cpu: Double(Clocks.processCPU - began.cpu) / fires,
      .switches: Double(Resources.switches - began.switches) / fires,
    ]
  }
}
