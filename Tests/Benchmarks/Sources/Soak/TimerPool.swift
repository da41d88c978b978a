import Foundation
import Synchronization
import TimerKit

/// The timers of the soak test: those that run, and ended ones that are to be replayed.
final class TimerPool: Sendable {
  private struct Retired {
    var timer: WatchedTimer
    var at: Date
  }

  private struct Tally {
    var calls = 0
    var replayed = 0
    var ticks = 0
    var faults: [String] = []
  }

  /// One mutex for each slot, since a slot gets a new timer when the previous one has ended.
  private let slots: [Slot]
  private let retired = Mutex<[Retired]>([])
  private let tally = Mutex(Tally())
  private let began = Date()

  private final class Slot: Sendable {
    let timer: Mutex<WatchedTimer>
    init(_ timer: WatchedTimer) { self.timer = Mutex(timer) }
  }

  init(count: Int) throws {
    var random = SystemRandomNumberGenerator()
    slots = try (0..<count).map { _ in Slot(try WatchedTimer(&random)) }
  }

  /// Calls a random control of a random timer.
  func callAny(_ random: inout some RandomNumberGenerator) {
    let slot = slots[Int.random(in: 0..<slots.count, using: &random)]
    let timer = slot.timer.withLock { $0 }
    tally.withLock { $0.calls += 1 }
    guard !timer.callAny(&random), let next = try? WatchedTimer(&random) else { return }
    slot.timer.withLock { $0 = next }
    retire(timer)
  }

  private func retire(_ timer: WatchedTimer) {
    retired.withLock { $0.append(Retired(timer: timer, at: Date())) }
  }

  /// Replays the timers that ended some time ago: their last events are delivered in later drains of their
  /// queue.
  func replayRetired(after delay: TimeInterval = 2) {
    let ready = retired.withLock { retired in
      let limit = Date(timeIntervalSinceNow: -delay)
      let ready = retired.prefix { $0.at <= limit }
      retired.removeFirst(ready.count)
      return ready
    }
    for item in ready {
      let (history, snapshot) = item.timer.record
      let fault = Replay.fault(in: history, snapshot)
      // On a busy machine the last events may still be pending.
      if fault != nil, item.at.timeIntervalSinceNow > -60 {
        retired.withLock { $0.append(item) }
        continue
      }
      tally.withLock { tally in
        tally.replayed += 1
        tally.ticks += snapshot.deliveredCount
        if let fault { tally.faults.append(fault) }
      }
    }
  }

  func retireAll() {
    for slot in slots {
      let timer = slot.timer.withLock { $0 }
      timer.call(.cancel)
      retire(timer)
    }
    while retired.withLock({ !$0.isEmpty }) {
      Thread.sleep(forTimeInterval: 0.5)
      replayRetired()
    }
  }

  var faults: [String] { tally.withLock { $0.faults } }

  var progress: String {
    let tally = tally.withLock { $0 }
    return """
      \(Int(-began.timeIntervalSinceNow)) s: \(tally.calls) calls, \(tally.replayed) timers with \
      \(tally.ticks) ticks replayed, \(tally.faults.count) faults
      """
  }
}
