import Testing
import TimerKit

/// Clients that ask at once, then every half minute, and not all at the same time.
@Suite("Example: first fire and jitter")
struct FirstFireExample {
  @Test func pollAtOnce() throws {
    let clock = VirtualClock()
    let log = Log()
    let poll = try Repeater.every(
      .seconds(30), count: 3, startingAfter: .zero, clock: .virtual(clock)
    ) { [log] _, tick in
      log.add("poll \(tick.iteration) at \(tick.deadline.nanoseconds / 1_000_000_000) s")
    }
    clock.advance(by: .minutes(1))
    #expect(log.lines == ["poll 1 at 0 s", "poll 2 at 30 s", "poll 3 at 60 s"])
    #expect(poll.state == .finished)
  }

  @Test func spreadTheClients() throws {
    let clock = VirtualClock(seed: 1)
    let log = Log()
    let clients = try (1...100).map { _ in
      try Repeater.every(.seconds(30), jitter: .seconds(10), clock: .virtual(clock)) {
        [log] _, tick in log.add("\(tick.deadline.nanoseconds)")
      }
    }
    clock.advance(by: .seconds(40))
    // One request each, at a hundred different times.
    #expect(log.lines.count == 100 && Set(log.lines).count == 100)
    // The second ones come between 60 and 70 seconds: delays do not add up.
    clock.advance(by: .milliseconds(19_999))
    #expect(log.lines.count == 100)
    clock.advance(by: .milliseconds(10_001))
    #expect(log.lines.count == 200)
    withExtendedLifetime(clients) {}
  }
}
