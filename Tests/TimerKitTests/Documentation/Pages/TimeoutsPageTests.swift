// Page: Kinds/Timeouts.md

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct TimeoutsPageTests {
  let system = VirtualSystem.current
  let work = Work()

  private func afterSeconds(_ seconds: Int) async throws -> String {
    try await TimerClock.suspending.sleep(for: .seconds(seconds))
    work()
    return "a new page"
  }

  // Section: A result in time
  @Test func aResultInTime() async throws {
    @Sendable func load() async throws -> String { try await afterSeconds(4) }
    try await system.advance(by: .minutes(1)) {
      let page = try await withTimeout(.seconds(5)) { try await load() }
      #expect(page == "a new page")
    }
    #expect(work.times == [4])
  }

  // Section: Something else when it is late
  @Test func somethingElseWhenItIsLate() async throws {
    @Sendable func load() async throws -> String { try await afterSeconds(4) }
    let log = Recorder<String>()
    let print: @Sendable (String) -> Void = { log.append($0) }
    try await system.advance(by: .minutes(1)) {
      var page = "a page from the cache"
      do {
        page = try await withTimeout(.seconds(1)) { try await load() }
      } catch is TimeoutError {
        print("too late")
      }
      #expect(page == "a page from the cache")
    }
    #expect(log.all == ["too late"])
    #expect(work.times == [])
  }

  // Section: One deadline for several steps
  @Test(arguments: [(2, 7, true), (2, 9, false), (4, 1, false)])
  func oneDeadlineForSeveralSteps(connecting: Int, loading: Int, isInTime: Bool) async throws {
    @Sendable func connect() async throws -> Int {
      _ = try await afterSeconds(connecting)
      return 1
    }
    @Sendable func load(_ connection: Int) async throws -> String {
      try await afterSeconds(loading)
    }
    try await system.advance(by: .minutes(1)) {
      do {
        let page = try await withTimeout(.seconds(10)) {
          let connection = try await withTimeout(.seconds(3)) { try await connect() }
          return try await load(connection)
        }
        #expect(isInTime && page == "a new page")
      } catch {
        #expect(!isInTime && error is TimeoutError)
      }
    }
  }
}
