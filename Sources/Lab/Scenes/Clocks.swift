import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let clocks = Scene(
    id: "clocks", about: "uptime, boot and wall clock: the machine sleeps, the clock is set",
    look: [
      "All three timers fire every 2 s of their clock; while the machine sleeps, uptime stands still"
        + " and nothing fires, but boot and wall go on and have their fire as soon as it wakes.",
      "The clock set 3 s ahead brings the wall timer's fire at once, one for the two that it passed;"
        + " set 3 s back, it waits 3 s longer; the others take no notice.",
      "So uptime is for work, boot for what must count the night, wall for a time of day.",
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
        let ticker = try Repeater.every(Machine.grain, on: stage.timeline) { _, _ in
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

/// A machine with three clocks that can sleep, and whose time of day can be set. All simulated.
private final class Machine: Sendable {
  static let grain = Duration.milliseconds(10)

  private struct State {
    var isAsleep = false
    var uptime = Duration.zero
    var boot = Duration.zero
    /// What went by on the clocks that go on during sleep.
    var slept = Duration.zero
    /// How far the time of day is set back behind the moments that were there already: until they
    /// come again, no timer of it fires.
    var heldBack = Duration.zero
    var wallOffset = Duration.zero
  }

  private let uptime = VirtualTimeline(kind: .uptime)
  private let boot = VirtualTimeline(kind: .boot)
  private let wall = VirtualTimeline(kind: .wall)
  private let power: Lane
  private let clock: Lane
  private let lanes: [Lane]
  private let timers: [Repeater]
  private let state = Mutex(State())

  init(on stage: Stage) throws(TimerError) {
    power = stage.lane("machine", isInput: true)
    clock = stage.lane("clock", isInput: true)
    var lanes: [Lane] = []
    var timers: [Repeater] = []
    for timeline in [uptime, boot, wall] {
      let lane = stage.lane(timeline.kind.rawValue)
      // shown
      let timer = try Repeater.every(.seconds(2), on: timeline) { _, _ in
        lane.mark(.fired)
      }
      // end
      lanes.append(lane)
      timers.append(timer)
    }
    self.timers = timers
    self.lanes = lanes
    for (lane, timer) in zip(lanes, timers) {
      lane.note { [weak self] in self?.note(of: timer) ?? "" }
    }
    power.note { [weak self] in self.map { $0.isAsleep ? "asleep" : "awake" } ?? "" }
    clock.note { [weak self] in self?.offsetNote ?? "" }
  }

  /// What its clock shows, and what it did.
  private func note(of timer: Repeater) -> String {
    let snapshot = timer.snapshot
    let shown = state.withLock { state in
      switch snapshot.clock {
      case .uptime: state.uptime
      case .boot: state.boot
      case .wall: state.boot + state.wallOffset
      }
    }
    let missed = snapshot.missedCount > 0 ? ", missed \(snapshot.missedCount)" : ""
    return "shows \(shown.tenths), fired \(snapshot.deliveredCount)\(missed)"
  }

  private var isAsleep: Bool { state.withLock { $0.isAsleep } }

  private var offsetNote: String {
    let offset = state.withLock { $0.wallOffset }.components.seconds
    return offset == 0 ? "right" : offset > 0 ? "\(offset) s ahead" : "\(-offset) s behind"
  }

  /// A moment goes by.
  func tick() {
    let (isAsleep, isHeldBack) = state.withLock { state in
      state.boot += Self.grain
      if state.isAsleep {
        state.slept += Self.grain
        return (true, false)
      }
      state.uptime += Self.grain
      guard state.heldBack > .zero else { return (false, false) }
      state.heldBack -= Self.grain
      return (false, true)
    }
    guard !isAsleep else { return }
    uptime.advance(by: Self.grain)
    boot.advance(by: Self.grain)
    if !isHeldBack { wall.advance(by: Self.grain) }
  }

  func toggleSleep() {
    let slept = state.withLock { state in
      state.isAsleep.toggle()
      defer { state.slept = .zero }
      return state.isAsleep ? nil : state.slept
    }
    power.mark(slept == nil ? .paused : .started)
    power.line(slept == nil ? .none : .idle)
    // Asleep, uptime stands still; the others go on, but nothing can fire.
    for (lane, line) in zip(lanes, [LabLine.none, .waiting, .waiting]) {
      lane.line(slept == nil ? line : .idle)
    }
    guard let slept else { return }
    boot.jump(by: slept)
    moveWall(by: slept)
  }

  func setClock(by step: Duration) {
    clock.mark(.letter(step > .zero ? "f" : "b"))
    state.withLock { $0.wallOffset += step }
    if step > .zero { moveWall(by: step) } else { state.withLock { $0.heldBack -= step } }
  }

  /// Forward; first what it is held back by.
  private func moveWall(by step: Duration) {
    let rest = state.withLock { state in
      let held = min(state.heldBack, step)
      state.heldBack -= held
      return step - held
    }
    wall.jump(by: rest)
  }
}

extension VirtualTimeline {
  /// The time is later all at once, and what has come due meanwhile is late: told from inside a
  /// handler, a timeline moves its time before it runs what is due.
  fileprivate func jump(by duration: Duration) {
    guard duration > .zero else { return }
    let alarm = Alarm(on: self) { [weak self] _, _ in self?.advance(by: duration) }
    alarm.schedule(at: now)
    advance(by: .zero)
  }
}
