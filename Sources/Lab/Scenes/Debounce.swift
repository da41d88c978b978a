import Dashboard
import TimerKit

extension Scene {
  static let debounce = Scene(
    id: "debounce", about: "your key presses through four debouncers",
    look: [
      "Trailing waits until the presses have been quiet for 1 s and delivers the last of them;"
        + " leading delivers the first at once and is deaf until it is quiet; both does both.",
      "Watch the long run of presses on the right: trailing says nothing until it is over.",
      "With a longest wait of 3 s, a steady stream cannot starve it.",
    ],
    keys: [.init("x", "press")],
    legend: [.init(.letter("a"), "that press, delivered"), .init(.waiting, "one waits")],
    exhibits: [Exhibit("four debouncers", source: PackageResources.Debounce_txt)],
    open: {
      VirtualPerformance(script: .presses, inputs: ["x"]) { stage in
        let keys = stage.lane("in", isInput: true)
        let debouncers = try [
          // shown
          stage.debouncer("trailing", edges: .trailing),
          stage.debouncer("leading", edges: .leading),
          stage.debouncer("both", edges: .both),
          stage.debouncer("max 3 s", edges: .trailing, maxWait: .seconds(3)),
          // end
        ]
        keys.notePresses()
        var letters = Letters()
        return { _ in
          let press = letters.take()
          keys.mark(.letter(press))
          for debouncer in debouncers { debouncer.call(press) }
        }
      }
    })
}

extension Script {
  /// One press, a few, and a steady stream of them.
  static let presses = Script("--x------x-xx-------x-x-x-x-x-x-x-x-----")
}

extension Stage {
  fileprivate func debouncer(
    _ name: String, edges: DebounceEdges, maxWait: Duration? = nil
  ) throws(TimerConfigurationError) -> Debouncer<Character> {
    let lane = lane(name)
    // shown
    let debouncer = try Debouncer<Character>(
      delay: .seconds(1), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { _, press in lane.mark(.letter(press)) }
    // end
    lane.follow(debouncer)
    lane.note { debouncer.snapshot.note }
    return debouncer
  }
}

extension CallSnapshot {
  /// What became of the calls.
  var note: String { "delivered \(deliveredCount), dropped \(suppressedCount)" }
}
