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
      let outcome = requests.tryAcquire()
      if let seconds = outcome.retryAfterSeconds {
        print("429 Too Many Requests, Retry-After: \(seconds)")
      } else {
        print("200 OK")
      }
      system.advance(by: .milliseconds(600))
    }
    #expect(log.all == ["429 Too Many Requests, Retry-After: 1", "200 OK"])
  }

  // Section: A limit for each user
  @Test func aLimitForEachUser() throws {
    let logins = try KeyedRateLimiter<String>(limit: 5, per: .minutes(1))
    for _ in 1...5 { #expect(logins.tryAcquire(for: "anna") == .acquired) }
    let isAnnaAllowed = logins.tryAcquire(for: "anna") == .acquired
    let isBenAllowed = logins.tryAcquire(for: "ben") == .acquired
    #expect(!isAnnaAllowed && isBenAllowed)
  }

  // Section: A bound on the number of users
  @Test func aBoundOnTheNumberOfUsers() throws {
    let log = Recorder<String>()
    let print: (String) -> Void = { log.append($0) }
    let requests = try KeyedRateLimiter<String>(limit: 100, per: .minutes(1), keyLimit: 50_000)
    func answer() {
      let outcome = requests.tryAcquire(for: "192.0.2.7")
      let seconds = outcome.retryAfterSeconds ?? 0
      switch outcome {
      case .acquired: print("200 OK")
      case .refused: print("429 Too Many Requests, Retry-After: \(seconds)")
      case .noRoom: print("503 Service Unavailable, Retry-After: \(seconds)")
      case .invalid(let error): print("500 Internal Server Error: \(error)")
      }
    }
    for _ in 0...100 { answer() }
    requests.reset(for: "192.0.2.7")
    for number in 0..<50_000 { _ = requests.tryAcquire(for: "\(number)") }
    answer()
    #expect(log.all.dropFirst(99).prefix(2) == ["200 OK", "429 Too Many Requests, Retry-After: 1"])
    #expect(log.all.last == "503 Service Unavailable, Retry-After: 120")
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
