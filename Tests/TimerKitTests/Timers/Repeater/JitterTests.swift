import Fuzzing
import Testing

@testable import TimerKit

/// Random delays that do not move the grid.
@Suite struct JitterTests {
  let clock = VirtualClock(seed: 7)
  let ticks = Recorder<Repeater.Tick>()

  private func timer(
    _ missedTicks: Repeater.MissedTicks = .skip, jitter: Duration? = .seconds(4),
    clock: VirtualClock? = nil
  ) throws -> Repeater {
    try Repeater.every(
      .seconds(10), missedTicks: missedTicks, jitter: jitter, clock: .virtual(clock ?? self.clock)
    ) { [ticks] _, tick in ticks.append(tick) }
  }

  private func delays(_ ticks: [Repeater.Tick], on interval: Int64 = 10_000_000_000) -> [Int64] {
    ticks.map { $0.deadline.nanoseconds - Int64($0.iteration) * interval }
  }

  @Test func eachTickIsDelayedAndTheGridDoesNotMove() throws {
    let timer = try timer()
    clock.advance(by: .seconds(10 * 200 + 5))
    let delays = delays(ticks.all)
    #expect(delays.count == 200)
    #expect(delays.allSatisfy { (0...4_000_000_000).contains($0) })
    #expect(Set(delays).count > 190)
    // All of the range is used.
    #expect(delays.contains { $0 < 400_000_000 } && delays.contains { $0 > 3_600_000_000 })
    #expect(ticks.all.allSatisfy { $0.lateness == .zero && $0.missedCount == 0 })
    let snapshot = timer.snapshot
    #expect(snapshot.configuration.jitter == .seconds(4))
    let grid = snapshot.deadline.map { $0.nanoseconds - snapshot.jitterDelay.clampedNanoseconds }
    #expect(grid == 2_010_000_000_000)
  }

  @Test func theSeedOfTheClockDeterminesTheDelays() throws {
    func run(seed: UInt64) throws -> [Int64] {
      let clock = VirtualClock(seed: seed)
      let before = ticks.count
      let timers = try (1...2).map { _ in try timer(clock: clock) }
      clock.advance(by: .seconds(105))
      withExtendedLifetime(timers) {}
      return ticks.all.dropFirst(before).map(\.deadline.nanoseconds)
    }
    #expect(try run(seed: 1) == run(seed: 1))
    #expect(try run(seed: 1) != run(seed: 2))
    // Two timers of one clock have delays of their own.
    #expect(Set(try run(seed: 1)).count == 20)
  }

  /// Each loop has its own delays.
  @Test func ticksOfTwoLoopsHaveDifferentDelays() async throws {
    let clock = clock
    let ticks = try Repeater.ticks(
      every: .seconds(10), count: 5, jitter: .seconds(4), clock: .virtual(clock))
    let read = await clock.run {
      async let one = ticks.reduce(into: []) { $0.append($1.deadline) }
      async let two = ticks.reduce(into: []) { $0.append($1.deadline) }
      await clock.advance(by: .minutes(2))
      return await [one, two]
    }
    #expect(read.map(\.count) == [5, 5] && read[0] != read[1])
  }

  @Test func aPauseKeepsTheDelayAndTheGrid() throws {
    let timer = try timer()
    let before = timer.snapshot
    let delay = before.jitterDelay
    try #require(delay > .seconds(1))
    // Between the time on the grid and its delay.
    clock.advance(by: .seconds(10) + delay - .milliseconds(1))
    timer.pause()
    #expect(timer.timeLeft == .milliseconds(1))
    let checkpoint = timer.checkpoint
    #expect(checkpoint.timeLeft == .milliseconds(1) - delay)
    clock.advance(by: .seconds(100))
    timer.adjustTimeLeft(by: .seconds(-50))
    #expect(timer.timeLeft == .zero)
    timer.adjustTimeLeft(by: .milliseconds(1))
    timer.start()
    clock.advance(by: .milliseconds(1))
    #expect(ticks.count == 1)
    let after = timer.snapshot
    let grid = after.deadline?.advanced(by: .zero - after.jitterDelay)
    #expect(grid == clock.now.advanced(by: .seconds(10) - delay))
  }

  /// The delay that a checkpoint was taken in is not added to the grid.
  @Test func aRestoredTimerStaysOnTheGrid() throws {
    let timer = try timer()
    clock.advance(by: .seconds(15))
    let checkpoint = timer.checkpoint
    timer.cancel()
    #expect(checkpoint.timeLeft == .seconds(5))
    #expect(checkpoint.configuration.jitter == .seconds(4))
    let again = try Repeater(restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)) {
      [ticks] _, tick in ticks.append(tick)
    }
    let restored = again.snapshot
    #expect(restored.deadline == clock.now.advanced(by: .seconds(5) + restored.jitterDelay))
    #expect(restored.jitterDelay > .zero && restored.jitterDelay <= .seconds(4))
  }

  @Test func missedTicksAreThoseOfTheGrid() throws {
    let late = VirtualClock(.continuous, seed: 3)
    let timer = try timer(clock: late)
    late.suspend(for: .seconds(47))
    let delay = delays(ticks.all)[0]
    #expect(ticks.all[0].missedCount == (delay <= 7_000_000_000 ? 3 : 2))
    #expect(ticks.all[0].lateness == .nanoseconds(37_000_000_000 - delay))
    let after = timer.snapshot
    #expect(after.deadline == late.instant(50_000_000_000).advanced(by: after.jitterDelay))
  }

  @Test func aBurstIsDelayedAsAWhole() throws {
    let late = VirtualClock(.continuous, seed: 3)
    let timer = try timer(.burst(limit: 3), clock: late)
    late.suspend(for: .seconds(39))
    #expect(ticks.count == 3)
    #expect(Set(delays(ticks.all)).count == 1)
    timer.cancel()
  }

  @Test func withDelayTheRandomTimeFollowsTheHandler() throws {
    let timer = try timer(.delay)
    clock.advance(by: .seconds(100))
    let times = ticks.all.map(\.deadline.nanoseconds)
    let distances = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(distances.allSatisfy { (10_000_000_000...14_000_000_000).contains($0) })
    #expect(Set(distances).count == distances.count && distances.count >= 6)
    timer.cancel()
  }

  /// The next delay is drawn when the handler has returned.
  @Test func noDelayIsLeftWhileTheHandlerRuns() throws {
    let lefts = Recorder<Duration?>()
    let timer = try Repeater.every(
      .seconds(10), missedTicks: .delay, jitter: .seconds(4), clock: .virtual(clock)
    ) { timer, _ in
      #expect(timer.snapshot.jitterDelay == .zero)
      timer.pause()
      lefts.append(timer.timeLeft)
    }
    clock.advance(by: .seconds(15))
    #expect(lefts.all == [.seconds(10)])
    timer.cancel()
  }

  /// A shorter interval shortens the delay at once.
  @Test func theIntervalLimitsTheDelay() throws {
    let timer = try Repeater.every(.hours(1), jitter: .hours(2), clock: .virtual(clock)) { _, _ in }
    for _ in 0..<50 {
      #expect(timer.snapshot.jitterDelay <= .hours(1))
      timer.restart()
    }
    for _ in 0..<50 {
      timer.setInterval(.seconds(1))
      #expect(timer.snapshot.jitterDelay <= .seconds(1))
    }
  }

  @Test func aScheduleIsDelayedToo() throws {
    let day = VirtualClock(.wall, seed: 1)
    let timer = try Repeater.following(
      .daily(hour: 9), jitter: .minutes(10), clock: .virtual(day)
    ) { [ticks] _, tick in ticks.append(tick) }
    day.advance(by: .days(30))
    let delays = ticks.all.map { $0.deadline.nanoseconds % 900_000_000_000 }
    #expect(delays.count == 30 && delays.allSatisfy { $0 <= 600_000_000_000 })
    #expect(Set(delays).count == 30)
    timer.cancel()
  }

  @Test func withoutJitterNothingIsRandom() throws {
    _ = try timer(jitter: .zero)
    let timer = try timer(jitter: nil)
    #expect(timer.snapshot.jitterDelay == .zero && timer.snapshot.configuration.jitter == nil)
    #expect(try self.timer(jitter: .zero).snapshot.configuration.jitter == nil)
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .jitter)) {
      try self.timer(jitter: .seconds(-1))
    }
  }

  /// On a system clock, two timers do not have the same delays.
  @Test func systemClocksAreSeededAtRandom() throws {
    let delays = try (1...8).map { _ in
      try Repeater.every(.hours(1), jitter: .hours(1)) { _, _ in }.snapshot.jitterDelay
    }
    #expect(Set(delays).count == 8)
  }

  /// The first numbers of the reference implementation (https://prng.di.unimi.it), for the seed 1234567.
  @Test func theGeneratorIsSplitMix64() {
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() }
        == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }
}
