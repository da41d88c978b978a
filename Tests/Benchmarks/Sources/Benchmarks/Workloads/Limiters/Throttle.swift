import Synchronization

/// Calls a throttler that has delivered a value and is closed for the next hour.
struct Throttle {
  private let interval: Int64 = 3_600_000_000_000
  private let budget: Int64 = 200_000_000
  private let batch = 1_000

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let inbox = Inbox()
    let throttler = try system.throttler(interval: interval, inbox)
    throttler.submit(0)
    system.wait(for: inbox.arrival, until: Clocks.uptime + 1_000_000_000)

    var value = 0
    let end = Clocks.uptime + budget
    let began = Clocks.threadCPU
    repeat {
      for _ in 0..<batch {
        value += 1
        throttler.submit(value)
      }
    } while Clocks.uptime < end
    let cost = Double(Clocks.threadCPU - began) / Double(value)
    Stopwatch.waitUntilIdle()
    guard inbox.deliveries == (1, 0) else {
      throw Failure.wrongChecksum("deliveries: \(inbox.deliveries)")
    }
    return [.call: cost]
  }
}
