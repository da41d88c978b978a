// Page: WhichTimer.md

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct WhichTimerTests {
  let system = VirtualSystem.current
  let work = Work()
  let log = Recorder<String>()

  // Section: An idle connection
  @Test func anIdleConnection() throws {
    final class Connection: Sendable {
      let log = Recorder<String>()
      func send(_ text: String) { log.append(text) }
      func close() { log.append("closed") }
    }
    let idle = try TimeLimited(Connection(), for: .seconds(30)) { _, connection in
      connection.close()
    }
    let connection = try #require(idle.value)
    for _ in 1...3 {
      try idle.renew().send("hello")  // each use
      system.advance(by: .seconds(29))
    }
    #expect(connection.log.all == ["hello", "hello", "hello"])
    system.advance(by: .seconds(1))
    #expect(connection.log.all.last == "closed")
    #expect(throws: TimeLimitedError.expired) { try idle.renew() }
  }

  // Section: A heartbeat
  @Test func aHeartbeat() throws {
    let send: @Sendable (_ number: Int, _ missed: Int) -> Void = { [log, system] in
      log.append("\($0) \($1)")
      if $0 == 2 { system.clock.advance(by: .seconds(95)) }  // a slow server
    }
    let heartbeat = try Repeater.every(.seconds(30), startingAfter: .zero, jitter: .seconds(3)) {
      _, tick in
      send(tick.iteration, tick.missedCount)
    }
    system.advance(by: .seconds(70))
    heartbeat.cancel()
    #expect(log.all.starts(with: ["1 0", "2 0"]))
    #expect(try #require(log.all.dropFirst(2).first).wholeMatch(of: /3 [12]/) != nil)
  }

  // Section: The deadline of a request
  @Test func theDeadlineOfARequest() async throws {
    @Sendable func load() async throws -> String {
      try await TimerClock.suspending.sleep(for: .seconds(9))
      return "a page"
    }
    try await system.advance(by: .seconds(20)) { [work] in
      do {
        let page = try await withTimeout(.seconds(5)) { try await load() }
        Issue.record("\(page) came too late")
      } catch {
        #expect(error is TimeoutError)
        work()
      }
    }
    #expect(work.times == [5])
  }

  // Section: One call when the calls have ended
  @Test func oneCallWhenTheCallsHaveEnded() throws {
    let find: @Sendable (String) -> Void = { [log] in log.append($0) }
    let search = try Debouncer<String>(delay: .milliseconds(300)) { _, text in find(text) }
    search.call("swi")
    search.call("swift")  // the only one that is delivered
    system.advance(by: .seconds(1))
    #expect(log.all == ["swift"])
  }

  // Section: A limit on requests
  @Test func aLimitOnRequests() throws {
    let logins = try KeyedRateLimiter<String>(limit: 5, per: .minutes(1))
    let isAllowed = logins.tryAcquire(for: "anna") == .acquired
    #expect(isAllowed)
    for _ in 2...5 { #expect(logins.tryAcquire(for: "anna") == .acquired) }
    #expect(logins.tryAcquire(for: "anna") != .acquired)
    #expect(logins.tryAcquire(for: "ben") == .acquired)
    system.advance(by: .seconds(12))
    #expect(logins.tryAcquire(for: "anna") == .acquired)
  }

  // Section: Values in batches
  @Test func valuesInBatches() throws {
    let upload: @Sendable ([String]) -> Void = { [log] in log.append("\($0.count)") }
    let uploads = try Batcher<String>(count: 100, maxWait: .seconds(10)) { _, rows in upload(rows) }
    uploads.add("a row")
    system.advance(by: .seconds(9))
    uploads.add("another row")
    system.advance(by: .seconds(1))
    #expect(log.all == ["2"])
  }

  // Section: Another attempt after a failure
  @Test func anotherAttemptAfterAFailure() async throws {
    @Sendable func load() async throws -> String {
      work()
      if work.times.count < 3 { throw TimeoutError(timeout: .zero) }
      return "a page"
    }
    try await system.advance(by: .minutes(1)) {
      let page = try await withRetry(Backoff(from: .milliseconds(100), retries: 5)) { attempt in
        try await withTimeout(.seconds(5)) { try await load() }
      }
      #expect(page == "a page")
    }
    #expect(work.times.count == 3)
  }

  // Section: A job at a time of day
  @Test func aJobAtATimeOfDay() throws {
    let run: @Sendable (TimerClock.Instant) -> Void = { [log] _ in log.append("backup") }
    let backup = try Repeater.following(WallSchedule(cron: "30 2 * * *")) { _, tick in
      run(tick.deadline)
    }
    system.advance(by: .days(3))
    #expect(log.all == ["backup", "backup", "backup"])
    backup.cancel()
  }

  // Section: A countdown
  @Test func aCountdown() throws {
    let show: @Sendable (Int) -> Void = { [log] in log.append("\($0)") }
    let countdown = try Countdown(from: 10, every: .seconds(1)) { _, remaining in show(remaining) }
    countdown.start()
    system.stall(for: .seconds(3.5))  // late, and no number is left out
    system.advance(by: .seconds(20))
    #expect(log.all == (0...9).reversed().map { "\($0)" })
  }

  // Section: A write that can wait
  @Test func aWriteThatCanWait() {
    final class Store: Sendable {
      let writes = Work()
      func save() { writes() }
    }
    let store = Store()
    let writes = BackgroundTimer(for: store, behavior: .coalesce)
    writes.perform(after: .seconds(60)) { store in store.save() }
    writes.perform(after: .seconds(1)) { store in store.save() }
    system.advance(by: .minutes(5))
    #expect(store.writes.times == [1])
  }
}
