// Page: Kinds/Retries.md

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct RetriesPageTests {
  struct Failure: Error {}

  let system = VirtualSystem.current
  let work = Work()

  /// The diagram of the page.
  @Test func theDiagram() async throws {
    let page = try DocumentationPage("Kinds/Retries.md").text
    let attempts = try #require(page.firstMatch(of: /attempts +(\S+)\n/)).1
    try await system.advance(by: .seconds(60)) { [work] in
      try await withRetry(Backoff(from: .seconds(1), jitter: .off)) { attempt in
        work()
        if attempt < 4 { throw Failure() }
      }
    }
    let times = attempts.enumerated().filter { $0.element != "-" }.map { Double($0.offset) }
    #expect(work.times == times)
  }

  // Section: A limit for each attempt
  @Test func aLimitForEachAttempt() async throws {
    @Sendable func load(_ attempt: Int) async throws -> String {
      work()
      if attempt < 3 { try await TimerClock.suspending.sleep(for: .hours(1)) }
      return "page \(attempt)"
    }
    try await system.advance(by: .minutes(1)) {
      let page = try await withRetry(
        Backoff(from: .milliseconds(100), upTo: .seconds(5), retries: 4)
      ) { attempt in
        try await withTimeout(.seconds(2)) { try await load(attempt) }
      }
      #expect(page == "page 3")
    }
    #expect(work.times.count == 3)
    #expect(try #require(work.times.last) <= 4.3)
  }

  // Section: A limit for all of them
  @Test func aLimitForAllOfThem() async throws {
    @Sendable func load(_ attempt: Int) async throws -> String {
      work()
      throw Failure()
    }
    try await system.advance(by: .hours(1)) {
      await #expect(throws: (any Error).self) {
        let backoff = try Backoff(from: .milliseconds(100), retries: 8)
        let page = try await withRetry(backoff, within: .seconds(30)) { attempt in
          try await load(attempt)
        }
        Issue.record("\(page)")
      }
    }
    #expect(work.times.count > 3)
    #expect(try #require(work.times.last) <= 30)
  }

  // Section: Errors that are final
  @Test func errorsThatAreFinal() async throws {
    struct HTTPError: Error { let status: Int }
    @Sendable func load(_ attempt: Int) async throws -> String {
      work()
      throw HTTPError(status: attempt == 1 ? 503 : 404)
    }
    try await system.advance(by: .hours(1)) {
      await #expect(throws: HTTPError.self) {
        let page = try await withRetry(
          Backoff(from: .milliseconds(100), retries: 4),
          onlyIf: { ($0 as? HTTPError)?.status != 404 }
        ) { attempt in
          try await load(attempt)
        }
        Issue.record("\(page)")
      }
    }
    #expect(work.times.count == 2)
  }
}
