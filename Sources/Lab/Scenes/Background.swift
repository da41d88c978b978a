import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let background = Scene(
    id: "background", about: "many writes, one flush: coalesce and delay",
    look: [
      "A write marked x may wait 2 s to be flushed, an urgent one marked u half a second; the digit"
        + " is how many writes one flush takes with it.",
      "Coalesce flushes at the earliest time that was asked for, and an urgent write takes the lazy"
        + " ones along; delay flushes at the time that was asked for last, and a lazy write puts even"
        + " an urgent one off.",
      "Idle is a delay of 1.25 s from whatever came last: it speaks only when all is quiet.",
    ],
    keys: [.init("x", "lazy write"), .init("u", "urgent write")],
    legend: [.init(.letter("3"), "flush of 3 writes"), .init(.waiting, "writes wait")],
    exhibits: [Exhibit("one flush for many writes", source: PackageResources.Background_txt)],
    open: {
      VirtualPerformance(
        script: Script("--x--x--x-----------x-u-----ux----------"), inputs: ["x", "u"]
      ) { stage in
        let keys = stage.lane("writes", isInput: true)
        let cache = Cache(stage.lane("coalesce"))
        let log = Cache(stage.lane("delay"))
        let screen = Cache(stage.lane("idle"))
        // shown
        let cacheTimer = BackgroundTimer(for: cache, .coalesce, clock: .virtual(stage.clock))
        let logTimer = BackgroundTimer(for: log, .delay, clock: .virtual(stage.clock))
        let idleTimer = BackgroundTimer(for: screen, .delay, clock: .virtual(stage.clock))
        // end
        for (timer, cache) in [(cacheTimer, cache), (logTimer, log), (idleTimer, screen)] {
          cache.lane.follow(timer)
          cache.lane.note {
            let snapshot = timer.snapshot
            return counted(snapshot.callCount, "write", "writes") + ", "
              + counted(snapshot.deliveredCount, "flush", "flushes")
          }
        }
        return { key in
          keys.mark(.letter(key))
          for cache in [cache, log, screen] { cache.write() }
          // shown
          let patience = key == "u" ? Duration.milliseconds(500) : .seconds(2)
          cacheTimer.after(patience) { $0.flush() }
          logTimer.after(patience) { $0.flush() }
          idleTimer.after(.seconds(1.25)) { $0.flush() }
          // end
        }
      }
    })
}

/// Keeps writes until they are flushed.
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
    lane.mark(.letter(count < 10 ? Character("\(count)") : "+"))
  }
}
