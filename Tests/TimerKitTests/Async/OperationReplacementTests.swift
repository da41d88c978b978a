import Testing

@testable import TimerKit

/// A new handler or operation in place of an operation.
@Suite struct OperationReplacementTests {
  let clock = VirtualClock()
  let log = Recorder<String>()

  private func make(overlap: Repeater.Overlap = .skip) throws -> Repeater {
    try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: overlap) {
      [clock, log] _, tick in
      log.append("old \(tick.iteration)")
      do { try await clock.sleep(for: .seconds(100)) } catch { log.append("old cancelled") }
    }
  }

  @Test func aHandlerReplacesTheOperationAndCancelsItsRun() async throws {
    let timer = try make(overlap: .queueOne)
    await clock.advance(by: .milliseconds(2_500))
    timer.setHandler { [log] _, tick in log.append("handler \(tick.iteration)") }
    await clock.advance(by: .seconds(2))
    #expect(log.all == ["old 1", "old cancelled", "handler 3", "handler 4"])
    await timer.cancelAndWait()
  }

  @Test func anOperationReplacesAHandler() async throws {
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { [log] _, tick in
      log.append("handler \(tick.iteration)")
    }
    await clock.advance(by: .seconds(1))
    timer.setOperation { [clock, log] _, tick in
      try? await clock.sleep(for: .milliseconds(1))
      log.append("new \(tick.iteration)")
    }
    await clock.advance(by: .seconds(3))
    #expect(log.all == ["handler 1", "new 2", "new 3"])
    timer.cancel()
  }

  /// The cancelled run takes five more seconds. Until then, no tick starts the new operation.
  @Test(arguments: [
    (Repeater.Overlap.skip, ["old 1", "old ends", "new 7 after 5"]),
    (.queueOne, ["old 1", "old ends", "new 6 after 4", "new 7 after 0"]),
  ])
  func theFirstRunWaitsForTheRunThatWasReplaced(
    _ overlap: Repeater.Overlap, _ expected: [String]
  ) async throws {
    let continuations = Recorder<CheckedContinuation<Void, Never>>()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
      [log] _, tick in
      log.append("old \(tick.iteration)")
      // Cancellation does not end it.
      await withCheckedContinuation { continuations.append($0) }
      log.append("old ends")
    }
    await clock.advance(by: .milliseconds(1_500))
    timer.setOperation(overlap: overlap) { [log] _, tick in
      log.append("new \(tick.iteration) after \(tick.missedCount)")
    }
    await clock.advance(by: .seconds(5))
    #expect(log.all == ["old 1"])
    for continuation in continuations.all { continuation.resume() }
    await clock.advance(by: .milliseconds(500))
    #expect(log.all == expected)
    await timer.cancelAndWait()
  }

  @Test func cancelAndWaitWaitsForTheRunThatWasReplaced() async throws {
    let timer = try make()
    await clock.advance(by: .seconds(1))
    timer.setHandler { _, _ in }
    await timer.cancelAndWait()
    #expect(log.all == ["old 1", "old cancelled"])
  }

  @Test func cancelEndsTheRunOfANewOperation() async throws {
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    timer.setOperation { [clock, log] _, _ in
      do { try await clock.sleep(for: .seconds(100)) } catch { log.append("new cancelled") }
    }
    await clock.advance(by: .seconds(1))
    await timer.cancelAndWait()
    #expect(log.all == ["new cancelled"])
  }

  @Test func cancelAndWaitInAReplacedOperationTraps() async {
    await #expect(processExitsWith: .failure) {
      let clock = VirtualClock()
      let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
        timer, _ in
        timer.setOperation { _, _ in }
        await timer.cancelAndWait()
      }
      await clock.advance(by: .seconds(1))
      withExtendedLifetime(timer) {}
    }
  }
}
