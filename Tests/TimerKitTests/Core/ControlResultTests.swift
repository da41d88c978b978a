import Testing

@testable import TimerKit

@Suite struct ControlResultTests {
  @Test func isChangedIsTrueForChangesOnly() {
    #expect(ControlResult.changed.isChanged)
    #expect(!ControlResult.unchanged.isChanged)
    #expect(!ControlResult.refused(.cancelled).isChanged)
    #expect(ControlResult.changed(if: true) == .changed)
    #expect(ControlResult.changed(if: false) == .unchanged)
  }

  @Test func areDescribedInOneLine() {
    let results: [ControlResult] = [
      .changed, .unchanged, .refused(.cancelled), .refused(.finished), .refused(.noOccurrence),
      .refused(.followsSchedule),
    ]
    #expect(Set(results).count == 6)
    #expect(
      results.map(\.description) == [
        "changed", "unchanged", "refused: the timer was cancelled",
        "refused: the timer is finished", "refused: the schedule has no occurrence to come",
        "refused: the timer follows a schedule",
      ])
  }

  /// A program that prefers an error can throw the refusal.
  @Test func aRefusalCanBeThrown() throws {
    let clock = VirtualClock()
    let timer = try Repeater(every: .seconds(1), mode: .once, clock: .virtual(clock)) { _, _ in }
    func start() throws {
      if case .refused(let refusal) = timer.start() { throw refusal }
    }
    try start()
    timer.cancel()
    #expect(throws: ControlResult.Refusal.cancelled) { try start() }
  }

  @Test func aFinishedTimerRefusesControlsThatNeedARun() throws {
    let clock = VirtualClock()
    let timer = try Repeater(every: .seconds(1), mode: .finite(1), clock: .virtual(clock)) {
      _, _ in
    }
    let countdown = try Countdown(from: 1, every: .seconds(1), clock: .virtual(clock)) { _, _ in }
    let cycle = try Cycle([.init("only", .seconds(1))], rounds: 1, clock: .virtual(clock)) {
      _, _ in
    }
    for result in [timer.start(), countdown.start(), cycle.start()] { #expect(result == .changed) }
    clock.advance(by: .seconds(1))
    let refused = ControlResult.refused(.finished)
    #expect(timer.fire() == refused)
    #expect(timer.fire(andPause: true) == refused)
    #expect(try timer.setRemainingIterations(3) == refused)
    #expect(countdown.step() == refused)
    #expect(try countdown.setStepsLeft(3) == refused)
    #expect(cycle.skip() == refused)
    for result in [timer.pause(), countdown.pause(), cycle.pause()] {
      #expect(result == .unchanged)
    }
    let change = Duration.seconds(1)
    #expect(timer.adjustTimeLeft(by: change) == .unchanged)
    #expect(countdown.adjustTimeLeft(by: change) == .unchanged)
    #expect(cycle.adjustTimeLeft(by: change) == .unchanged)
    for result in [timer.start(), countdown.reset(), cycle.start()] { #expect(result == .changed) }
  }

  @Test func anInfiniteTimerHasNoIterationsToChange() throws {
    let timer = try Repeater(every: .seconds(1), clock: .virtual(VirtualClock())) { _, _ in }
    #expect(try timer.setRemainingIterations(3) == .unchanged)
    #expect(timer.snapshot.remainingIterations == nil)
  }
}
