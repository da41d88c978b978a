// Page: Kinds/RateLimiter.md

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct RateLimiterPageTests {
  let system = VirtualSystem.current
  let work = Work()

  /// The diagram of the page is what a limiter does.
  @Test func theDiagram() throws {
    let page = try DocumentationPage("Kinds/RateLimiter.md").text
    let lines = try #require(page.firstMatch(of: /requests +(\S+)\npermits +(\S+)\n/))
    let limiter = try RateLimiter(limit: 1, per: .seconds(4), burst: 2)
    var permits = ""
    for request in lines.1 {
      if request != "-" {
        #expect((limiter.tryAcquire() == .acquired) == (request == "x"))
      }
      permits += "\(limiter.available)"
      system.advance(by: .seconds(1))
    }
    #expect(permits == lines.2)
  }

  // Section: Answering requests
  @Test func answeringRequests() throws {
    let log = Recorder<String>()
    let print: (String) -> Void = { log.append($0) }
    let requests = try RateLimiter(limit: 100, per: .minutes(1), burst: 10)
    for _ in 1...10 { #expect(requests.tryAcquire() == .acquired) }
    for _ in 1...2 {
      switch requests.tryAcquire() {
      case .acquired: print("200 OK")
      default: print("429 Too Many Requests")
      }
      system.advance(by: .milliseconds(600))
    }
    #expect(log.all == ["429 Too Many Requests", "200 OK"])
  }

  // Section: A limit for each user
  @Test func aLimitForEachUser() throws {
    let logins = try KeyedRateLimiter<String>(limit: 5, per: .minutes(1))
    for _ in 1...5 { #expect(logins.tryAcquire(for: "anna") == .acquired) }
    let isAnnaAllowed = logins.tryAcquire(for: "anna") == .acquired
    let isBenAllowed = logins.tryAcquire(for: "ben") == .acquired
    #expect(!isAnnaAllowed && isBenAllowed)
  }

  // Section: Keeping to the limit of another server
  @Test func keepingToALimit() async throws {
    @Sendable func load(_ page: Int) async throws { work() }
    try await system.advance(by: .seconds(3)) {
      let calls = try RateLimiter(limit: 10, per: .seconds(1), burst: 1)
      for page in 1...3 {
        try await calls.acquire()
        try await load(page)
      }
    }
    #expect(work.times == [0, 0.1, 0.2])
  }
}
