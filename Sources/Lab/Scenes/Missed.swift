import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let missed = Scene(
    id: "missed", about: "a handler slower than its interval, under three policies",
    look: [
      "Every second a tick is due; x makes the next handler take 3.4 s.",
      "Skip delivers one tick for the three that came meanwhile and is back on the grid; burst"
        + " delivers all three at once and is back on it too.",
      "Delay begins a new second when the handler has returned: it loses no tick and leaves the"
        + " grid for good.",
    ],
    keys: [.init("x", "one slow handler")],
    legend: [
      .init(.due, "due"), .init(.fired, "fire"), .init(.letter("3"), "three fires at once"),
      .init(.missed, "missed"), .init(.busy, "handler at work"),
    ],
    exhibits: [Exhibit("what becomes of missed ticks", source: PackageResources.Missed_txt)],
    open: {
      VirtualPerformance(
        script: Script("------x---------------------------------"), inputs: ["x"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let due = stage.lane("due")
        due.line(.none)
        let workers = try Repeater.MissedTicks.shown.map { name, policy in
          try SlowWorker(name, policy, on: stage)
        }
        let grid = try Repeater.every(SlowWorker.interval, clock: .virtual(stage.clock)) { _, _ in
          due.mark(.due)
        }
        // What the workers' own clocks are moved by.
        let ticker = try Repeater.every(.milliseconds(10), clock: .virtual(stage.clock)) { _, _ in
          for worker in workers { worker.catchUp(to: stage.clock.now) }
        }
        stage.keep(grid, ticker)
        return { key in
          keys.mark(.letter(key))
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

/// A timer whose handler can be slow. Its clock is its own: while a handler of it is at work, it is
/// ahead of the scene's.
private final class SlowWorker: Sendable {
  static let interval = Duration.seconds(1)
  private static let work = Duration.milliseconds(3400)

  private let clock = VirtualClock()
  private let isSlow = Flag()
  private let timer: Repeater

  init(_ name: String, _ policy: Repeater.MissedTicks, on stage: Stage)
    throws(TimerConfigurationError)
  {
    let lane = stage.lane(name, on: clock)
    // shown
    timer = try Repeater.every(.seconds(1), missedTicks: policy, clock: .virtual(clock)) {
      [clock, isSlow] _, tick in
      lane.mark(.fired)
      lane.markMissed(before: tick)
      guard isSlow.take() else { return }
      lane.line(.busy)
      clock.advance(by: Self.work)  // 3.4 s go by in the handler
      lane.line(.idle)
    }
    // end
    lane.note { [timer] in
      let now = stage.clock.now
      let offGrid = Duration.nanoseconds(
        (timer.snapshot.deadline?.nanoseconds ?? 0) % 1_000_000_000)
      return "fired \(lane.count(.fired, until: now)), missed \(lane.count(.missed, until: now))"
        + (offGrid == .zero ? "" : ", grid +\(offGrid.tenths)")
    }
  }

  func slowDown() { isSlow.set() }

  /// - Parameter now: the scene's time, which is another clock's.
  func catchUp(to now: TimerClock.Instant) {
    clock.advance(by: .nanoseconds(now.nanoseconds) - .nanoseconds(clock.now.nanoseconds))
  }
}

/// Set until it is taken.
private final class Flag: Sendable {
  private let isSet = Mutex(false)

  func set() { isSet.withLock { $0 = true } }

  func take() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }
}

extension Lane {
  /// The grid points that a tick stands for besides its own.
  fileprivate func markMissed(before tick: Repeater.Tick) {
    for number in 0..<tick.missed {
      mark(.missed, at: tick.scheduled.advanced(by: SlowWorker.interval * (number + 1)))
    }
  }
}
