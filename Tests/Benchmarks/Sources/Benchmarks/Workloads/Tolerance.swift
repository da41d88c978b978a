/// Counts the context switches of timers with a tolerance.
struct Tolerance {
  private let count = 100
  private let interval: Int64 = 1_000_000_000
  private let seconds = 5

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    // Counted when they fire; a timer may be late, but neither early nor missing.
    let tally = Tally(timers: count, fires: 1_000)
    let first = Clocks.uptime + 100_000_000
    let tickers = try (0..<count).map { index in
      try system.every(
        interval, from: first + Int64(index) * interval / Int64(count),
        tolerance: interval / 2
      ) { missed in
        for _ in 0...missed { tally.add(index) }
      }
    }
    defer { withExtendedLifetime(tickers) {} }

    rest(system, until: first + interval * 3 / 2)
    let began = (switches: Resources.switches, cpu: Clocks.processCPU, count: tally.count)
    rest(system, until: first + interval * 3 / 2 + Int64(seconds) * interval)
    let ended = (switches: Resources.switches, cpu: Clocks.processCPU, count: tally.count)
    let fires = ended.count - began.count
    guard abs(fires - count * seconds) <= count else {
      throw Failure.wrongChecksum("\(fires) fires in \(seconds) s")
    }
    return [
      .switches: Double(ended.switches - began.switches) / Double(seconds),
      .cpu: Double(ended.cpu - began.cpu) / Double(fires),
    ]
  }
}
