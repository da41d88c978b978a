import Dashboard
import TimerKit

extension Scene {
  static let modes = Scene(
    id: "modes", about: "once, three times, for ever: through every state",
    look: [
      "All three have an interval of 1.5 s and start together.",
      "A pause keeps what was left: the fire that was 0.75 s away comes 0.75 s after going on,"
        + " neither at once nor a whole interval later.",
      "Once and finite finish by themselves and can be started anew with their whole count; a"
        + " cancelled one is gone for good.",
    ],
    keys: [
      .init("s", "start"), .init("x", "pause, go on"), .init("f", "fire"), .init("z", "cancel"),
    ],
    legend: [
      .init(.started, "start"), .init(.fired, "fire: executing"), .init(.paused, "pause"),
      .init(.finished, "last fire: finished"), .init(.cancelled, "cancelled"),
    ],
    exhibits: [Exhibit("three modes, one timer", source: PackageResources.Modes_txt)],
    open: {
      VirtualPerformance(
        script: Script("--s--------x-----x---------f-s--------z-"), inputs: ["s", "x", "f", "z"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let timers = try Repeater.Mode.shown.map { name, mode in
          // shown
          let timer = try Repeater(
            every: .seconds(1.5), mode: mode, clock: .virtual(stage.clock)
          ) { _, _ in }
          // end
          stage.lane(name).follow(timer)
          return timer
        }
        return { key in
          keys.mark(.letter(key))
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
  /// Only a cancelled timer refuses, and says so by its state.
  fileprivate func perform(_ key: Character) {
    switch key {
    // shown
    case "s": start()  // also resumes, and restarts a finished one
    case "x" where state == .running: pause()  // keeps the time left
    case "x" where state == .paused: start()
    case "f": fire()  // besides the clock, which it does not move
    case "z": cancel()
    // end
    default: break
    }
  }
}

extension Lane {
  /// Marks what becomes of a timer.
  fileprivate func follow(_ timer: Repeater) {
    line(.none)
    timer.observe { [self] _, event in
      switch event {
      case .tick(let tick): if !tick.isLast { mark(.fired) }
      case .state(.idle, .running), .state(.paused, .running), .state(.finished, .running):
        mark(.started)
        line(.idle)
      case .state(_, .paused): stop(.paused)
      case .state(_, .finished): stop(.finished)
      case .state(_, .cancelled): stop(.cancelled)
      case .state, .stale: break
      }
    }
    note { [weak timer] in
      guard let now = timer?.snapshot else { return "" }
      let left = now.remainingIterations.map { "left \($0)" } ?? "no end"
      return "\(now.state), \(left), fired \(now.deliveredCount)"
    }
  }

  private func stop(_ sign: LabSign) {
    mark(sign)
    line(.none)
  }
}
