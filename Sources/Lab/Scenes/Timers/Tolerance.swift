import Dashboard
import Synchronization
import TimerBoard
import TimerKit

extension Scene {
  static let tolerance = Scene(
    name: "tolerance",
    keys: [.init("x", "start one")],
    legend: [
      .init(.character("5"), "wakes up once for 5 timers"), .init(.wrong, "wakes up for one timer"),
      .init(.idle, "sleeps"),
    ],
    listings: [LabCode("timers that share wake-ups", region: "tolerance")],
    script: Script(String(repeating: "x", count: 10) + String(repeating: "-", count: 30))
  ) { fixture in
    let processors = [("exact", 0), ("0.5 s", 500), ("1 s", 1000)].map {
      Processor(tolerance: .milliseconds($0.1), on: fixture.lane($0.0))
    }
    try fixture.every(.milliseconds(10)) {
      for processor in processors { processor.wakeIfPlanned() }
    }
    return { _ in
      for processor in processors { try processor.startTimer() }
    }
  }
}

/// A simulated processor that sleeps until TimerKit's next wake-up. Its timers have a clock of their own, which does not
/// move while it sleeps, because a virtual clock ignores a tolerance.
private final class Processor: Sendable {
  private struct State {
    var timers: [Repeater] = []
    var plan = WakePlan()
    var wakeUps = 0
    var fires = 0
  }

  private static let interval = Duration.milliseconds(2500)

  private let clock = VirtualClock()
  private let tolerance: Duration
  private let lane: Lane
  private let state = Mutex(State())

  init(tolerance: Duration, on lane: Lane) {
    self.tolerance = tolerance
    self.lane = lane
    lane.setNote { [weak self] in
      let (fires, wakeUps) = self?.state.withLock { ($0.fires, $0.wakeUps) } ?? (0, 0)
      return "\(counted(wakeUps, "wake-up")), \(counted(fires, "fire"))"
    }
  }

  /// The time for which the processor has slept.
  private var slept: Duration { .nanoseconds(lane.clock.now.nanoseconds - clock.now.nanoseconds) }

  func startTimer() throws(TimerConfigurationError) {
    let untilFirst = slept + Self.interval
    // region: tolerance
    let timer = try Repeater.every(
      .seconds(2.5), startingAfter: untilFirst, tolerance: tolerance, clock: .virtual(clock)
    ) { [weak self] _, _ in
      self?.state.withLock { $0.fires += 1 }
    }
    // endregion
    let latest = lane.clock.now.advanced(by: Self.interval + tolerance).nanoseconds
    state.withLock { state in
      state.timers.append(timer)
      _ = state.plan.schedule(by: latest)
    }
  }

  /// Lets the timers that are due fire, if the time of the planned wake-up has come, and plans the next one.
  func wakeIfPlanned() {
    let now = lane.clock.now
    let (plan, before, timers) = state.withLock { ($0.plan, $0.fires, $0.timers) }
    guard plan.next.at <= now.nanoseconds else { return }
    clock.advance(by: slept)
    let first = timers.compactMap { $0.snapshot.deadline }.min()
    let fires = state.withLock { state in
      state.wakeUps += 1
      let bounds = first.map { ($0.nanoseconds, $0.advanced(by: tolerance).nanoseconds) }
      _ = state.plan.schedule(within: bounds, now: now.nanoseconds)
      return state.fires - before
    }
    let isWasteful = tolerance == .zero && timers.count > 1
    lane.mark(
      .character(fires < 10 ? Character("\(fires)") : "+"), word: counted(fires, "timer"),
      wrong: isWasteful ? "one wake-up each" : nil)
  }
}
