/// Creates a timer, cancels and releases it, and creates the next: few timers are alive at any
/// time.
struct Churn {
  private let batch = 2_000
  private let budget: Int64 = 200_000_000

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let tally = Tally(timers: 1)
    try churn(batch, system, tally)
    Stopwatch.waitUntilIdle()

    let stopwatch = Stopwatch()
    let end = Clocks.uptime + budget
    var count = 0
    repeat {
      try churn(batch, system, tally)
      count += batch
    } while Clocks.uptime < end
    let reading = stopwatch.stop()
    return [
      .caller: Double(reading.caller) / Double(count),
      .cpu: Double(reading.process) / Double(count),
    ]
  }

  private func churn<System: TimerSystem>(
    _ count: Int, _ system: System, _ tally: Tally
  ) throws {
    for index in 0..<count {
      let timer = try system.once(after: 1_000_000_000_000, index, tally)
      system.cancel(timer)
    }
  }
}
