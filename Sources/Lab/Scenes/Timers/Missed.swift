import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let missed = Scene(
    name: "missed",
    keys: [.init("x", "slow handler")],
    legend: [
      .init(.due, "due"), .init(.fired, "fire, ×3: three at once"),
      .init(.dropped, "left out"), .init(.busy, "job runs"), .init(.wrong, "starts a second run"),
    ],
    listings: [LabCode("three policies for missed ticks", region: "missed")],
    script: Script("------x---------------------------------")
  ) { fixture in
    let due = fixture.lane("due", isJudged: false)
    due.setLine(.none)
    let restarted = fixture.lane("no wait")
    let isSlow = MutexBox(false)
    let isWorking = MutexBox(false)
    // The work of this timer takes the time, and not its handler, which returns at once.
    let end = DeadlineTimer(clock: .virtual(fixture.clock)) { _, _ in
      isWorking.value = false
      restarted.setLine(.idle)
    }
    try fixture.every(SlowWorker.interval) {
      restarted.mark(.fired, wrong: isWorking.value ? "starts again" : nil)
      guard isSlow.exchange(false) else { return }
      isWorking.value = true
      restarted.setLine(.busy, word: "job runs")
      end.schedule(at: fixture.clock.now.advanced(by: SlowWorker.work))
    }
    restarted.setNote { counted(restarted.count(.wrong), "overlap") }
    let policies: [(String, Repeater.MissedTicks)] = [
      ("skip", .skip), ("delay", .delay), ("burst", .burst(limit: 10)),
    ]
    let workers = try policies.map { name, policy in
      try SlowWorker(name, policy, on: fixture)
    }
    try fixture.every(SlowWorker.interval) { due.mark(.due) }
    // Advances the clocks of the workers.
    try fixture.every(.milliseconds(10)) {
      for worker in workers { worker.catchUp(to: fixture.clock.now) }
    }
    return { _ in
      isSlow.value = true
      for worker in workers { worker.slowDown() }
    }
  }
}

/// A timer with a slow handler. It has a clock of its own, which is ahead of the scene's clock
/// while the handler runs.
private final class SlowWorker: Sendable {
  static let interval = Duration.seconds(1)
  static let work = Duration.milliseconds(3400)

  private let clock = VirtualClock()
  private let nextHandlerIsSlow = MutexBox(false)
  private let timer: Repeater

  init(_ name: String, _ policy: Repeater.MissedTicks, on fixture: Fixture)
    throws(TimerConfigurationError)
  {
    let lane = fixture.lane(name, on: clock)
    // region: missed
    timer = try Repeater.every(.seconds(1), missedTicks: policy, clock: .virtual(clock)) {
      [clock, nextHandlerIsSlow] _, tick in
      lane.mark(.fired)
      lane.markMissed(before: tick)
      guard nextHandlerIsSlow.exchange(false) else { return }
      lane.setLine(.busy, word: "job runs")
      clock.advance(by: Self.work)  // 3.4 s pass in the handler
      lane.setLine(.idle)
    }
    // endregion
    lane.setNote { [timer] in
      let now = fixture.clock.now
      let offGrid = Duration.nanoseconds(
        (timer.snapshot.deadline?.nanoseconds ?? 0) % 1_000_000_000)
      let missed = lane.count(.dropped, until: now)
      return "0 overlaps"
        + (missed == 0 ? "" : ", left out \(missed)")
        + (offGrid == .zero ? "" : ", moved \(offGrid.tenths)")
    }
  }

  func slowDown() { nextHandlerIsSlow.value = true }

  /// Advances the timer's own clock to the time of the scene.
  func catchUp(to now: TimerClock.Instant) {
    clock.advance(by: .nanoseconds(now.nanoseconds) - .nanoseconds(clock.now.nanoseconds))
  }
}

extension Lane {
  /// Marks the periods that a tick reports as missed.
  fileprivate func markMissed(before tick: Repeater.Tick) {
    for number in 0..<tick.missedCount {
      mark(.dropped, at: tick.deadline.advanced(by: SlowWorker.interval * (number + 1)))
    }
  }
}
