import Testing
import TimerKit

/// The requests of manual ticks and skips that wait for their delivery.
@Suite struct PendingRequestTests {
  /// Inside the handler, nothing is delivered.
  @Test func theNumberOfRequestsThatWaitIsLimited() throws {
    let clock = VirtualClock()
    let refused = ControlResult.refused(.tooManyPending)
    let results = Recorder<ControlResult>()
    let repeater = try Repeater(interval: .seconds(1), clock: .virtual(clock)) {
      [results] timer, _ in
      guard results.count == 0 else { return }
      for _ in 0..<1025 { results.append(timer.fire()) }
      results.append(timer.fire(pausing: true))
    }
    repeater.start()
    repeater.fire()
    #expect(results.all == Array(repeating: .changed, count: 1024) + [refused, refused])
    #expect(repeater.snapshot.deliveredCount == 1025)
    #expect(repeater.state == .running)
    #expect(repeater.fire() == .changed)

    let cycle = try Cycle([.init("a", .seconds(1))], rounds: 3000, clock: .virtual(clock)) {
      [results] cycle, tick in
      guard tick.ended.round == 1 else { return }
      for _ in 0..<1025 { results.append(cycle.skip()) }
    }
    cycle.skip()
    #expect(results.all.last == refused)
    #expect(results.all.filter { $0 == refused }.count == 3)
  }
}
