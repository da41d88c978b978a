import Testing
import TimerKit

@Suite("Example: DebouncedFunction")
struct LatestSearchExample {
  /// A search field: only the latest text is looked up, and only its result is shown.
  @MainActor private final class SearchField {
    private(set) var pages: [String] = []
    private let find: DebouncedFunction<String, [String]>

    init(_ find: DebouncedFunction<String, [String]>) { self.find = find }

    func type(_ text: String) async {
      // A call that a later one supersedes throws.
      if let pages = try? await find(text) { self.pages = pages }
    }
  }

  @MainActor @Test func showTheLatestResult() async throws {
    let clock = VirtualClock()
    let log = Log()
    let field = SearchField(
      try DebouncedFunction(delay: .milliseconds(300), clock: .virtual(clock)) { text in
        log.add("find \(text)")
        try await clock.sleep(for: .seconds(1))
        return ["about \(text)"]
      })
    var calls: [Task<Void, Never>] = []
    for text in ["s", "sw", "swift"] {
      calls.append(Task(executorPreference: clock.taskExecutor) { await field.type(text) })
      await clock.advance(by: .milliseconds(100))
    }
    await clock.advance(by: .milliseconds(500))
    // The search for "swift" runs, and is superseded.
    calls.append(Task(executorPreference: clock.taskExecutor) { await field.type("swift timer") })
    await clock.advance(by: .seconds(2))
    for call in calls { await call.value }
    #expect(log.lines == ["find swift", "find swift timer"])
    #expect(field.pages == ["about swift timer"])
  }
}

@Suite("Example: operations for keys")
struct KeyedOperationExample {
  /// Each document is saved when it has not changed for a second; saving one does not delay another.
  @Test func saveDocuments() async throws {
    let clock = VirtualClock()
    let log = Log()
    let saver = try KeyedDebouncer<String, Int>(
      delay: .seconds(1), clock: .virtual(clock), overlap: .queueOne
    ) { _, name, revision in
      try? await clock.sleep(for: .seconds(3))
      log.add("\(name) \(revision) at \(clock.now.nanoseconds / 1_000_000_000)")
    }
    saver.call(1, for: "letter")
    saver.call(1, for: "notes")
    await clock.advance(by: .seconds(2))
    saver.call(2, for: "letter")
    await clock.advance(by: .seconds(10))
    #expect(log.lines == ["letter 1 at 4", "notes 1 at 4", "letter 2 at 7"])
  }
}
