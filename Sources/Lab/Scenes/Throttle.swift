import Dashboard
import TimerKit

extension Scene {
  static let throttle = Scene(
    name: "throttle", about: "the same presses through four throttlers",
    explanation: [
      "A throttler with an interval of 1 s delivers at most one press a second, however"
        + " many come: see the long run on the right.",
      "Delivery begins an interval with each delivery: the first press comes at once, and one is"
        + " kept for the interval's end. Deferred delivers only at the end of an interval.",
      "Of the pending presses a throttler keeps the newest; those named 1st keep the oldest.",
    ],
    keys: [.init("x", "press")],
    legend: [
      .init(.character("a"), "press, or a delivered press"),
      .init(.waiting, "pending (a press waits to be delivered)"),
    ],
    terms: [.throttler],
    listings: [LabCode("four throttlers", region: "throttle")],
    open: {
      VirtualPlayer(script: .presses, inputs: ["x"], keyLane: nil) { fixture in
        let keys = fixture.lane("in", isInput: true)
        let throttlers = try [
          // region: throttle
          fixture.throttler("delivery", .fromDelivery, keeping: .latest),
          fixture.throttler("delivery 1st", .fromDelivery, keeping: .first),
          fixture.throttler("deferred", .deferred, keeping: .latest),
          fixture.throttler("deferred 1st", .deferred, keeping: .first),
          // endregion
        ]
        keys.showPressCount()
        var letters = Letters()
        return { _ in
          let press = letters.take()
          keys.mark(.character(press))
          for throttler in throttlers { throttler.call(press) }
        }
      }
    })
}

extension Fixture {
  fileprivate func throttler(
    _ name: String, _ mode: ThrottleMode, keeping kept: KeptValue
  ) throws(TimerConfigurationError) -> Throttler<Character> {
    let lane = lane(name)
    // region: throttle
    let throttler = try Throttler<Character>(
      interval: .seconds(1), mode: mode, keeping: kept, clock: .virtual(clock)
    ) { _, press in lane.mark(.character(press)) }
    // endregion
    lane.follow(throttler)
    lane.setNote { throttler.snapshot.deliverySummary }
    return throttler
  }
}
