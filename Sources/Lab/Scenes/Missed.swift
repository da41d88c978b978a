import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let missed = Scene(
    name: "missed", about: "a handler slower than its interval, under three policies",
    explanation: [
      "A tick is due every second; x makes the next handler take 3.4 s.",
      "Skip delivers one tick for the three that became due meanwhile and returns to the"
        + " grid; burst delivers all three, one directly after another, and returns"
        + " to the grid too.",
      "Delay waits a whole second after the handler returns: all later due times move with it,"
        + " so fewer ticks come.",
    ],
    keys: [.init("x", "slow handler")],
    legend: [
      .init(.due, "due"), .init(.fired, "fire"),
      .init(.character("3"), "three fires, one after another"),
      .init(.missed, "missed"), .init(.busy, "handler running"),
    ],
    terms: [.tick, .handler, .grid],
    listings: [LabCode("three policies for missed ticks", region: "missed")],
    open: {
      VirtualPlayer(
        script: Script("------x---------------------------------"), inputs: ["x"]
      ) { fixture in
        let due = fixture.lane("due")
        due.setLineStyle(.none)
        let workers = try Repeater.MissedTicks.shown.map { name, policy in
          try SlowWorker(name, policy, on: fixture)
        }
        let grid = try Repeater.every(SlowWorker.interval, clock: .virtual(fixture.clock)) { _, _ in
          due.mark(.due)
        }
        // Advances the clocks of the workers.
        let ticker = try Repeater.every(.milliseconds(10), clock: .virtual(fixture.clock)) { _, _ in
          for worker in workers { worker.catchUp(to: fixture.clock.now) }
        }
        fixture.keep(grid, ticker)
        return { key in
          for worker in workers { worker.slowDown() }
        }
      }
    })
}

extension Repeater.MissedTicks {
  fileprivate static let shown: [(String, Repeater.MissedTicks)] = [
    ("skip", .skip), ("delay", .delay), ("burst", .burst(limit: 10)),
  ]
}

/// A timer with a slow handler. It has a clock of its own, which is ahead of the scene's clock
/// while the handler runs.
private final class SlowWorker: Sendable {
  static let interval = Duration.seconds(1)
  private static let work = Duration.milliseconds(3400)

  private let clock = VirtualClock()
  private let nextHandlerIsSlow = Flag()
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
      guard nextHandlerIsSlow.testAndClear() else { return }
      lane.setLineStyle(.busy)
      clock.advance(by: Self.work)  // 3.4 s pass in the handler
      lane.setLineStyle(.idle)
    }
    // endregion
    lane.setNote { [timer] in
      let now = fixture.clock.now
      let offGrid = Duration.nanoseconds(
        (timer.snapshot.deadline?.nanoseconds ?? 0) % 1_000_000_000)
      return "fired \(lane.count(.fired, until: now)), missed \(lane.count(.missed, until: now))"
        + (offGrid == .zero ? "" : ", grid +\(offGrid.tenths)")
    }
  }

  func slowDown() { nextHandlerIsSlow.set() }

  /// Advances the timer's own clock to the time of the scene.
  func catchUp(to now: TimerClock.Instant) {
    clock.advance(by: .nanoseconds(now.nanoseconds) - .nanoseconds(clock.now.nanoseconds))
  }
}

/// A flag that is cleared when it is read.
private final class Flag: Sendable {
  private let isSet = Mutex(false)

  func set() { isSet.withLock { $0 = true } }

  func testAndClear() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }
}

extension Lane {
  /// Marks the periods that a tick reports as missed.
  fileprivate func markMissed(before tick: Repeater.Tick) {
    for number in 0..<tick.missedCount {
      mark(.missed, at: tick.deadline.advanced(by: SlowWorker.interval * (number + 1)))
    }
  }
}
