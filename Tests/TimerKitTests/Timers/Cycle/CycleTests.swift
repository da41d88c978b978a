import Testing

@testable import TimerKit

@Suite struct CycleTests {
  let clock = VirtualClock()
  let ticks = Recorder<Cycle.Tick>()

  static let pomodoro: [Cycle.Phase] = [.init("work", .minutes(25)), .init("rest", .minutes(5))]
  static let short: [Cycle.Phase] = [.init("a", .seconds(3)), .init("b", .seconds(2))]

  private func make(
    _ phases: [Cycle.Phase] = short, rounds: Int? = nil, includesFinalRest: Bool = false,
    handler: @escaping @Sendable (Cycle) -> Void = { _ in }
  ) throws -> Cycle {
    try Cycle(phases, rounds: rounds, includesFinalRest: includesFinalRest, clock: .virtual(clock))
    {
      [ticks] cycle, tick in
      ticks.append(tick)
      handler(cycle)
    }
  }

  /// The second of each change, the phase and round that ended, and those that began.
  private var log: [String] {
    ticks.all.map { tick in
      let begun = tick.begun.map { "\($0.phase.name)\($0.round)" } ?? "end"
      let seconds = tick.deadline.nanoseconds / 1_000_000_000
      return "\(seconds) \(tick.ended.phase.name)\(tick.ended.round)→\(begun)"
        + (tick.missedCount > 0 ? " missed \(tick.missedCount)" : "")
        + (tick.isManual ? " skipped" : "")
    }
  }

  @Test func theHandlerCanBeReplaced() throws {
    let cycle = try make()
    let names = Recorder<String>()
    cycle.setHandler { _, tick in names.append(tick.ended.phase.name) }
    cycle.start()
    clock.advance(by: .seconds(5))
    #expect(ticks.count == 0)
    #expect(names.all == ["a", "b"])
  }

  @Test func pomodoroOmitsTheFinalRest() throws {
    let cycle = try make(Self.pomodoro, rounds: 4)
    cycle.start()
    clock.advance(by: .hours(4))
    #expect(
      log == [
        "1500 work1→rest1", "1800 rest1→work2", "3300 work2→rest2", "3600 rest2→work3",
        "5100 work3→rest3", "5400 rest3→work4", "6900 work4→end",
      ])
    #expect(ticks.all.map(\.remainingRounds) == [4, 3, 3, 2, 2, 1, 0])
    #expect(ticks.all.map(\.isLast) == [false, false, false, false, false, false, true])
    #expect(ticks.all.map(\.round) == [1, 2, 2, 3, 3, 4, 4])
    #expect(cycle.state == .finished)
    #expect(cycle.snapshot.position == nil)
  }

  @Test func theFinalRestCanBeIncludedAndASinglePhaseIsNoRest() throws {
    let whole = try make(rounds: 2, includesFinalRest: true)
    whole.start()
    clock.advance(by: .seconds(60))
    #expect(log.last == "10 b2→end")
    let single = try make([.init("only", .seconds(1))], rounds: 2)
    single.start()
    clock.advance(by: .seconds(60))
    #expect(ticks.all.last?.ended.round == 2)
    #expect(single.state == .finished)
  }

  // MARK: Lateness

  /// The diagram of the documentation.
  @Test(arguments: [
    (held: 33, entry: "25 work1→end missed 2", lateness: 33),
    (held: 15, entry: "25 work1→work2 missed 1", lateness: 15),
  ])
  func missedPhasesAreMergedIntoOneTick(held: Int, entry: String, lateness: Int) throws {
    let phases: [Cycle.Phase] = [.init("work", .seconds(25)), .init("rest", .seconds(5))]
    let cycle = try make(phases, rounds: 2)
    // Created first, so that it delays the cycle when both are due.
    let other = DeadlineTimer(clock: .virtual(clock)) { [clock] _, _ in
      clock.advance(by: .seconds(held))
    }
    other.schedule(at: clock.instant(24_999_999_999))
    cycle.start()
    clock.advance(by: .seconds(25))
    #expect(log == [entry])
    #expect(ticks.all[0].lateness > .seconds(lateness - 1))
    #expect(cycle.snapshot.missedCount == ticks.all[0].missedCount)
    clock.advance(by: .seconds(60))
    #expect(ticks.all.last?.deadline.nanoseconds ?? 0 <= 55_000_000_000)
    #expect(ticks.all.last?.isLast == true)
  }

  @Test func manyRoundsCanBeMissedAtOnce() throws {
    let cycle = try make { [clock, ticks] _ in
      if ticks.count == 1 { clock.advance(by: .seconds(5_000_003)) }
    }
    cycle.start()
    clock.advance(by: .seconds(3))
    #expect(ticks.all.last?.missedCount == 2_000_000)
    #expect(ticks.all.last?.begun?.round == 1_000_002)
    #expect(cycle.timeLeft == .seconds(2))
  }

  // MARK: Controls

  @Test func skipStartsTheNextPhaseImmediatelyWithItsWholeLength() throws {
    let cycle = try make(rounds: 2)
    cycle.start()
    clock.advance(by: .seconds(1))
    #expect(cycle.skip() == .changed)
    #expect(cycle.snapshot.position?.phase.name == "b")
    #expect(cycle.timeLeft == .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(log == ["1 a1→b1 skipped", "3 b1→a2"])
    #expect(cycle.skip() == .changed)
    #expect(cycle.state == .finished)
    #expect(cycle.skip() == .refused(.finished))
    #expect(log.last == "3 a2→end skipped")
    clock.advance(by: .seconds(60))
    #expect(ticks.count == 3)
  }

  @Test func aSkipForAnEndedPhaseDoesNotShortenTheNext() throws {
    let stale = Recorder<UInt64>()
    let cycle = try make()
    cycle.observe { _, event in
      if case .stale(let generation) = event { stale.append(generation) }
    }
    cycle.start()
    let other = DeadlineTimer(clock: .virtual(clock)) { [clock] _, _ in
      // The phase is over when the skip is requested, but its end has not been delivered.
      clock.advance(by: .seconds(2))
      #expect(cycle.skip() == .changed)
    }
    other.schedule(at: clock.instant(2_000_000_000))
    clock.advance(by: .seconds(4))
    #expect(log == ["3 a1→b1"])
    #expect(stale.count == 1)
    #expect(cycle.snapshot.staleCount == 1)
    #expect(cycle.timeLeft == .seconds(1))
  }

  @Test func pauseResetAndRestartRevokeSkips() throws {
    for control in [
      { $0.pause() }, { $0.reset() }, { $0.restart() },
      { $0.cancel() },
    ] as [@Sendable (Cycle) -> ControlResult] {
      let ticks = Recorder<Cycle.Tick>()
      let cycle = try Cycle(Self.short, clock: .virtual(clock)) { cycle, tick in
        ticks.append(tick)
        guard ticks.count == 1 else { return }
        cycle.skip()
        #expect(control(cycle) == .changed)
      }
      cycle.start()
      clock.advance(by: .seconds(3))
      #expect(ticks.count == 1)
      #expect(cycle.snapshot.staleCount == 1)
      cycle.cancel()
    }
  }

  @Test func aControlInTheHandlerRevokesTheTickForLaterObservers() throws {
    let seen = Recorder<Cycle.Tick>()
    let cycle = try make(rounds: 2) { [ticks] cycle in
      if ticks.count == 2 { cycle.pause() }
    }
    cycle.observe { _, event in
      if case .delivery(let tick) = event { seen.append(tick) }
    }
    cycle.start()
    clock.advance(by: .seconds(60))
    #expect(ticks.count == 2)
    #expect(seen.count == 1)
    #expect(cycle.isCurrent(ticks.all[0]) == false)
  }

  @Test func snapshotIsConsistent() throws {
    let cycle = try make(Self.pomodoro, rounds: 4)
    cycle.start()
    clock.advance(by: .minutes(31))
    #expect(
      cycle.snapshot
        == Cycle.Snapshot(
          configuration: .init(Self.pomodoro, rounds: 4), state: .running,
          position: Cycle.Position(phase: Self.pomodoro[0], index: 0, round: 2), phaseIndex: 2,
          remainingRounds: 3, deadline: clock.instant(0).advanced(by: .minutes(55)),
          generation: 1, deliveredCount: 2, lastTick: ticks.all[1]))
    #expect(cycle.snapshot.state == .running)
    #expect(cycle.snapshot.timeLeft(at: clock.now) == .minutes(24))
  }

  @Test func invalidInputThrowsATypedError() throws {
    #expect(throws: TimerConfigurationError.noPhases) { _ = try make([]) }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .rounds)) {
      _ = try make(rounds: 0)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .phaseDuration)) {
      _ = try make([.init("a", .seconds(1)), .init("b", .zero)])
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      _ = try Cycle(Self.short, tolerance: .seconds(-1), clock: .virtual(clock)) { _, _ in }
    }
  }

  @Test func theLargestDurationsAreClampedAndNeverElapse() throws {
    let cycle = try make(
      [.init("ever", .seconds(Int64.max)), .init("after", .seconds(Int64.max))], rounds: .max)
    cycle.start()
    cycle.adjustTimeLeft(by: .seconds(Int64.max))
    clock.advance(by: .days(365 * 200))
    #expect(ticks.count == 0)
    #expect(cycle.skip() == .changed)
    #expect(cycle.snapshot.position?.phase.name == "after")
    #expect(cycle.snapshot.remainingRounds == .max)
  }
}
