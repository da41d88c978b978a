import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let clocks = Scene(
    name: "clocks",
    keys: [
      .init("s", "sleep / wake"), .init("f", "clock +3 s"), .init("b", "clock −3 s"),
    ],
    legend: [
      .init(.fired, "fire"), .init(.waiting, "its time counts while asleep"),
      .init(.wrong, "early or late"), .init(.other, "asleep"),
    ],
    listings: [LabCode("three clocks", region: "clocks")],
    script: Script("------------s---------s-----f-----------b-------------------"), keyLane: nil
  ) { fixture in
    let machine = try Machine(on: fixture)
    // Advances the clocks of the machine.
    try fixture.every(Machine.grain) { machine.tick() }
    return { key in
      switch key {
      case "s": machine.toggleSleep()
      case "f": machine.setClock(by: .seconds(3))
      case "b": machine.setClock(by: .seconds(-3))
      default: break
      }
    }
  }
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
  /// For each clock, its lane and a timer on it.
  private let parts: [(clock: VirtualClock, lane: Lane, timer: Repeater)]
  private let state = Mutex(State())
  private let wokeAt: MutexBox<TimerClock.Instant>
  /// The largest error of the timer of each clock.
  private let worst = MutexBox<[TimerClock.Kind: Duration]>([:])

  init(on fixture: Fixture) throws(TimerConfigurationError) {
    let wokeAt = MutexBox(fixture.clock.now)
    self.wokeAt = wokeAt
    let worst = worst
    power = fixture.lane("machine", isInput: true)
    clock = fixture.lane("time of day", isInput: true)
    parts = try clocks.map { virtualClock throws(TimerConfigurationError) in
      let lane = fixture.lane(virtualClock.kind.rawValue)
      let lastFire = MutexBox(fixture.clock.now)
      // region: clocks
      let timer = try Repeater.every(.seconds(2), clock: .virtual(virtualClock)) { _, _ in
        // endregion
        let error = lane.markFire(
          after: lastFire.exchange(fixture.clock.now), wokeAt: wokeAt.value)
        worst.raise(to: error, for: virtualClock.kind)
        // region: clocks
      }
      // endregion
      return (virtualClock, lane, timer)
    }
    for (clock, lane, _) in parts {
      lane.setNote { [weak self] in
        let worst = self?.worst.value[clock.kind] ?? .zero
        return worst == .zero ? "on time" : "up to \(worst.tenths) off"
      }
    }
    power.setNote { [weak self] in self.map { $0.slept == nil ? "awake" : "asleep" } ?? "" }
    clock.setNote { [weak self] in self?.offsetNote ?? "" }
  }

  private var slept: Duration? { state.withLock { $0.slept } }

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
    power.setLine(slept == nil ? .other : .idle, word: slept == nil ? "asleep" : "")
    wokeAt.value = power.clock.now
    // While asleep the suspending clock stops; the others continue, but nothing fires.
    for (clock, lane, _) in parts {
      lane.setLine(slept != nil ? .idle : clock.kind == .suspending ? .none : .waiting)
      if let slept { clock.suspend(for: slept) }
    }
  }

  /// Sets the time of day. Does nothing while the machine sleeps.
  func setClock(by step: Duration) {
    guard slept == nil else { return }
    let isAhead = step > .zero
    clock.mark(.character(isAhead ? "f" : "b"), word: isAhead ? "+3 s" : "−3 s")
    state.withLock { $0.offset += step }
    for clock in clocks { clock.adjustWall(by: step) }
  }
}

extension Lane {
  /// Marks a fire, which is wrong if it is not at a multiple of 2 s; after a sleep the first one can only come at the end
  /// of it.
  /// - Returns: The size of the error.
  fileprivate func markFire(after last: TimerClock.Instant, wokeAt: TimerClock.Instant) -> Duration
  {
    let interval: Int64 = 2_000_000_000
    let due = (last.nanoseconds / interval + 1) * interval
    let error = Duration.nanoseconds(clock.now.nanoseconds - due)
    let isRight = error == .zero || clock.now == wokeAt
    // What a change of the clock does to the wait, if it does anything; else how far the timer is from its times.
    let change = last.duration(to: clock.now) - .nanoseconds(interval)
    let shift = change == .zero ? error : change
    let word = shift > .zero ? "\(shift.tenths) late" : "\((.zero - shift).tenths) early"
    mark(.fired, wrong: isRight ? nil : word)
    return isRight ? .zero : max(shift, .zero - shift)
  }
}

extension MutexBox<[TimerClock.Kind: Duration]> {
  /// Keeps the larger one of two errors of a clock.
  fileprivate func raise(to error: Duration, for kind: TimerClock.Kind) {
    value[kind] = max(value[kind] ?? .zero, error)
  }
}
