import Dashboard
import TimerKit

extension Scene {
  static let throttle = Scene(
    id: "throttle", about: "the same presses through four throttlers",
    look: [
      "A throttler of 1 s delivers at most once a second, however long the stream: compare the run"
        + " on the right with what a debouncer makes of it.",
      "Fixed delivers the first press at once and keeps one for the end of each second; deferred"
        + " lets every delivery wait a second first.",
      "Of the presses that wait they keep the newest; those named 1st keep the oldest.",
    ],
    keys: [.init("x", "press")],
    legend: [.init(.letter("a"), "that press, delivered"), .init(.waiting, "one waits")],
    exhibits: [Exhibit("four throttlers", source: PackageResources.Throttle_txt)],
    open: {
      VirtualPerformance(script: .presses, inputs: ["x"]) { stage in
        let keys = stage.lane("in", isInput: true)
        let throttlers = try [
          // shown
          stage.throttler("fixed", .fixed, keeping: .latest),
          stage.throttler("fixed 1st", .fixed, keeping: .first),
          stage.throttler("deferred", .deferred, keeping: .latest),
          stage.throttler("def. 1st", .deferred, keeping: .first),
          // end
        ]
        keys.notePresses()
        var letters = Letters()
        return { _ in
          let press = letters.take()
          keys.mark(.letter(press))
          for throttler in throttlers { throttler.call(press) }
        }
      }
    })
}

extension Stage {
  fileprivate func throttler(
    _ name: String, _ mode: ThrottleMode, keeping kept: ThrottledValue
  ) throws(TimerConfigurationError) -> Throttler<Character> {
    let lane = lane(name)
    // shown
    let throttler = try Throttler<Character>(
      interval: .seconds(1), mode: mode, keeping: kept, clock: .virtual(clock)
    ) { _, press in lane.mark(.letter(press)) }
    // end
    lane.follow(throttler)
    lane.note { throttler.snapshot.note }
    return throttler
  }
}
