import Dashboard
import TimerKit

extension Scene {
  static let countdown = Scene(
    name: "countdown", about: "the steps left, down to 0",
    explanation: [
      "Two countdowns, of 6 steps of a second and of 9 steps of half a second: each reports the"
        + " steps left after each step, first 5 or 8, and finishes at 0.",
      "A pause in the middle of a step keeps the rest of the step, and every number still"
        + " comes exactly once.",
      "Restarted after the end, they count from the top.",
    ],
    keys: [.init("s", "start"), .init("x", "pause / resume"), .init("f", "step now")],
    legend: [
      .init(.character("3"), "three steps left"), .init(.started, "start, resume"),
      .init(.paused, "pause"),
    ],
    listings: [LabCode("a countdown", region: "countdown")],
    open: {
      VirtualPlayer(
        script: Script("--s----------x----x-----------------s-------"), inputs: ["s", "x", "f"]
      ) { fixture in
        let countdowns = try [
          fixture.countdown("6 × 1 s", from: 6, every: .seconds(1)),
          fixture.countdown("9 × 0.5 s", from: 9, every: .milliseconds(500)),
        ]
        return { key in
          for countdown in countdowns { countdown.perform(key) }
        }
      }
    })
}

extension Fixture {
  fileprivate func countdown(
    _ name: String, from steps: Int, every interval: Duration
  ) throws(TimerConfigurationError) -> Countdown {
    let lane = lane(name)
    lane.setLineStyle(.none)
    // region: countdown
    let countdown = try Countdown(from: steps, every: interval, clock: .virtual(clock)) {
      _, remainingSteps in
      lane.mark(.character(Character("\(remainingSteps % 10)")))
    }
    // endregion
    countdown.observe { _, event in
      switch event {
      case .state(.idle, .running), .state(.paused, .running), .state(.finished, .running):
        lane.mark(.started)
        lane.setLineStyle(.idle)
      case .state(_, .paused):
        lane.mark(.paused)
        lane.setLineStyle(.none)
      case .state(_, .finished): lane.setLineStyle(.none)
      case .state, .delivery, .stale: break
      }
    }
    lane.setNote { "\(countdown.state), \(countdown.remainingSteps) left" }
    return countdown
  }
}

extension Countdown {
  fileprivate func perform(_ key: Character) {
    switch key {
    // region: countdown
    case "s": start()
    case "x" where state == .running: pause()
    case "x" where state == .paused: start()
    case "f": step()
    // endregion
    default: break
    }
  }
}
