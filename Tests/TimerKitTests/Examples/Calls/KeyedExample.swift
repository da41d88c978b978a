import Testing
import TimerKit

@Suite("Example: KeyedDebouncer and KeyedThrottler")
struct KeyedExample {
  /// Each file is reindexed when it has not changed for a while.
  @Test func reindexChangedFiles() throws {
    let clock = VirtualClock()
    let indexed = Recorder<String>()
    let changes = try KeyedDebouncer<String, Int>(delay: .seconds(2), clock: .virtual(clock)) {
      _, path, size in indexed.append("\(path) \(size)")
    }
    changes.call(100, for: "a.txt")
    clock.advance(by: .seconds(1))
    changes.call(250, for: "b.txt")
    changes.call(120, for: "a.txt")
    clock.advance(by: .seconds(1))
    changes.call(260, for: "b.txt")
    changes.cancelPending(for: "gone.txt")
    clock.advance(by: .seconds(2))
    #expect(indexed.all == ["a.txt 120", "b.txt 260"])
    #expect(changes.keyCount == 0)
  }

  /// One warning per minute for each host, the first immediately.
  @Test func warnOncePerHost() throws {
    let clock = VirtualClock()
    let warnings = Recorder<String>()
    let warn = try KeyedThrottler<String, String>(interval: .minutes(1), clock: .virtual(clock)) {
      _, host, text in warnings.append("\(host): \(text)")
    }
    for attempt in 1...3 {
      warn.call("attempt \(attempt) failed", for: "alpha")
      warn.call("attempt \(attempt) failed", for: "beta")
      clock.advance(by: .seconds(1))
    }
    #expect(warnings.all == ["alpha: attempt 1 failed", "beta: attempt 1 failed"])
    clock.advance(by: .minutes(1))
    #expect(warnings.all.dropFirst(2) == ["alpha: attempt 3 failed", "beta: attempt 3 failed"])
  }
}
