import Dispatch
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
      .refused(.followsSchedule), .refused(.idle), .refused(.notFinite),
    ]
    #expect(Set(results).count == 8)
    #expect(
      results.map(\.description) == [
        "changed", "unchanged", "refused: the timer was cancelled",
        "refused: the timer is finished", "refused: the schedule has no further occurrence",
        "refused: the timer follows a schedule", "refused: the timer is idle",
        "refused: the timer is infinite",
      ])
  }

  /// A control with an argument needs no `try`, whose unused result would be a warning.
  @Test func aControlRefusesAnInvalidArgumentAndChangesNothing() throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.seconds(1), count: 3, clock: .virtual(clock)) { _, _ in }
    let before = timer.snapshot
    timer.setInterval(.zero)
    timer.restart(every: .zero)
    timer.setRemainingIterations(0)
    #expect(timer.snapshot == before)
    let result = timer.setInterval(.zero)
    #expect(result == .refused(.invalid(.invalidDuration(.zero, parameter: .interval))))
    #expect(
      "\(result)" == "refused: invalid interval 0.0 seconds (expected at least 1 ns)")
  }

  /// A program that prefers an error can throw the refusal.
  @Test func aRefusalCanBeThrown() throws {
    let clock = VirtualClock()
    let timer = try Repeater(interval: .seconds(1), mode: .once, clock: .virtual(clock)) { _, _ in }
    func start() throws {
      if case .refused(let refusal) = timer.start() { throw refusal }
    }
    try start()
    timer.cancel()
    #expect(throws: ControlResult.Refusal.cancelled) { try start() }
  }

  /// A timer that is idle at the start of a run is in the requested state already.
  @Test func aResetOfAResetTimerChangesNothing() throws {
    let clock = VirtualClock()
    let timer = try Repeater(interval: .seconds(1), mode: .finite(3), clock: .virtual(clock)) {
      _, _ in
    }
    let countdown = try Countdown(from: 3, every: .seconds(1), clock: .virtual(clock)) { _, _ in }
    let cycle = try Cycle([.init("a", .seconds(1))], rounds: 3, clock: .virtual(clock)) { _, _ in }
    let stopwatch = Stopwatch(clock: .virtual(clock))
    func expectUnchangedReset(sourceLocation: SourceLocation = #_sourceLocation) {
      let generations = [timer.snapshot.generation, cycle.snapshot.generation]
      let results = [timer.reset(), countdown.reset(), cycle.reset(), stopwatch.reset()]
      #expect(results == Array(repeating: .unchanged, count: 4), sourceLocation: sourceLocation)
      #expect(
        [timer.snapshot.generation, cycle.snapshot.generation] == generations,
        sourceLocation: sourceLocation)
    }
    func expectChangedReset(sourceLocation: SourceLocation = #_sourceLocation) {
      let results = [timer.reset(), countdown.reset(), cycle.reset()]
      #expect(results == Array(repeating: .changed, count: 3), sourceLocation: sourceLocation)
      expectUnchangedReset(sourceLocation: sourceLocation)
    }
    expectUnchangedReset()
    // An idle timer delivers manual fires and uses up iterations.
    timer.fire()
    countdown.step()
    cycle.skip()
    expectChangedReset()
    #expect([timer.snapshot.remainingIterations, countdown.remainingSteps] == [3, 3])
    timer.setRemainingIterations(2)
    #expect(timer.reset() == .changed)
    #expect(timer.snapshot.remainingIterations == 3)
    for start in [timer.start(), countdown.start(), cycle.start(), stopwatch.start()] {
      #expect(start == .changed)
    }
    #expect(stopwatch.reset() == .changed)
    expectChangedReset()
    #expect(timer.restart() == .changed)
  }

  /// A fire that waits for the queue is dropped by the first reset, and the second one has nothing to do.
  @Test func aResetDropsTheFiresThatWait() throws {
    let queue = DispatchQueue(label: "reset")
    queue.suspend()
    defer { queue.resume() }
    let timer = try Repeater(interval: .seconds(1), queue: queue) { _, _ in }
    let cycle = try Cycle([.init("a", .seconds(1))], queue: queue) { _, _ in }
    timer.fire()
    cycle.skip()
    #expect([timer.reset(), timer.reset()] == [.changed, .unchanged])
    #expect([cycle.reset(), cycle.reset()] == [.changed, .unchanged])
  }

  @Test func aFinishedTimerRefusesControlsThatNeedARun() throws {
    let clock = VirtualClock()
    let timer = try Repeater(interval: .seconds(1), mode: .finite(1), clock: .virtual(clock)) {
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
    #expect(timer.fire(pausing: true) == refused)
    #expect(timer.setRemainingIterations(3) == refused)
    #expect(countdown.step() == refused)
    #expect(countdown.setRemainingSteps(3) == refused)
    #expect(cycle.skip() == refused)
    for result in [timer.pause(), countdown.pause(), cycle.pause()] { #expect(result == refused) }
    let change = Duration.seconds(1)
    #expect(timer.adjustTimeLeft(by: change) == refused)
    #expect(countdown.adjustTimeLeft(by: change) == refused)
    #expect(cycle.adjustTimeLeft(by: change) == refused)
    for result in [timer.start(), countdown.restart(), cycle.start()] {
      #expect(result == .changed)
    }
  }

  @Test func anIdleTimerRefusesControlsThatNeedARun() throws {
    let clock = TimerClock.virtual(VirtualClock())
    let timer = try Repeater(interval: .seconds(1), clock: clock) { _, _ in }
    let countdown = try Countdown(from: 1, every: .seconds(1), clock: clock) { _, _ in }
    let cycle = try Cycle([.init("only", .seconds(1))], clock: clock) { _, _ in }
    let results = [
      timer.pause(), countdown.pause(), cycle.pause(), Stopwatch(clock: clock).pause(),
      timer.adjustTimeLeft(by: .seconds(1)), countdown.adjustTimeLeft(by: .seconds(1)),
      cycle.adjustTimeLeft(by: .seconds(1)),
    ]
    for result in results { #expect(result == .refused(.idle)) }
  }

  @Test func aControlThatAsksForTheCurrentValueChangesNothing() throws {
    let clock = TimerClock.virtual(VirtualClock())
    let timer = try Repeater(interval: .seconds(1), mode: .finite(3), clock: clock) { _, _ in }
    #expect(timer.setRemainingIterations(3) == .unchanged)
    let stopwatch = Stopwatch(clock: clock)
    #expect(stopwatch.setAlarm(at: nil) == .unchanged)
    #expect(stopwatch.setAlarm(at: .seconds(1)) == .changed)
    #expect(stopwatch.setAlarm(at: .seconds(1)) == .unchanged)
  }

  /// Every control of a cancelled timer is refused, except another cancellation.
  @Test func aCancelledTimerRefusesEveryControl() throws {
    func results(_ timer: any PausableTimer) -> [ControlResult] {
      timer.cancel()
      #expect(timer.cancel() == .unchanged)
      return [timer.start(), timer.pause(), timer.reset(), timer.restart()]
    }
    let clock = TimerClock.virtual(VirtualClock())
    let timer = try Repeater(interval: .seconds(1), clock: clock) { _, _ in }
    let countdown = try Countdown(from: 1, every: .seconds(1), clock: clock) { _, _ in }
    let cycle = try Cycle([.init("only", .seconds(1))], clock: clock) { _, _ in }
    let stopwatch = Stopwatch(clock: clock)
    var all = results(timer) + results(countdown) + results(cycle) + results(stopwatch)
    all += [
      timer.restart(every: .seconds(1)), timer.setInterval(.seconds(1)),
      timer.adjustTimeLeft(by: .seconds(1)), timer.setRemainingIterations(1), timer.fire(),
      countdown.setInterval(.seconds(1)), countdown.adjustTimeLeft(by: .seconds(1)),
      countdown.setRemainingSteps(1), countdown.step(), cycle.skip(),
      cycle.adjustTimeLeft(by: .seconds(1)), stopwatch.setAlarm(at: .seconds(1)),
    ]
    let generation = timer.snapshot.generation
    all += results(timer)
    #expect(timer.snapshot.generation == generation)
    for result in all { #expect(result == .refused(.cancelled)) }
  }

  @Test func anInfiniteTimerHasNoIterationsToChange() throws {
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(VirtualClock())) { _, _ in }
    #expect(timer.setRemainingIterations(3) == .refused(.notFinite))
    #expect(timer.snapshot.remainingIterations == nil)
  }
}
