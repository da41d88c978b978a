import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// An occurrence that is due at a pause, and has not been delivered, is not lost.
@Suite(.enabled(if: hasZones, "install tzdata")) struct SchedulePauseTests {
  private let clock: VirtualClock
  private let ticks = Recorder<Repeater.Tick>()
  private let noon: WallSchedule
  private let once: WallSchedule

  init() throws {
    let zone = try TimeZoneRules("UTC")
    clock = VirtualClock(.wall, wall: try RandomSchedule.instant(day: 28, hour: 11), seed: 1)
    noon = try .daily(hour: 12).inTimeZone(zone)
    once = try .at(year: 2026, month: 11, day: 28, hour: 12).inTimeZone(zone)
  }

  private func make(
    _ schedule: WallSchedule, _ missedTicks: Repeater.MissedTicks = .skip, jitter: Duration? = nil
  ) throws -> Repeater {
    try Repeater.following(
      schedule, missedTicks: missedTicks, jitter: jitter, clock: .virtual(clock)
    ) { [ticks] in ticks.append($1) }
  }

  /// Pauses the timer after a time, before it can deliver what is due by then: as on a busy queue.
  private func pauseLate(_ timer: Repeater, after duration: Duration) {
    // Created later, but due earlier.
    let pausing = DeadlineTimer(clock: .virtual(clock)) { [weak timer] _, _ in timer?.pause() }
    pausing.schedule(after: .nanoseconds(1))
    clock.suspend(for: duration)
    #expect(timer.state == .paused)
  }

  /// Its random delay continues after the pause.
  @Test(arguments: [false, true], [Duration.zero, .seconds(1), .days(3)])
  func anOccurrenceThatWaitsForItsDelayIsKept(isDaily: Bool, pause: Duration) throws {
    let timer = try make(isDaily ? noon : once, jitter: .minutes(30))
    clock.advance(by: .hours(1) + .seconds(1))
    let left = try #require(timer.timeLeft)
    try #require(ticks.count == 0 && left > .seconds(1))
    #expect(timer.pause() == .changed)
    #expect(timer.timeLeft == left && timer.snapshot.pausedTimeLeft == left)
    clock.advance(by: pause)
    #expect(timer.start() == .changed && timer.timeLeft == left)
    clock.advance(by: left - .nanoseconds(1))
    #expect(ticks.count == 0)
    clock.advance(by: .nanoseconds(1))
    #expect(ticks.all.map(\.missedCount) == [0] && ticks.all.map(\.lateness) == [.zero])
    #expect(timer.state == (isDaily ? .running : .finished))
    #expect(ticks.all.map(\.isLast) == [!isDaily])
    // The next one is the first after the pause.
    clock.advance(by: .days(1) - left)
    #expect(ticks.count == (isDaily ? 2 : 1) || timer.timeLeft.map { $0 <= .minutes(90) } == true)
  }

  /// A busy queue: nothing has a random delay, and several occurrences can be due.
  @Test(arguments: [Repeater.MissedTicks.skip, .burst(limit: 2), .delay])
  func occurrencesThatWaitForTheQueueAreKept(_ policy: Repeater.MissedTicks) throws {
    for schedule in [noon, once] {
      let before = ticks.count
      let start = clock.wallNow
      let timer = try make(schedule, policy)
      pauseLate(timer, after: .days(2) + .hours(2))
      #expect(ticks.count == before && timer.timeLeft == .zero)
      clock.advance(by: .days(5))
      #expect(ticks.count == before)
      #expect(timer.start() == .changed)
      clock.advance(by: .zero)
      // Those of the pause are not counted.
      let missed = schedule == once ? 0 : 2
      #expect(ticks.all.dropFirst(before).map(\.missedCount) == [missed])
      #expect(timer.state == (schedule == once ? .finished : .running))
      timer.cancel()
      clock.adjustWall(by: clock.wallNow.duration(to: start))
    }
  }

  @Test func severalPausesAndAClockThatIsSetBackKeepIt() throws {
    let timer = try make(noon, jitter: .minutes(30))
    clock.advance(by: .hours(1) + .seconds(1))
    let left = try #require(timer.timeLeft)
    for _ in 1...3 {
      timer.pause()
      clock.adjustWall(by: .hours(-3))
      #expect(timer.timeLeft == left)
      timer.start()
    }
    #expect(timer.timeLeft == left)
    clock.advance(by: left)
    #expect(ticks.count == 1)
    // The same occurrence, nine hours later, does not come again.
    clock.advance(by: .hours(10))
    #expect(ticks.count == 1)
    clock.advance(by: .days(1))
    #expect(ticks.count == 2)
  }

  @Test func aResetDropsIt() throws {
    let timer = try make(noon, jitter: .minutes(30))
    clock.advance(by: .hours(1) + .seconds(1))
    timer.pause()
    #expect(timer.reset() == .changed && timer.start() == .changed)
    #expect(try #require(timer.timeLeft) > .hours(23))
    timer.pause()
    #expect(timer.timeLeft == nil)
  }

  /// A pause between the ticks of a burst keeps the rest of it as one tick.
  @Test func aPauseInABurstKeepsTheRest() throws {
    let timer = try Repeater(
      schedule: noon, missedTicks: .burst(limit: 3), clock: .virtual(clock)
    ) { [ticks] timer, tick in
      ticks.append(tick)
      if ticks.count == 2 { timer.pause() }
    }
    timer.start()
    clock.suspend(for: .days(5))
    #expect(ticks.count == 2 && timer.state == .paused)
    clock.advance(by: .days(7))
    timer.start()
    clock.advance(by: .zero)
    #expect(ticks.all.map(\.missedCount) == [0, 0, 2])
  }

  @Test func realTimeWithATolerance() async throws {
    let queue = DispatchQueue(label: "busy")
    let now = TimerClock.wall.wallNow.nanosecondsSince1970 / 1_000_000_000
    let (day, second) = (now + 2).flooredDivision(by: Calendar.secondsPerDay)
    let (year, month, dayOfMonth) = Calendar.date(Int(day))
    let schedule = try WallSchedule.at(
      year: year, month: month, day: dayOfMonth, hour: Int(second / 3600),
      minute: Int(second / 60 % 60), second: Int(second % 60)
    ).inTimeZone(TimeZoneRules("UTC"))
    let (fires, continuation) = AsyncStream.makeStream(of: Bool.self)
    let timer = try Repeater.following(schedule, queue: queue) { _, tick in
      continuation.yield(tick.isLast)
      continuation.finish()
    }
    queue.suspend()
    let due = TimerClock.wall.instant(nanoseconds: (now + 2) * 1_000_000_000)
    try await Task.sleep(until: due, clock: TimerClock.wall)
    #expect(timer.pause() == .changed)
    queue.resume()
    #expect(timer.start() == .changed)
    for await isLast in fires { #expect(isLast) }
    #expect(timer.snapshot.deliveredCount == 1)
    withExtendedLifetime(timer) {}
  }

  // MARK: - Checkpoints

  /// With `catchUp` it is counted; with `keepTimeLeft` it is delivered.
  @Test(arguments: [false, true]) func aCheckpointKeepsIt(isPaused: Bool) throws {
    for schedule in [noon, once] {
      let clock = VirtualClock(.wall, wall: try RandomSchedule.instant(day: 28, hour: 11), seed: 1)
      let timer = try Repeater.following(
        schedule, jitter: .minutes(30), clock: .virtual(clock)
      ) { _, _ in }
      clock.advance(by: .hours(1) + .seconds(1))
      try #require(timer.snapshot.deliveredCount == 0)
      if isPaused { timer.pause() }
      let checkpoint = timer.checkpoint
      #expect(checkpoint.timeLeft == .seconds(-1))
      timer.cancel()
      clock.advance(by: .minutes(10))
      let again = try Repeater(
        restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)
      ) { [ticks] in ticks.append($1) }
      again.start()
      let before = ticks.count
      clock.advance(by: .minutes(30))
      #expect(ticks.all.dropFirst(before).map(\.isLast) == [schedule == once])
      clock.advance(by: .hours(12))
      #expect(ticks.count == before + 1)
      let caughtUp = try Repeater(restoring: checkpoint, clock: .virtual(clock)) { _, _ in }
      #expect(caughtUp.snapshot.deadlinesPassedBeforeRestore == (isPaused ? 0 : 1))
    }
  }

  /// Occurrences that a late timer had not delivered are counted by its restored one.
  @Test func aCheckpointOfALateTimerKeepsAll() throws {
    let job = try make(noon)
    let taken = Recorder<Repeater.Checkpoint>()
    let taking = DeadlineTimer(clock: .virtual(clock)) { [weak job] _, _ in
      if let job { taken.append(job.checkpoint) }
      job?.cancel()
    }
    taking.schedule(after: .nanoseconds(1))
    clock.suspend(for: .days(2) + .hours(2))
    let again = try Repeater(
      restoring: try #require(taken.all.first), policy: .keepTimeLeft, clock: .virtual(clock)
    ) { [ticks] in ticks.append($1) }
    clock.advance(by: .zero)
    #expect(ticks.all.map(\.missedCount) == [2])
    clock.advance(by: .days(1))
    #expect(again.snapshot.deliveredCount == 2)
  }

  // MARK: - Random pauses

  /// Each occurrence that is due while the timer runs is delivered or counted, and none twice.
  @Test func noOccurrenceIsLostOrDeliveredTwice() {
    let failures = Fuzzing.failures(
      sequences: 4_000, steps: 1..<14, setup: { RandomSchedule(&$0) }, step: { PauseStep(&$0) },
      failure: { $0.pauseFault($1) })
    #expect(failures == [])
  }
}

private struct PauseStep: Sendable {
  enum Kind: CaseIterable { case wait, beLate, pause, pauseLate, pauseInHandler, handOver }
  let kind: Kind
  let seconds: Int64
  let pause: Int64

  init(_ random: inout SplitMix) {
    kind = random.one(of: Kind.allCases)
    seconds = Int64(random.below(random.one(of: [30, 4_000, 90_000, 300_000])))
    pause = Int64(random.below(random.one(of: [2, 4_000, 200_000])))
  }
}

extension RandomSchedule {
  fileprivate func pauseFault(_ steps: [PauseStep]) -> String? {
    let clock = makeClock()
    let ticks = Recorder<Repeater.Tick>()
    let pausesInHandler = Guarded(false)
    // The times from which and up to which the timer runs.
    var runs: [(from: WallInstant, through: WallInstant)] = []
    var begin = start
    let pausedAt = Recorder<WallInstant>()
    @Sendable func handle(_ timer: Repeater, _ tick: Repeater.Tick) {
      ticks.append(tick)
      if pausesInHandler.withLock({ $0 }), timer.pause() == .changed {
        pausedAt.append(clock.wallNow)
      }
    }
    guard
      var timer = try? Repeater(configuration(.infinite), clock: .virtual(clock), handler: handle)
    else { return "no timer" }
    if timer.start() == .refused(.noOccurrence) { return occurrences.isEmpty ? nil : "refused" }
    for step in steps where timer.state == .running {
      let pausing = DeadlineTimer(clock: .virtual(clock)) { [weak timer] _, _ in
        if timer?.pause() == .changed { pausedAt.append(clock.wallNow) }
      }
      switch step.kind {
      case .wait: clock.advance(by: .seconds(step.seconds))
      case .beLate: clock.suspend(for: .seconds(step.seconds))
      case .pause:
        clock.advance(by: .seconds(step.seconds))
        if timer.pause() == .changed { pausedAt.append(clock.wallNow) }
      case .pauseLate:
        pausing.schedule(after: .nanoseconds(1))
        clock.suspend(for: .seconds(step.seconds))
      case .pauseInHandler:
        pausesInHandler.withLock { $0 = true }
        clock.suspend(for: .seconds(step.seconds))
        pausesInHandler.withLock { $0 = false }
      case .handOver:
        let checkpoint = timer.checkpoint
        timer.cancel()
        guard
          let restored = try? Repeater(
            restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock), handler: handle)
        else { return "not restored" }
        timer = restored
        clock.advance(by: .zero)
      }
      guard timer.state == .paused, let end = pausedAt.all.last else { continue }
      runs.append((begin, end))
      clock.advance(by: .seconds(step.pause))
      begin = clock.wallNow
      if timer.start() == .refused(.noOccurrence) { break }
    }
    if timer.state != .paused { runs.append((begin, .distantFuture)) }
    clock.advance(by: .days(90))
    let expected = occurrences.count { occurrence in
      runs.contains { $0.from < occurrence && occurrence <= $0.through }
    }
    let all = ticks.all
    let counted = all.reduce(0) { $0 + 1 + $1.missedCount }
    if counted != expected { return "\(counted) occurrences, not \(expected): \(all.prefix(20))" }
    if timer.state == .running { return "runs for ever" }
    return Set(all.map(\.deadline)).count == all.count
      ? nil : "an occurrence twice: \(all.prefix(20))"
  }
}
