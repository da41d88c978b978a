import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let clocks = Scene(
    name: "clocks", about: "suspending, continuous, wall: through sleep and a clock step",
    explanation: [
      "All three timers fire every 2 s of their own clock; while the machine sleeps nothing"
        + " fires and the suspending clock stops, but the continuous and wall clocks continue, and"
        + " their timers fire when it wakes.",
      "Setting the clock 3 s ahead fires the wall timer at once, with one fire for the two"
        + " that are due; setting it 3 s back makes the wall timer wait 3 s longer; the other two"
        + " are not affected.",
      "Use suspending to count the time that the machine is awake, continuous for time that includes"
        + " sleep, such as a countdown, and wall for a time of day.",
    ],
    keys: [
      .init("s", "sleep / wake"), .init("f", "clock +3 s"), .init("b", "clock −3 s"),
    ],
    legend: [
      .init(.fired, "fire"), .init(.paused, "sleep"), .init(.started, "wake"),
      .init(.character("f"), "clock set 3 s ahead"), .init(.character("b"), "set 3 s back"),
      .init(.waiting, "asleep, clock continues"),
    ],
    terms: [.suspending, .continuous, .wall],
    listings: [LabCode("three clocks", region: "clocks")],
    open: {
      VirtualPlayer(
        script: Script("------------s---------s-----f-----------b-------------------"),
        inputs: ["s", "f", "b"], keyLane: nil
      ) { fixture in
        let machine = try Machine(on: fixture)
        // Advances the clocks of the machine.
        let ticker = try Repeater.every(Machine.grain, clock: .virtual(fixture.clock)) { _, _ in
          machine.tick()
        }
        fixture.keep(ticker)
        return { key in
          switch key {
          case "s": machine.toggleSleep()
          case "f": machine.setClock(by: .seconds(3))
          case "b": machine.setClock(by: .seconds(-3))
          default: break
          }
        }
      }
    })
}

/// A simulated machine with three clocks, which can sleep and have its time of day set.
private final class Machine: Sendable {
  static let grain = Duration.milliseconds(10)

  private struct State {
    /// The time asleep so far; `nil` while awake.
    var slept: Duration?
    /// The sum of all clock steps.
    var offset = Duration.zero
  }

  private let clocks = TimerClock.Kind.allCases.map { VirtualClock($0) }
  private let power: Lane
  private let clock: Lane
  private let lanes: [Lane]
  private let timers: [Repeater]
  private let state = Mutex(State())

  init(on fixture: Fixture) throws(TimerConfigurationError) {
    power = fixture.lane("machine", isInput: true)
    clock = fixture.lane("time of day", isInput: true)
    var lanes: [Lane] = []
    var timers: [Repeater] = []
    for virtualClock in clocks {
      let lane = fixture.lane(virtualClock.kind.rawValue)
      // region: clocks
      let timer = try Repeater.every(.seconds(2), clock: .virtual(virtualClock)) { _, _ in
        lane.mark(.fired)
      }
      // endregion
      lanes.append(lane)
      timers.append(timer)
    }
    self.timers = timers
    self.lanes = lanes
    for (lane, (clock, timer)) in zip(lanes, zip(clocks, timers)) {
      lane.setNote { [weak self] in self?.text(of: clock, timer.snapshot) ?? "" }
    }
    power.setNote { [weak self] in self.map { $0.slept == nil ? "awake" : "asleep" } ?? "" }
    clock.setNote { [weak self] in self?.offsetNote ?? "" }
  }

  private var slept: Duration? { state.withLock { $0.slept } }

  /// Returns the time that a clock shows and the counts of its timer, as text.
  private func text(of clock: VirtualClock, _ timer: Repeater.Snapshot) -> String {
    let asleep = clock.kind == .suspending ? .zero : slept ?? .zero
    let shown = Duration.nanoseconds(clock.now.nanoseconds) + asleep
    let missed = timer.missedCount > 0 ? ", missed \(timer.missedCount)" : ""
    return "shows \(shown.tenths), fired \(timer.deliveredCount)\(missed)"
  }

  private var offsetNote: String {
    let offset = state.withLock { $0.offset }.components.seconds
    return offset == 0 ? "correct" : offset > 0 ? "\(offset) s ahead" : "\(-offset) s behind"
  }

  /// Lets ten milliseconds pass.
  func tick() {
    let isAsleep = state.withLock { state in
      state.slept? += Self.grain
      return state.slept != nil
    }
    guard !isAsleep else { return }
    for clock in clocks { clock.advance(by: Self.grain) }
  }

  func toggleSleep() {
    let slept = state.withLock { state in
      defer { state.slept = state.slept == nil ? .zero : nil }
      return state.slept
    }
    power.mark(slept == nil ? .paused : .started)
    power.setLineStyle(slept == nil ? .none : .idle)
    // While asleep the suspending clock stops; the others continue, but nothing fires.
    for (clock, lane) in zip(clocks, lanes) {
      lane.setLineStyle(slept != nil ? .idle : clock.kind == .suspending ? .none : .waiting)
      if let slept { clock.suspend(for: slept) }
    }
  }

  /// Sets the time of day. Does nothing while the machine sleeps.
  func setClock(by step: Duration) {
    guard slept == nil else { return }
    clock.mark(.character(step > .zero ? "f" : "b"))
    state.withLock { $0.offset += step }
    for clock in clocks { clock.adjustWall(by: step) }
  }
}
