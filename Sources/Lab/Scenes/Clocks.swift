import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let clocks = Scene(
    id: "clocks", about: "suspending, continuous, wall: through sleep and a clock step",
    look: [
      "All three timers fire every 2 s of their clock; while the machine sleeps, the suspending one"
        + " stands still and nothing fires, but continuous and wall go on and have their fire as soon"
        + " as it wakes.",
      "The clock set 3 s ahead brings the wall timer's fire at once, one for the two that it passed;"
        + " set 3 s back, it waits 3 s longer; the others take no notice.",
      "So suspending is for work, continuous for what must count the night, wall for a time of day.",
    ],
    keys: [
      .init("s", "sleep, wake"), .init("f", "clock +3 s"), .init("b", "clock −3 s"),
    ],
    legend: [
      .init(.fired, "fire"), .init(.paused, "falls asleep"), .init(.started, "wakes"),
      .init(.letter("f"), "clock set 3 s ahead"), .init(.letter("b"), "3 s back"),
      .init(.waiting, "asleep, but its clock goes on"),
    ],
    exhibits: [Exhibit("three clocks", source: PackageResources.Clocks_txt)],
    open: {
      VirtualPerformance(
        script: Script("------------s---------s-----f-----------b-------------------"),
        inputs: ["s", "f", "b"]
      ) { stage in
        let machine = try Machine(on: stage)
        // What the machine's clocks are moved by.
        let ticker = try Repeater.every(Machine.grain, clock: .virtual(stage.clock)) { _, _ in
          machine.tick()
        }
        stage.keep(ticker)
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

/// A machine with three clocks that can sleep, and whose time of day can be set.
private final class Machine: Sendable {
  static let grain = Duration.milliseconds(10)

  private struct State {
    /// How long it has been asleep; `nil` while it is awake.
    var slept: Duration?
    /// How far the time of day was set, all in all.
    var offset = Duration.zero
  }

  private let clocks = TimerClock.Kind.allCases.map { VirtualClock($0) }
  private let power: Lane
  private let clock: Lane
  private let lanes: [Lane]
  private let timers: [Repeater]
  private let state = Mutex(State())

  init(on stage: Stage) throws(TimerConfigurationError) {
    power = stage.lane("machine", isInput: true)
    clock = stage.lane("clock", isInput: true)
    var lanes: [Lane] = []
    var timers: [Repeater] = []
    for virtualClock in clocks {
      let lane = stage.lane(virtualClock.kind.rawValue)
      // shown
      let timer = try Repeater.every(.seconds(2), clock: .virtual(virtualClock)) { _, _ in
        lane.mark(.fired)
      }
      // end
      lanes.append(lane)
      timers.append(timer)
    }
    self.timers = timers
    self.lanes = lanes
    for (lane, (clock, timer)) in zip(lanes, zip(clocks, timers)) {
      lane.note { [weak self] in self?.note(clock, timer.snapshot) ?? "" }
    }
    power.note { [weak self] in self.map { $0.slept == nil ? "awake" : "asleep" } ?? "" }
    clock.note { [weak self] in self?.offsetNote ?? "" }
  }

  private var slept: Duration? { state.withLock { $0.slept } }

  /// What a clock shows, and what its timer did.
  private func note(_ clock: VirtualClock, _ timer: Repeater.Snapshot) -> String {
    let asleep = clock.kind == .suspending ? .zero : slept ?? .zero
    let shown = Duration.nanoseconds(clock.now.nanoseconds) + asleep
    let missed = timer.missedCount > 0 ? ", missed \(timer.missedCount)" : ""
    return "shows \(shown.tenths), fired \(timer.deliveredCount)\(missed)"
  }

  private var offsetNote: String {
    let offset = state.withLock { $0.offset }.components.seconds
    return offset == 0 ? "right" : offset > 0 ? "\(offset) s ahead" : "\(-offset) s behind"
  }

  /// A moment goes by.
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
    power.line(slept == nil ? .none : .idle)
    // Asleep, the suspending one stands still; the others go on, but nothing can fire.
    for (clock, lane) in zip(clocks, lanes) {
      lane.line(slept != nil ? .idle : clock.kind == .suspending ? .none : .waiting)
      if let slept { clock.suspend(for: slept) }
    }
  }

  /// Nobody sets the clock of a machine that sleeps.
  func setClock(by step: Duration) {
    guard slept == nil else { return }
    clock.mark(.letter(step > .zero ? "f" : "b"))
    state.withLock { $0.offset += step }
    for clock in clocks { clock.stepWall(by: step) }
  }
}
