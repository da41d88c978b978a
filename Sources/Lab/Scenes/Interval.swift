import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let interval = Scene(
    name: "interval", about: "changing the interval of a running timer",
    explanation: [
      "Three timers fire every 2 s. At 2.5 s x sets the interval to 1 s, and the next x sets it"
        + " back to 2 s.",
      "“From now” starts the new interval at the key press; “last fire” counts the time already"
        + " elapsed, so it fires sooner; “next fire” fires once more as planned.",
      "Then all three keep the new interval exactly.",
    ],
    keys: [.init("x", "switch interval")],
    legend: [.init(.fired, "fire")],
    listings: [LabCode("changing the interval", region: "interval")],
    open: {
      VirtualPlayer(
        script: Script("----------x--------------x--------------"), inputs: ["x"]
      ) { fixture in
        var isShort = false
        let timers = try Repeater.IntervalStart.shown.map { name, intervalStart in
          let lane = fixture.lane(name)
          // region: interval
          let timer = try Repeater.every(.seconds(2), clock: .virtual(fixture.clock)) { _, _ in
            lane.mark(.fired)
          }
          // endregion
          lane.setNote { timer.intervalNote(at: fixture.clock.now) }
          return (timer, intervalStart)
        }
        return { key in
          isShort.toggle()
          for (timer, intervalStart) in timers {
            // region: interval
            timer.setInterval(isShort ? .seconds(1) : .seconds(2), counting: intervalStart)
            // endregion
          }
        }
      }
    })
}

extension Repeater.IntervalStart {
  fileprivate static let shown: [(String, Repeater.IntervalStart)] = [
    ("from now", .fromNow), ("last fire", .fromLastFire), ("next fire", .fromNextFire),
  ]
}

extension Repeater {
  fileprivate func intervalNote(at now: TimerClock.Instant) -> String {
    let snapshot = snapshot
    let next = snapshot.timeLeft(at: now) ?? .zero
    return "every \((snapshot.configuration.interval ?? .zero).tenths), next in \(next.tenths)"
  }
}
