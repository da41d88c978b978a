import Dashboard
import TimerKit

extension Scene {
  static let countdown = Scene(
    id: "countdown", about: "the steps that are left, down to 0",
    look: [
      "Two countdowns, from 6 by the second and from 9 by the half second: each tells the steps left"
        + " and ends by itself at 0.",
      "Paused in the middle of a step they keep the rest of it, and every number still comes once.",
      "Started again after the end they count from the top.",
    ],
    keys: [.init("s", "start"), .init("x", "pause, go on"), .init("f", "step now")],
    legend: [
      .init(.letter("3"), "three steps left"), .init(.started, "start"), .init(.paused, "pause"),
    ],
    exhibits: [Exhibit("a countdown", source: PackageResources.Countdown_txt)],
    open: {
      VirtualPerformance(
        script: Script("--s---------x----x------------------s-------"), inputs: ["s", "x", "f"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let countdowns = try [
          stage.countdown("6 × 1 s", from: 6, every: .seconds(1)),
          stage.countdown("9 × 0.5 s", from: 9, every: .milliseconds(500)),
        ]
        return { key in
          keys.mark(.letter(key))
          for countdown in countdowns { countdown.perform(key) }
        }
      }
    })
}

extension Stage {
  fileprivate func countdown(
    _ name: String, from steps: Int, every interval: Duration
  ) throws(TimerConfigurationError) -> Countdown {
    let lane = lane(name)
    lane.line(.none)
    // shown
    let countdown = try Countdown(from: steps, every: interval, clock: .virtual(clock)) {
      _, stepsLeft in
      lane.mark(.letter(Character("\(stepsLeft % 10)")))
    }
    // end
    countdown.observe { _, event in
      switch event {
      case .state(.idle, .running), .state(.paused, .running), .state(.finished, .running):
        lane.mark(.started)
        lane.line(.idle)
      case .state(_, .paused):
        lane.mark(.paused)
        lane.line(.none)
      case .state(_, .finished): lane.line(.none)
      case .state, .tick, .stale: break
      }
    }
    lane.note { "\(countdown.state), \(countdown.stepsLeft) left" }
    return countdown
  }
}

extension Countdown {
  fileprivate func perform(_ key: Character) {
    switch key {
    // shown
    case "s": start()
    case "x" where state == .running: pause()
    case "x" where state == .paused: start()
    case "f": step()
    // end
    default: break
    }
  }
}
