import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let interval = Scene(
    id: "interval", about: "the interval changed while the timer runs",
    look: [
      "Three timers fire every 2 s until x makes it 1 s, half a second after a fire; x again makes"
        + " it 2 s.",
      "From now: the new interval begins at the key; from the last fire: what has gone by counts,"
        + " so it comes sooner; next period: the fire that was planned stays.",
      "From the first fire after that on, all three keep the new interval exactly.",
    ],
    keys: [.init("x", "1 s or 2 s")],
    legend: [.init(.fired, "fire")],
    exhibits: [Exhibit("changing the interval", source: PackageResources.Interval_txt)],
    open: {
      VirtualPerformance(
        script: Script("----------x--------------x--------------"), inputs: ["x"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        var isShort = false
        let timers = try Repeater.IntervalChange.shown.map { name, change in
          let lane = stage.lane(name)
          // shown
          let timer = try Repeater.every(.seconds(2), clock: .virtual(stage.clock)) { _, _ in
            lane.mark(.fired)
          }
          // end
          lane.note { timer.intervalNote(at: stage.clock.now) }
          return (timer, change)
        }
        return { key in
          keys.mark(.letter(key))
          isShort.toggle()
          for (timer, change) in timers {
            // shown
            try timer.setInterval(isShort ? .seconds(1) : .seconds(2), change)
            // end
          }
        }
      }
    })
}

extension Repeater.IntervalChange {
  fileprivate static let shown: [(String, Repeater.IntervalChange)] = [
    ("from now", .fromNow), ("last fire", .fromLastFire), ("next period", .nextPeriod),
  ]
}

extension Repeater {
  fileprivate func intervalNote(at now: TimerClock.Instant) -> String {
    let snapshot = snapshot
    let next = snapshot.timeLeft(at: now) ?? .zero
    return "every \((snapshot.configuration.interval ?? .zero).tenths), next in \(next.tenths)"
  }
}
