import Dashboard
import Synchronization
import TimerBoard
import TimerKit

extension Scene {
  static let background = Scene(
    name: "background",
    keys: [.init("x", "lazy write"), .init("u", "urgent write")],
    legend: [
      .init(.character("3"), "flush of 3 writes"), .init(.waiting, "writes wait"),
      .init(.wrong, "too late"),
      .init(.character("x"), "lazy write"), .init(.character("u"), "urgent"),
    ],
    listings: [LabCode("one flush for many writes", region: "background")],
    script: Script("--x--x--x-----------x-u-----ux----------"), keyLane: "you"
  ) { fixture in
    let each = Cache(fixture.lane("each"))
    let cache = Cache(fixture.lane("coalesce"))
    let log = Cache(fixture.lane("delay"))
    let index = Cache(fixture.lane("idle"))
    // region: background
    let cacheTimer = BackgroundTimer(
      for: cache, behavior: .coalesce, clock: .virtual(fixture.clock))
    let logTimer = BackgroundTimer(for: log, behavior: .delay, clock: .virtual(fixture.clock))
    let indexTimer = BackgroundTimer(
      for: index, behavior: .delay, clock: .virtual(fixture.clock))
    // endregion
    for (timer, cache) in [(cacheTimer, cache), (logTimer, log), (indexTimer, index)] {
      cache.lane.follow(timer)
    }
    return { key in
      for cache in [each, cache, log, index] { cache.write(isUrgent: key == "u") }
      each.flush()
      // region: background
      let delay = key == "u" ? Duration.milliseconds(500) : .seconds(2)
      cacheTimer.perform(after: delay) { $0.flush() }
      logTimer.perform(after: delay) { $0.flush() }
      indexTimer.perform(after: .seconds(1.25)) { $0.flush() }
      // endregion
    }
  }
}

/// The writes since the last flush.
private final class Cache: Sendable {
  private struct State {
    var unflushed = 0
    var writes = 0
    var flushes = 0
    /// The time of the oldest urgent write that is not flushed.
    var urgentSince: TimerClock.Instant?
    var longestWait = Duration.zero
  }

  /// The time in which an urgent write is flushed.
  private static let urgentWait = Duration.milliseconds(500)

  let lane: Lane
  private let state = Mutex(State())

  init(_ lane: Lane) {
    self.lane = lane
    lane.setNote { [weak self] in
      guard let state = self?.state.withLock({ $0 }) else { return "" }
      // The number that shows the fault.
      let late = state.longestWait - Self.urgentWait
      let flushes = counted(state.flushes, "flush", plural: "flushes")
      if late > .zero { return "urgent \(late.lateText)" }
      return "\(flushes), \(counted(state.writes, "write"))"
    }
    // A cache saves flushes, and is in time for urgent writes.
    lane.judge { [weak self, lane] in
      let state = self?.state.withLock { $0 } ?? State()
      return lane.count(.wrong) == 0 && (state.writes < 2 || state.flushes < state.writes)
    }
  }

  func write(isUrgent: Bool) {
    let now = lane.clock.now
    state.withLock { state in
      state.unflushed += 1
      state.writes += 1
      if isUrgent { state.urgentSince = state.urgentSince ?? now }
    }
  }

  func flush() {
    let now = lane.clock.now
    let (count, wait) = state.withLock { state in
      let wait = state.urgentSince.map { $0.duration(to: now) } ?? .zero
      defer {
        state.flushes += 1
        state.longestWait = max(state.longestWait, wait)
        state.unflushed = 0
        state.urgentSince = nil
      }
      return (state.unflushed, wait)
    }
    lane.mark(count, counted(count, "write"))
    let late = wait - Self.urgentWait
    if late > .zero { lane.mark(.wrong, wrong: "urgent \(late.lateText)") }
  }
}
