import Testing
import TimerKit

/// 3. A connection sends a heartbeat every 30 s; with a tolerance it shares wake-ups with others.
private actor Connection {
  private(set) var pings = 0
  private var heartbeat: Repeater?

  func open(clock: TimerClock = .continuous) throws {
    heartbeat = try Repeater.every(
      .seconds(30), tolerance: .seconds(3), clock: clock, overlap: .skip
    ) { [weak self] _, _ in
      await self?.ping()
    }
  }

  func close() async { await heartbeat?.cancelAndWait() }

  private func ping() { pings += 1 }
}

@Test func heartbeatWithTolerance() async throws {
  let clock = VirtualClock(.continuous)
  let connection = Connection()
  try await connection.open(clock: .virtual(clock))
  await clock.advance(by: .minutes(2))
  #expect(await connection.pings == 4)
  await connection.close()
  await clock.advance(by: .minutes(2))
  #expect(await connection.pings == 4)
}
