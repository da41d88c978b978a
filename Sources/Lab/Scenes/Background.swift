import Dashboard
import Synchronization
import TimerBoard
import TimerKit

extension Scene {
  static let background = Scene(
    name: "background", about: "many writes, one flush: coalesce, delay and idle",
    explanation: [
      "A lazy write, marked x, can wait 2 s for its flush, and an urgent write, marked u, 0.5"
        + " s; the digit is the number of writes in one flush.",
      "Coalesce flushes at the earliest requested time, so an urgent write flushes the"
        + " pending lazy writes too; delay flushes at the time that the most recent write asks for, so a lazy"
        + " write postpones even an urgent one.",
      "Idle is a delay of 1.25 s after the latest write: it flushes only when no more writes"
        + " come.",
    ],
    keys: [.init("x", "lazy write"), .init("u", "urgent write")],
    legend: [
      .init(.character("3"), "flush of 3 writes"),
      .init(.waiting, "pending (writes wait for a flush)"),
    ],
    terms: [.flush],
    listings: [LabCode("one flush for many writes", region: "background")],
    open: {
      VirtualPlayer(
        script: Script("--x--x--x-----------x-u-----ux----------"), inputs: ["x", "u"],
        keyLane: "writes"
      ) { fixture in
        let cache = Cache(fixture.lane("coalesce"))
        let log = Cache(fixture.lane("delay"))
        let idleCache = Cache(fixture.lane("idle"))
        // region: background
        let cacheTimer = BackgroundTimer(
          for: cache, behavior: .coalesce, clock: .virtual(fixture.clock))
        let logTimer = BackgroundTimer(for: log, behavior: .delay, clock: .virtual(fixture.clock))
        let idleTimer = BackgroundTimer(
          for: idleCache, behavior: .delay, clock: .virtual(fixture.clock))
        // endregion
        for (timer, cache) in [(cacheTimer, cache), (logTimer, log), (idleTimer, idleCache)] {
          cache.lane.follow(timer)
          cache.lane.setNote {
            let snapshot = timer.snapshot
            return counted(snapshot.callCount, "write") + ", "
              + counted(snapshot.deliveredCount, "flush", plural: "flushes")
          }
        }
        return { key in
          for cache in [cache, log, idleCache] { cache.write() }
          // region: background
          let delay = key == "u" ? Duration.milliseconds(500) : .seconds(2)
          cacheTimer.perform(after: delay) { $0.flush() }
          logTimer.perform(after: delay) { $0.flush() }
          idleTimer.perform(after: .seconds(1.25)) { $0.flush() }
          // endregion
        }
      }
    })
}

/// A counter of the writes since the last flush.
private final class Cache: Sendable {
  let lane: Lane
  private let unflushed = Mutex(0)

  init(_ lane: Lane) {
    self.lane = lane
  }

  func write() { unflushed.withLock { $0 += 1 } }

  func flush() {
    let count = unflushed.withLock { count in
      defer { count = 0 }
      return count
    }
    lane.mark(.character(count < 10 ? Character("\(count)") : "+"))
  }
}
