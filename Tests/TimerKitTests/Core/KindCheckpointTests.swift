import Foundation
import Testing

@testable import TimerKit

@Suite struct CycleCheckpointTests {
  let timeline = VirtualClock(wall: TimerClock.Instant(nanoseconds: 1_700_000_000_000_000_000))
  let ticks = Recorder<Cycle.Tick>()

  private func make(rounds: Int? = 3) throws -> Cycle {
    try Cycle(
      [.init("a", .seconds(30)), .init("b", .seconds(10))], rounds: rounds,
      tolerance: .seconds(1), on: timeline
    ) { _, _ in }
  }

  private func restored(_ checkpoint: Cycle.Checkpoint, _ resumption: RestorePolicy) throws -> Cycle {
    try Cycle(restoring: checkpoint, resumption, on: timeline) { [ticks] in ticks.append($1) }
  }

  @Test func keepsTheWholeConfiguration() throws {
    let cycle = try make()
    try cycle.start()
    timeline.advance(by: .seconds(45))
    let checkpoint = cycle.checkpoint
    #expect(
      checkpoint
        == Cycle.Checkpoint(
          phases: [.init("a", .seconds(30)), .init("b", .seconds(10))], rounds: 3,
          tolerance: .seconds(1), runPhase: .running, stageNumber: 2, timeLeft: .seconds(25),
          takenAt: timeline.wallNow))
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Cycle.Checkpoint.self, from: data) == checkpoint)
    #expect(try restored(checkpoint, .catchUp).checkpoint == checkpoint)
  }

  @Test func frozenGoesOnWithTheTimeLeft() throws {
    let cycle = try make()
    try cycle.start()
    timeline.advance(by: .seconds(35))
    let checkpoint = cycle.checkpoint
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .frozen)
    #expect(again.snapshot.stage?.phase.name == "b")
    #expect(again.timeLeft == .seconds(5))
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
    timeline.advance(by: .seconds(5))
    #expect(ticks.all.map(\.ended.phase.name) == ["b"])
  }

  @Test func byClockWalksAlongTheGrid() throws {
    let cycle = try make()
    try cycle.start()
    timeline.advance(by: .seconds(35))
    let checkpoint = cycle.checkpoint
    timeline.advance(by: .seconds(40))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.elapsedWhileStoppedCount == 2)
    #expect(again.snapshot.stage?.round == 2)
    #expect(again.snapshot.stage?.phase.name == "b")
    #expect(again.timeLeft == .seconds(5))
    #expect(ticks.count == 0)
    timeline.advance(by: .hours(1))
    #expect(again.state == .finished)
  }

  @Test func byClockCanHaveFinished() throws {
    let cycle = try make()
    try cycle.start()
    let checkpoint = cycle.checkpoint
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .finished)
    #expect(again.snapshot.elapsedWhileStoppedCount == 5)
    #expect(again.snapshot.stage == nil)
    try again.start()
    #expect(again.snapshot.stage?.round == 1)
  }

  @Test(arguments: [(0, 0, 6), (5, 0, 1), (6, 1, 10), (15, 1, 1), (16, 2, 30), (56, 4, 30)])
  func catchUpKeepsTheGrid(gone: Int, stages: Int, left: Int) throws {
    var checkpoint = Cycle.Checkpoint(
      phases: [.init("a", .seconds(30)), .init("b", .seconds(10))], rounds: nil,
      runPhase: .running, stageNumber: 0, timeLeft: .seconds(6),
      takenAt: TimerClock.Instant(nanoseconds: 5))
    let wall = checkpoint.takenAt.advanced(by: .seconds(gone))
    #expect(try checkpoint.catchUp(to: wall) == stages)
    #expect(checkpoint.timeLeft == .seconds(left))
    #expect(checkpoint.stageNumber == stages)
    #expect(checkpoint.takenAt == wall)
    #expect(try checkpoint.catchUp(to: wall) == 0)
    #expect(try checkpoint.catchUp(to: TimerClock.Instant(nanoseconds: 1)) == 0)
    #expect(checkpoint.timeLeft == .seconds(left))
  }

  @Test(arguments: [Repeater.Phase.idle, .paused, .finished])
  func whatDidNotRunStaysAsItWas(_ phase: Repeater.Phase) throws {
    let checkpoint = Cycle.Checkpoint(
      phases: [.init("a", .seconds(30))], rounds: 2, runPhase: phase,
      stageNumber: phase == .finished ? 2 : 1, timeLeft: phase == .paused ? .seconds(7) : nil,
      takenAt: timeline.wallNow)
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.runPhase == phase)
    #expect(again.timeLeft == checkpoint.timeLeft)
    #expect(again.snapshot.stageNumber == checkpoint.stageNumber)
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
  }

  @Test func aNegativeTimeLeftIsNone() throws {
    var checkpoint = try make().checkpoint
    checkpoint.runPhase = .paused
    checkpoint.timeLeft = .seconds(-5)
    #expect(try restored(checkpoint, .frozen).timeLeft == .zero)
  }

  @Test func badOnesAreRefused() throws {
    var checkpoint = try make().checkpoint
    checkpoint.stageNumber = 5
    #expect(throws: TimerError.invalidCount(5)) { _ = try restored(checkpoint, .frozen) }
    checkpoint.stageNumber = -1
    #expect(throws: TimerError.invalidCount(-1)) { _ = try restored(checkpoint, .frozen) }
    checkpoint.stageNumber = 0
    checkpoint.runPhase = .cancelled
    #expect(throws: TimerError.cancelled) { _ = try restored(checkpoint, .frozen) }
    checkpoint.runPhase = .running
    checkpoint.phases = []
    #expect(throws: TimerError.invalidCount(0)) { _ = try restored(checkpoint, .catchUp) }
    checkpoint.phases = [.init("a", .seconds(-1))]
    #expect(throws: TimerError.invalidInterval(.seconds(-1))) {
      try checkpoint.catchUp(to: .distantFuture)
    }
  }
}

@Suite struct StopwatchCheckpointTests {
  let timeline = VirtualClock(wall: TimerClock.Instant(nanoseconds: 1_700_000_000_000_000_000))
  let marks = Recorder<Stopwatch.Mark>()

  private func taken() throws -> Stopwatch.Checkpoint {
    let watch = Stopwatch(on: timeline)
    try watch.setAlarm(at: .minutes(1))
    try watch.start()
    timeline.advance(by: .seconds(10))
    try watch.lap()
    timeline.advance(by: .seconds(5))
    return watch.checkpoint
  }

  private func restored(
    _ checkpoint: Stopwatch.Checkpoint, _ resumption: RestorePolicy
  ) throws -> Stopwatch {
    try Stopwatch(restoring: checkpoint, resumption, on: timeline) { [marks] in marks.append($1) }
  }

  @Test func keepsEverything() throws {
    let checkpoint = try taken()
    let lap = Stopwatch.Lap(number: 1, time: .seconds(10), total: .seconds(10))
    #expect(
      checkpoint
        == Stopwatch.Checkpoint(
          phase: .running, elapsed: .seconds(15), laps: [lap], alarmTime: .minutes(1),
          takenAt: timeline.wallNow))
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Stopwatch.Checkpoint.self, from: data) == checkpoint)
    #expect(try restored(checkpoint, .catchUp).checkpoint == checkpoint)
  }

  @Test func frozenGoesOnFromWhereItWas() throws {
    let checkpoint = try taken()
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .frozen)
    #expect(again.elapsed == .seconds(15))
    timeline.advance(by: .seconds(45))
    #expect(marks.all == [.alarm(at: .minutes(1), lateness: .zero)])
    #expect(try again.lap()?.number == 2)
  }

  @Test func byClockRanOnAndTheAlarmWentBy() throws {
    let checkpoint = try taken()
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.elapsed == .hours(1) + .seconds(15))
    #expect(again.snapshot.elapsedWhileStoppedCount == 1)
    #expect(again.snapshot.alarmHasFired)
    timeline.advance(by: .hours(1))
    #expect(marks.count == 0)
  }

  @Test func pausedStaysPaused() throws {
    var checkpoint = try taken()
    checkpoint.phase = .paused
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .paused)
    #expect(again.elapsed == .seconds(15))
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
  }

  @Test func aClockThatWasSetBackTakesNothingAway() throws {
    var checkpoint = try taken()
    #expect(checkpoint.catchUp(to: TimerClock.Instant(nanoseconds: 0)) == 0)
    #expect(checkpoint.elapsed == .seconds(15))
    #expect(checkpoint.takenAt == timeline.wallNow)
  }

  @Test func badOnesAreRefusedOrMadeGood() throws {
    var checkpoint = try taken()
    checkpoint.elapsed = .seconds(3)
    #expect(try restored(checkpoint, .frozen).elapsed == .seconds(10))
    checkpoint.elapsed = .seconds(-3)
    #expect(throws: TimerError.invalidInterval(.seconds(-3))) {
      _ = try restored(checkpoint, .frozen)
    }
    checkpoint.elapsed = .seconds(15)
    checkpoint.alarmTime = .zero
    #expect(throws: TimerError.invalidInterval(.zero)) { _ = try restored(checkpoint, .frozen) }
    checkpoint.alarmTime = nil
    checkpoint.phase = .cancelled
    #expect(throws: TimerError.cancelled) { _ = try restored(checkpoint, .frozen) }
  }
}

@Suite struct CountdownCheckpointTests {
  let timeline = VirtualClock(wall: TimerClock.Instant(nanoseconds: 1_700_000_000_000_000_000))
  let heard = Recorder<Int>()

  private func restored(
    _ checkpoint: Countdown.Checkpoint, _ resumption: RestorePolicy
  ) throws -> Countdown {
    try Countdown(restoring: checkpoint, resumption, on: timeline) { [heard] in heard.append($1) }
  }

  @Test func goesOnWithTheStepsLeft() throws {
    let countdown = try Countdown(from: 5, every: .seconds(10), on: timeline) { _, _ in }
    try countdown.start()
    timeline.advance(by: .seconds(24))
    let checkpoint = countdown.checkpoint
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Countdown.Checkpoint.self, from: data) == checkpoint)

    timeline.advance(by: .seconds(10))
    let catchUp = try restored(checkpoint, .catchUp)
    #expect(catchUp.stepsLeft == 2)
    #expect(catchUp.timeLeft == .seconds(6))
    #expect(catchUp.snapshot.elapsedWhileStoppedCount == 1)
    timeline.advance(by: .minutes(1))
    #expect(heard.all == [1, 0])

    let frozen = try restored(checkpoint, .frozen)
    #expect(frozen.stepsLeft == 3)
    timeline.advance(by: .minutes(1))
    #expect(heard.all == [1, 0, 2, 1, 0])
  }

  @Test func anEndlessOneIsNoCountdown() throws {
    let repeater = try Repeater(every: .seconds(1), on: timeline) { _, _ in }
    #expect(throws: TimerError.invalidCount(0)) { _ = try restored(repeater.checkpoint, .frozen) }
  }
}
