import Dashboard
import TimerKit

extension Scene {
  static let interval = Scene(
    name: "interval",
    keys: [.init("x", "every 1 s / every 2 s")],
    legend: [
      .init(.character("1"), "every 1 s"), .init(.character("2"), "every 2 s"),
      .init(.fired, "fire"), .init(.wrong, "fire after a gap"),
    ],
    listings: [LabCode("changing the interval", region: "interval")],
    script: Script("----------x--x--x--x--------------------"), keyLane: nil
  ) { fixture in
    let changes = fixture.lane("changes", isInput: true)
    var isShort = false
    let starts: [(String, Repeater.IntervalStart)] = [
      ("from now", .fromNow), ("last fire", .fromLastFire), ("next fire", .fromNextFire),
    ]
    let timers = try starts.map { name, intervalStart in
      let lane = fixture.lane(name)
      let lastFire = MutexBox(fixture.clock.now)
      // region: interval
      let timer = try Repeater.every(.seconds(2), clock: .virtual(fixture.clock)) { _, _ in
        lane.markFire(after: lastFire.exchange(fixture.clock.now))
      }
      // endregion
      lane.setNote { "fired \(timer.snapshot.deliveredCount)" }
      return (timer, intervalStart)
    }
    return { key in
      isShort.toggle()
      changes.mark(.character(isShort ? "1" : "2"))
      for (timer, intervalStart) in timers {
        // region: interval
        timer.setInterval(isShort ? .seconds(1) : .seconds(2), counting: intervalStart)
        // endregion
      }
    }
  }
}

extension Lane {
  /// Marks a fire, which is wrong if it comes later than the longest interval after the one before.
  fileprivate func markFire(after last: TimerClock.Instant) {
    let gap = last.duration(to: clock.now)
    mark(.fired, wrong: gap > .seconds(2) ? "after \(gap.tenths)" : nil)
  }
}
