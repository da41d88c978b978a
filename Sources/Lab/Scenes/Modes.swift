import Dashboard
import TimerKit

extension Scene {
  static let modes = Scene(
    name: "modes", about: "once, finite, infinite: three modes through every state",
    explanation: [
      "All three timers have an interval of 1.5 s and start together.",
      "A pause keeps the time left: a fire that was 0.75 s away comes 0.75 s after the"
        + " resume, not immediately and not a whole interval later.",
      "The once and finite timers finish by themselves, ignore f then, and restart with their"
        + " full count; a cancelled timer cannot restart.",
    ],
    keys: [
      .init("s", "start"), .init("x", "pause / resume"), .init("f", "fire"), .init("z", "cancel"),
    ],
    legend: [
      .init(.started, "start, resume"), .init(.fired, "fire"), .init(.paused, "pause"),
      .init(.finished, "last fire (finished)"), .init(.ended, "cancelled"),
    ],
    terms: [.modes],
    listings: [LabCode("one timer type, three modes", region: "modes")],
    open: {
      VirtualPlayer(
        script: Script("--s--------x-----x---------f-s-------z--"), inputs: ["s", "x", "f", "z"]
      ) { fixture in
        let timers = try Repeater.Mode.shown.map { name, mode in
          // region: modes
          let timer = try Repeater(
            interval: .seconds(1.5), mode: mode, clock: .virtual(fixture.clock)
          ) { _, _ in }
          // endregion
          fixture.lane(name).follow(timer)
          return timer
        }
        return { key in
          for timer in timers { timer.perform(key) }
        }
      }
    })
}

extension Repeater.Mode {
  fileprivate static let shown: [(String, Repeater.Mode)] = [
    ("once", .once), ("finite 3", .finite(3)), ("infinite", .infinite),
  ]
}

extension Repeater {
  /// Performs the control of a key. A cancelled timer ignores it, and its lane shows the state.
  fileprivate func perform(_ key: Character) {
    switch key {
    // region: modes
    case "s": start()  // also resumes, or restarts a finished timer
    case "x" where state == .running: pause()  // keeps the time left
    case "x" where state == .paused: start()
    case "f": fire()  // does not move the next deadline
    case "z": cancel()
    // endregion
    default: break
    }
  }
}

extension Lane {
  /// Marks the fires and the state changes of a timer.
  fileprivate func follow(_ timer: Repeater) {
    setLineStyle(.none)
    timer.observe { [self] _, event in
      switch event {
      case .delivery(let tick): if !tick.isLast { mark(.fired) }
      case .state(.idle, .running), .state(.paused, .running), .state(.finished, .running):
        mark(.started)
        setLineStyle(.idle)
      case .state(_, .paused): stop(.paused)
      case .state(_, .finished): stop(.finished)
      case .state(_, .cancelled): stop(.ended)
      case .state, .stale: break
      }
    }
    setNote { [weak timer] in
      guard let now = timer?.snapshot else { return "" }
      let left = now.remainingIterations.map { "\($0) left" } ?? "no limit"
      return "\(now.state), \(left), fired \(now.deliveredCount)"
    }
  }

  private func stop(_ kind: LabMarkKind) {
    mark(kind)
    setLineStyle(.none)
  }
}
