import Testing
import TimerKit

/// Many small messages become a few transmissions, so that the radio of a phone sleeps in between.
@Suite("Example: Batcher")
struct BatcherExample {
  @Test func batchTransmissions() throws {
    let clock = VirtualClock()
    let log = Log()
    let uploads = try Batcher<String>(
      count: 3, maxWait: .seconds(30), quietTime: .seconds(5), clock: .virtual(clock)
    ) { [log] _, events in
      log.add(events.joined(separator: ", "))
    }
    for event in ["open", "scroll", "tap", "scroll"] { uploads.add(event) }
    #expect(log.lines == ["open, scroll, tap"])
    // Nothing more comes for five seconds.
    clock.advance(by: .seconds(5))
    #expect(log.lines.last == "scroll")
    // At the end, what is left is sent at once.
    uploads.add("close")
    uploads.flush()
    #expect(log.lines.last == "close")
  }

  /// A hundred rows at a time, and none waits for more than a second.
  @Test func storeRowsInBatches() async throws {
    let rows = AsyncStream<Int> { continuation in
      for row in 1...250 { continuation.yield(row) }
      continuation.finish()
    }
    var inserted: [Int] = []
    for await batch in try rows.chunked(count: 100, maxWait: .seconds(1)) {
      inserted.append(batch.count)
    }
    #expect(inserted == [100, 100, 50])
  }
}
