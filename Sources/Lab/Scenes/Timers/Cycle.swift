import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let cycle = Scene(
    name: "cycle",
    keys: [.init("f", "skip")],
    legend: [.init(.work, "work"), .init(.rest, "rest"), .init(.wrong, "begins twice")],
    listings: [LabCode("a cycle of phases", region: "cycle")],
    script: Script("-----------f--------------f-------------")
  ) { fixture in
    let pair = PhaseLane(fixture.lane("two timers"))
    let phases = PhaseLane(fixture.lane("cycle"))
    // region: cycle
    let cycle = try Cycle(
      [.init("work", .seconds(1.5)), .init("rest", .seconds(0.5))],
      clock: .virtual(fixture.clock)
    ) { _, tick in
      phases.begin(tick.begun?.phase.name)
    }
    cycle.start()
    // endregion
    let timers = try ["work", "rest"].map { name in
      try Repeater.every(.seconds(2), clock: .virtual(fixture.clock)) { _, _ in
        pair.begin(name)
      }
    }
    timers[1].adjustTimeLeft(by: .seconds(-0.5))
    for lane in [pair, phases] { lane.begin("work") }
    return { _ in
      timers[pair.isWorking ? 1 : 0].fire()
      // region: cycle
      cycle.skip()
      // endregion
    }
  }
}

/// A lane of phases, work and rest in turn.
private final class PhaseLane: Sendable {
  private let lane: Lane
  private let current = MutexBox<String?>(nil)

  init(_ lane: Lane) {
    self.lane = lane
    lane.setNote { "\(counted(lane.count(.wrong), "phase")) twice" }
  }

  var isWorking: Bool { current.value == "work" }

  func begin(_ phase: String?) {
    guard let phase else { return }
    let isTwice = current.exchange(phase) == phase
    if isTwice { lane.mark(.wrong, wrong: "\(phase) again") }
    lane.setLine(isWorking ? .work : .rest, word: phase)
  }
}
