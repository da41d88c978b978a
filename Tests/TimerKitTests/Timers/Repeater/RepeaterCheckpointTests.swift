import Testing

@testable import TimerKit

@Suite struct RepeaterCheckpointTests {
  let timeline = VirtualClock(wall: TimerClock.Instant(nanoseconds: 1_700_000_000_000_000_000))
  let ticks = Recorder<Repeater.Tick>()

  private func make(_ mode: Repeater.Mode = .finite(5)) throws -> Repeater {
    try Repeater(
      every: .seconds(10), mode: mode, tolerance: .seconds(1), missed: .delay, on: timeline
    ) { _, _ in }
  }

  private func restored(
    _ checkpoint: Repeater.Checkpoint, _ resumption: RestorePolicy
  ) throws -> Repeater {
    try Repeater(restoring: checkpoint, resumption, on: timeline) { [ticks] in ticks.append($1) }
  }

  @Test func keepsTheWholeConfiguration() throws {
    let timer = try make()
    let checkpoint = timer.checkpoint
    #expect(
      checkpoint
        == Repeater.Checkpoint(
          mode: .finite(5), interval: .seconds(10), missedTicks: .delay, tolerance: .seconds(1),
          clock: .uptime, phase: .idle, remainingIterations: 5, timeLeft: nil,
          takenAt: timeline.wallNow))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.checkpoint == checkpoint)
  }

  @Test func frozenGoesOnWithTheTimeLeft() throws {
    let timer = try make()
    try timer.start()
    timeline.advance(by: .seconds(14))
    let checkpoint = timer.checkpoint
    timer.cancel()
    timeline.advance(by: .hours(5))
    let again = try restored(checkpoint, .frozen)
    #expect(again.state == .running)
    #expect(again.timeLeft == .seconds(6))
    #expect(again.snapshot.remainingIterations == 4)
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
    timeline.advance(by: .seconds(6))
    #expect(ticks.all.map(\.iteration) == [2])
  }

  @Test func byClockUsesUpWhatWentBy() throws {
    let timer = try make()
    try timer.start()
    timeline.advance(by: .seconds(4))
    let checkpoint = timer.checkpoint
    timer.cancel()
    timeline.advance(by: .seconds(21))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.elapsedWhileStoppedCount == 2)
    #expect(again.snapshot.remainingIterations == 3)
    #expect(again.timeLeft == .seconds(5))
    #expect(ticks.count == 0)
    timeline.advance(by: .seconds(5))
    #expect(ticks.all.map(\.iteration) == [3])
  }

  @Test func byClockFinishesWhenAllAreSpent() throws {
    let timer = try make(.finite(2))
    try timer.start()
    let checkpoint = timer.checkpoint
    timeline.advance(by: .seconds(500))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .finished)
    #expect(again.snapshot.elapsedWhileStoppedCount == 2)
    #expect(again.snapshot.remainingIterations == 0)
    #expect(try again.start())
    #expect(again.snapshot.remainingIterations == 2)
  }

  @Test(arguments: [
    // seconds gone, periods gone, seconds left
    (0, 0, 6), (5, 0, 1), (6, 1, 10), (15, 1, 1), (16, 2, 10), (106, 11, 10),
  ])
  func catchUpKeepsTheGrid(gone: Int, periods: Int, left: Int) {
    var checkpoint = Repeater.Checkpoint(
      mode: .infinite, interval: .seconds(10), phase: .running, remainingIterations: nil,
      timeLeft: .seconds(6), takenAt: TimerClock.Instant(nanoseconds: 5))
    let wall = checkpoint.takenAt.advanced(by: .seconds(gone))
    #expect(checkpoint.catchUp(to: wall) == periods)
    #expect(checkpoint.timeLeft == .seconds(left))
    #expect(checkpoint.takenAt == wall)
    #expect(checkpoint.catchUp(to: wall) == 0)
  }

  @Test func aClockThatWasSetBackUsesUpNothing() {
    var checkpoint = Repeater.Checkpoint(
      mode: .once, interval: .seconds(10), phase: .running, remainingIterations: 1,
      timeLeft: .seconds(6), takenAt: TimerClock.Instant(nanoseconds: 5_000))
    #expect(checkpoint.catchUp(to: TimerClock.Instant(nanoseconds: 1)) == 0)
    #expect(checkpoint.timeLeft == .seconds(6))
  }

  @Test func whatWasPausedStaysPaused() throws {
    let timer = try make()
    try timer.start()
    timeline.advance(by: .seconds(3))
    try timer.pause()
    let checkpoint = timer.checkpoint
    timeline.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .paused)
    #expect(again.timeLeft == .seconds(7))
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
  }

  @Test func takenInAHandlerItIsAsAfterItsReturn() throws {
    let taken = Recorder<Repeater.Checkpoint>()
    let timer = try Repeater(every: .seconds(10), missed: .delay, on: timeline) { timer, _ in
      taken.append(timer.checkpoint)
    }
    try timer.start()
    timeline.advance(by: .seconds(10))
    let checkpoint = try #require(taken.all.first)
    #expect(checkpoint.phase == .running)
    let again = try restored(checkpoint, .frozen)
    #expect(again.state == .running)
    #expect(again.timeLeft == .seconds(10))
  }

  @Test func theLastTicksHandlerSavesItAsFinished() throws {
    let taken = Recorder<Repeater.Checkpoint>()
    let timer = try Repeater.once(after: .seconds(1), on: timeline) { timer, _ in
      taken.append(timer.checkpoint)
    }
    timeline.advance(by: .seconds(1))
    #expect(taken.all.map(\.phase) == [.finished])
    #expect(try restored(taken.all[0], .catchUp).state == .finished)
    withExtendedLifetime(timer) {}
  }

  @Test func badOnesAreRefused() throws {
    var checkpoint = try make().checkpoint
    checkpoint.phase = .running
    checkpoint.remainingIterations = 0
    #expect(throws: TimerError.invalidCount(0)) { try restored(checkpoint, .frozen) }
    checkpoint.remainingIterations = 2
    checkpoint.interval = .zero
    #expect(throws: TimerError.invalidInterval(.zero)) { try restored(checkpoint, .catchUp) }
    checkpoint.interval = .seconds(1)
    checkpoint.tolerance = .seconds(-1)
    #expect(throws: TimerError.invalidTolerance(.seconds(-1))) { try restored(checkpoint, .frozen) }
    checkpoint.tolerance = .zero
    checkpoint.mode = .finite(0)
    #expect(throws: TimerError.invalidCount(0)) { try restored(checkpoint, .frozen) }
    checkpoint.phase = .cancelled
    #expect(throws: TimerError.cancelled) { try restored(checkpoint, .frozen) }
  }

  @Test func oddOnesAreMadeWhole() throws {
    var checkpoint = try make().checkpoint
    checkpoint.phase = .paused
    checkpoint.remainingIterations = nil
    checkpoint.timeLeft = .seconds(-5)
    let timer = try restored(checkpoint, .frozen)
    #expect(timer.snapshot.remainingIterations == 5)
    #expect(timer.timeLeft == .zero)
  }

  /// More can have been asked for than its mode says.
  @Test func iterationsAreCountedFromOneThoughMoreAreLeftThanARunHas() throws {
    let original = try make()
    try original.setRemainingIterations(7)
    let timer = try restored(original.checkpoint, .frozen)
    try timer.fire()
    #expect(ticks.all.map(\.iteration) == [1])
    #expect(ticks.all.map(\.remainingIterations) == [6])
  }
}
