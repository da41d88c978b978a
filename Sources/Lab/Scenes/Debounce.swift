import Dashboard
import TimerKit

extension Scene {
  static let debounce = Scene(
    name: "debounce", about: "your key presses through four debouncers",
    explanation: [
      "Trailing waits until there has been no press for 1 s and delivers the last press;"
        + " leading delivers the first press at once and drops the others until there has been"
        + " none for 1 s; both delivers the first and the last.",
      "During the long run of presses on the right, trailing delivers nothing until the run"
        + " is over.",
      "Max 3 s is trailing too, and delivers the last press at the latest 3 s after the first, even if the presses never stop.",
    ],
    keys: [.init("x", "press")],
    legend: [
      .init(.character("a"), "press, or a delivered press"),
      .init(.waiting, "pending (a press waits to be delivered)"),
    ],
    terms: [.debouncer],
    listings: [LabCode("four debouncers", region: "debounce")],
    open: {
      VirtualPlayer(script: .presses, inputs: ["x"], keyLane: nil) { fixture in
        let keys = fixture.lane("in", isInput: true)
        let debouncers = try [
          // region: debounce
          fixture.debouncer("trailing", edges: .trailing),
          fixture.debouncer("leading", edges: .leading),
          fixture.debouncer("both", edges: .both),
          fixture.debouncer("max 3 s", edges: .trailing, maxWait: .seconds(3)),
          // endregion
        ]
        keys.showPressCount()
        var letters = Letters()
        return { _ in
          let press = letters.take()
          keys.mark(.character(press))
          for debouncer in debouncers { debouncer.call(press) }
        }
      }
    })
}

extension Script {
  /// A single press, a short run and a long run of presses.
  static let presses = Script("--x------x-xx-------x--x-xxx--xx-x------")
}

extension Fixture {
  fileprivate func debouncer(
    _ name: String, edges: DebounceEdges, maxWait: Duration? = nil
  ) throws(TimerConfigurationError) -> Debouncer<Character> {
    let lane = lane(name)
    // region: debounce
    let debouncer = try Debouncer<Character>(
      delay: .seconds(1), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { _, press in lane.mark(.character(press)) }
    // endregion
    lane.follow(debouncer)
    lane.setNote { debouncer.snapshot.deliverySummary }
    return debouncer
  }
}

extension CallSnapshot {
  /// The numbers of delivered and dropped calls, as text.
  var deliverySummary: String { "delivered \(deliveredCount), dropped \(droppedCount)" }
}
