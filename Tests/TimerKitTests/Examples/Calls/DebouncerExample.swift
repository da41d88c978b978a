import Testing
import TimerKit

/// A search field that queries the server when typing pauses, and at least once a second.
private final class SearchField: Sendable {
  private let queries: Debouncer<String>

  init(clock: TimerClock, search: @escaping @Sendable (String) -> Void) throws {
    queries = try Debouncer(
      delay: .milliseconds(300), maxWait: .seconds(1), clock: clock
    ) { _, text in search(text) }
  }

  func type(_ text: String) { queries.call(text) }
  func pressReturn() { queries.flush() }
  func clear() { queries.cancelPending() }
}

@Suite("Example: Debouncer")
struct DebouncerExample {
  @Test func searchWhileTyping() throws {
    let clock = VirtualClock()
    let searches = Recorder<String>()
    let field = try SearchField(clock: .virtual(clock)) { searches.append($0) }

    for text in ["t", "ti", "tim", "time"] {
      field.type(text)
      clock.advance(by: .milliseconds(100))
    }
    clock.advance(by: .milliseconds(200))
    #expect(searches.all == ["time"])

    field.type("timer")
    field.pressReturn()
    #expect(searches.all == ["time", "timer"])

    field.type("timers")
    field.clear()
    clock.advance(by: .seconds(5))
    #expect(searches.all == ["time", "timer"])
  }

  @Test func runsOnTheSystemClock() async throws {
    let (saved, continuation) = AsyncStream.makeStream(of: Int.self)
    let saves = try Debouncer<Int>(delay: .milliseconds(5)) { _, revision in
      continuation.yield(revision)
      continuation.finish()
    }
    for revision in 1...10 { saves.call(revision) }
    for await revision in saved { #expect((1...10).contains(revision)) }
  }
}
