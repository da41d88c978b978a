import Dashboard
import TimerKit

extension Scene {
  static let interval = Scene(
    name: "interval",
    keys: [.init("x", "every 1 s / every 2 s")],
    legend: [
      .init(.character("1"), "every 1 s"), .init(.character("2"), "every 2 s"),
      .init(.fired, "fire"), .init(.wrong, "fire after a longer gap"),
    ],
    listings: [LabCode("changing the interval", region: "interval")],
    script: Script("----------x--x--x--x--------------------"), keyLane: nil
  ) { fixture in
    let changes = fixture.lane("you", isInput: true)
    var isShort = false
    let starts: [(String, Repeater.IntervalStart)] = [
      ("from now", .fromNow), ("last fire", .fromLastFire), ("next fire", .fromNextFire),
    ]
    let timers = try starts.map { name, intervalStart in
      let lane = fixture.lane(name)
      let lastFire = MutexBox(fixture.clock.now)
      let longest = MutexBox(Duration.zero)
      // region: interval
      let timer = try Repeater.every(.seconds(2), clock: .virtual(fixture.clock)) { _, _ in
        // endregion
        let gap = lastFire.exchange(fixture.clock.now).duration(to: fixture.clock.now)
        longest.value = max(longest.value, gap)
        lane.mark(.fired, wrong: gap > .seconds(2) ? "after \(gap.tenths)" : nil)
        // region: interval
      }
      // endregion
      lane.setNote { "longest gap \(longest.value.tenths)" }
      return (timer, intervalStart)
    }
    return { key in
      isShort.toggle()
      changes.mark(
        .character(isShort ? "1" : "2"), word: isShort ? "every 1 s" : "every 2 s")
      for (timer, intervalStart) in timers {
        // region: interval
        timer.setInterval(isShort ? .seconds(1) : .seconds(2), counting: intervalStart)
        // endregion
      }
    }
  }
}
