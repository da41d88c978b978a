import Foundation
import Testing

@testable import TimerKit

@Suite struct CycleCheckpointTests {
  let clock = VirtualClock(wall: WallInstant(nanosecondsSince1970: 1_700_000_000_000_000_000))
  let ticks = Recorder<Cycle.Tick>()

  private func make(rounds: Int? = 3) throws -> Cycle {
    try Cycle(
      [.init("a", .seconds(30)), .init("b", .seconds(10))], rounds: rounds,
      tolerance: .seconds(1), clock: .virtual(clock)
    ) { _, _ in }
  }

  private func restored(_ checkpoint: Cycle.Checkpoint, _ policy: RestorePolicy) throws -> Cycle {
    try Cycle(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
  }

  @Test func keepsTheWholeConfiguration() throws {
    let cycle = try make()
    cycle.start()
    clock.advance(by: .seconds(45))
    let checkpoint = cycle.checkpoint
    #expect(
      checkpoint
        == Cycle.Checkpoint(
          configuration: .init(
            [.init("a", .seconds(30)), .init("b", .seconds(10))], rounds: 3,
            tolerance: .seconds(1)), state: .running, phaseIndex: 2, timeLeft: .seconds(25),
          takenAt: clock.wallNow))
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Cycle.Checkpoint.self, from: data) == checkpoint)
    #expect(try restored(checkpoint, .catchUp).checkpoint == checkpoint)
  }

  @Test func keepTimeLeftResumesWithTheTimeLeft() throws {
    let cycle = try make()
    cycle.start()
    clock.advance(by: .seconds(35))
    let checkpoint = cycle.checkpoint
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .keepTimeLeft)
    #expect(again.snapshot.position?.phase.name == "b")
    #expect(again.timeLeft == .seconds(5))
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
    clock.advance(by: .seconds(5))
    #expect(ticks.all.map(\.ended.phase.name) == ["b"])
  }

  @Test func catchUpAdvancesThroughThePhases() throws {
    let cycle = try make()
    cycle.start()
    clock.advance(by: .seconds(35))
    let checkpoint = cycle.checkpoint
    clock.advance(by: .seconds(40))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 2)
    #expect(again.snapshot.position?.round == 2)
    #expect(again.snapshot.position?.phase.name == "b")
    #expect(again.timeLeft == .seconds(5))
    #expect(ticks.count == 0)
    clock.advance(by: .hours(1))
    #expect(again.state == .finished)
  }

  @Test func catchUpCanFinishTheCycle() throws {
    let cycle = try make()
    cycle.start()
    let checkpoint = cycle.checkpoint
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .finished)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 5)
    #expect(again.snapshot.position == nil)
    again.start()
    #expect(again.snapshot.position?.round == 1)
  }

  @Test(arguments: [(0, 0, 6), (5, 0, 1), (6, 1, 10), (15, 1, 1), (16, 2, 30), (56, 4, 30)])
  func catchUpKeepsThePhaseBoundaries(gone: Int, phases: Int, left: Int) throws {
    var checkpoint = Cycle.Checkpoint(
      configuration: .init([.init("a", .seconds(30)), .init("b", .seconds(10))]),
      state: .running, phaseIndex: 0, timeLeft: .seconds(6),
      takenAt: WallInstant(nanosecondsSince1970: 5))
    let wall = checkpoint.takenAt.advanced(by: .seconds(gone))
    #expect(try checkpoint.catchUp(to: wall) == phases)
    #expect(checkpoint.timeLeft == .seconds(left))
    #expect(checkpoint.phaseIndex == phases)
    #expect(checkpoint.takenAt == wall)
    #expect(try checkpoint.catchUp(to: wall) == 0)
    #expect(try checkpoint.catchUp(to: WallInstant(nanosecondsSince1970: 1)) == 0)
    #expect(checkpoint.timeLeft == .seconds(left))
  }

  @Test(arguments: [TimerState.idle, .paused, .finished])
  func aTimerThatDidNotRunIsRestoredUnchanged(_ state: TimerState) throws {
    let checkpoint = Cycle.Checkpoint(
      configuration: .init([.init("a", .seconds(30))], rounds: 2), state: state,
      phaseIndex: state == .finished ? 2 : 1, timeLeft: state == .paused ? .seconds(7) : nil,
      takenAt: clock.wallNow)
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.state == state)
    #expect(again.timeLeft == checkpoint.timeLeft)
    #expect(again.snapshot.phaseIndex == checkpoint.phaseIndex)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
  }

  @Test func aNegativeTimeLeftIsZero() throws {
    var checkpoint = try make().checkpoint
    checkpoint.state = .paused
    checkpoint.timeLeft = .seconds(-5)
    #expect(try restored(checkpoint, .keepTimeLeft).timeLeft == .zero)
  }

  @Test func invalidCheckpointsAreRefused() throws {
    var checkpoint = try make().checkpoint
    checkpoint.phaseIndex = 5
    #expect(throws: RestoreError.invalidPhaseIndex(5)) {
      _ = try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.phaseIndex = -1
    #expect(throws: RestoreError.invalidPhaseIndex(-1)) {
      _ = try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.phaseIndex = 0
    for state in [TimerState.cancelled] {
      checkpoint.state = state
      #expect(throws: RestoreError.invalidState(state)) {
        _ = try restored(checkpoint, .keepTimeLeft)
      }
    }
    checkpoint.state = .running
    checkpoint.configuration.phases = []
    #expect(throws: RestoreError.configuration(.noPhases)) {
      _ = try restored(checkpoint, .catchUp)
    }
    checkpoint.configuration.phases = [.init("a", .seconds(-1))]
    #expect(
      throws: RestoreError.configuration(.invalidDuration(.seconds(-1), parameter: .phaseDuration))
    ) {
      try checkpoint.catchUp(to: .distantFuture)
    }
  }
}

@Suite struct StopwatchCheckpointTests {
  let clock = VirtualClock(wall: WallInstant(nanosecondsSince1970: 1_700_000_000_000_000_000))
  let marks = Recorder<Stopwatch.Delivery>()

  private func taken() throws -> Stopwatch.Checkpoint {
    let watch = Stopwatch(clock: .virtual(clock))
    watch.setAlarm(at: .minutes(1))
    watch.start()
    clock.advance(by: .seconds(10))
    watch.lap()
    clock.advance(by: .seconds(5))
    return watch.checkpoint
  }

  private func restored(
    _ checkpoint: Stopwatch.Checkpoint, _ policy: RestorePolicy
  ) throws -> Stopwatch {
    try Stopwatch(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [marks] in
      marks.append($1)
    }
  }

  @Test func keepsTheWholeState() throws {
    let checkpoint = try taken()
    let lap = Stopwatch.Lap(number: 1, time: .seconds(10), total: .seconds(10))
    #expect(
      checkpoint
        == Stopwatch.Checkpoint(
          state: .running, elapsed: .seconds(15), laps: [lap], alarmTime: .minutes(1),
          takenAt: clock.wallNow))
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Stopwatch.Checkpoint.self, from: data) == checkpoint)
    #expect(try restored(checkpoint, .catchUp).checkpoint == checkpoint)
  }

  @Test func keepTimeLeftResumesFromTheElapsedTime() throws {
    let checkpoint = try taken()
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .keepTimeLeft)
    #expect(again.elapsed == .seconds(15))
    clock.advance(by: .seconds(45))
    #expect(marks.all == [.alarm(at: .minutes(1), lateness: .zero)])
    #expect(again.lap()?.number == 2)
  }

  @Test func catchUpCountsTheElapsedTimeAndThePassedAlarm() throws {
    let checkpoint = try taken()
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.elapsed == .hours(1) + .seconds(15))
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 1)
    #expect(again.snapshot.alarmHasFired)
    clock.advance(by: .hours(1))
    #expect(marks.count == 0)
  }

  @Test func aPausedStopwatchStaysPaused() throws {
    var checkpoint = try taken()
    checkpoint.state = .paused
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .paused)
    #expect(again.elapsed == .seconds(15))
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
  }

  @Test func aClockSetBackDoesNotReduceTheElapsedTime() throws {
    var checkpoint = try taken()
    #expect(checkpoint.catchUp(to: WallInstant(nanosecondsSince1970: 0)) == 0)
    #expect(checkpoint.elapsed == .seconds(15))
    #expect(checkpoint.takenAt == clock.wallNow)
  }

  @Test func invalidCheckpointsAreRefusedOrCorrected() throws {
    var checkpoint = try taken()
    checkpoint.elapsed = .seconds(3)
    #expect(try restored(checkpoint, .keepTimeLeft).elapsed == .seconds(10))
    checkpoint.elapsed = .seconds(-3)
    #expect(throws: RestoreError.invalidElapsedTime(.seconds(-3))) {
      _ = try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.elapsed = .seconds(15)
    checkpoint.alarmTime = .zero
    #expect(throws: RestoreError.configuration(.invalidDuration(.zero, parameter: .alarmTime))) {
      _ = try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.alarmTime = nil
    for state in [TimerState.cancelled, .finished] {
      checkpoint.state = state
      #expect(throws: RestoreError.invalidState(state)) {
        _ = try restored(checkpoint, .keepTimeLeft)
      }
    }
  }
}

@Suite struct CountdownCheckpointTests {
  let clock = VirtualClock(wall: WallInstant(nanosecondsSince1970: 1_700_000_000_000_000_000))
  let received = Recorder<Int>()

  private func restored(
    _ checkpoint: Countdown.Checkpoint, _ policy: RestorePolicy
  ) throws -> Countdown {
    try Countdown(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [received] in
      received.append($1)
    }
  }

  @Test func resumesWithTheStepsLeft() throws {
    let countdown = try Countdown(from: 5, every: .seconds(10), clock: .virtual(clock)) { _, _ in }
    countdown.start()
    clock.advance(by: .seconds(24))
    let checkpoint = countdown.checkpoint
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Countdown.Checkpoint.self, from: data) == checkpoint)

    clock.advance(by: .seconds(10))
    let catchUp = try restored(checkpoint, .catchUp)
    #expect(catchUp.remainingSteps == 2)
    #expect(catchUp.timeLeft == .seconds(6))
    #expect(catchUp.snapshot.deadlinesPassedBeforeRestore == 1)
    clock.advance(by: .minutes(1))
    #expect(received.all == [1, 0])

    let kept = try restored(checkpoint, .keepTimeLeft)
    #expect(kept.remainingSteps == 3)
    clock.advance(by: .minutes(1))
    #expect(received.all == [1, 0, 2, 1, 0])
  }

  @Test func anInfiniteCheckpointIsRefused() throws {
    let repeater = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in }
    #expect(throws: RestoreError.configuration(.infiniteCountdown)) {
      _ = try restored(repeater.checkpoint, .keepTimeLeft)
    }
  }

  @Test func aScheduleOnAnotherClockIsRefused() throws {
    let checkpoint = Countdown.Checkpoint(
      configuration: .init(.schedule(try .daily(hour: 9)), mode: .finite(3)), clock: .suspending,
      state: .running, remainingIterations: 3, timeLeft: nil,
      takenAt: TimerClock.virtual(clock).wallNow)
    #expect(throws: RestoreError.configuration(.notWallClock(.suspending))) {
      _ = try restored(checkpoint, .keepTimeLeft)
    }
  }
}
