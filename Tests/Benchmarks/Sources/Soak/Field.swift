import Foundation
import Synchronization
import TimerKit

/// The timers of the soak: those that run, and those that are over and wait to be replayed.
final class Field: Sendable {
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

  /// One mutex for each place, since a place gets a new timer when the old one is over.
  private let places: [Place]
  private let retired = Mutex<[Retired]>([])
  private let tally = Mutex(Tally())
  private let began = Date()

  private final class Place: Sendable {
    let timer: Mutex<WatchedTimer>
    init(_ timer: WatchedTimer) { self.timer = Mutex(timer) }
  }

  init(count: Int) throws {
    var random = SystemRandomNumberGenerator()
    places = try (0..<count).map { _ in Place(try WatchedTimer(&random)) }
  }

  /// Calls a random control of a random timer.
  func callAny(_ random: inout some RandomNumberGenerator) {
    let place = places[Int.random(in: 0..<places.count, using: &random)]
    let timer = place.timer.withLock { $0 }
    tally.withLock { $0.calls += 1 }
    guard !timer.callAny(&random), let next = try? WatchedTimer(&random) else { return }
    place.timer.withLock { $0 = next }
    retire(timer)
  }

  private func retire(_ timer: WatchedTimer) {
    retired.withLock { $0.append(Retired(timer: timer, at: Date())) }
  }

  /// Replays the timers that have been over for a while: what they have to tell still comes in their
  /// queue's next drains.
  func replayRetired(after delay: TimeInterval = 2) {
    let ripe = retired.withLock { retired in
      let limit = Date(timeIntervalSinceNow: -delay)
      let ripe = retired.prefix { $0.at <= limit }
      retired.removeFirst(ripe.count)
      return ripe
    }
    for item in ripe {
      let (history, snapshot) = item.timer.record
      let fault = Replay.fault(in: history, snapshot)
      // On a machine that was busy elsewhere the last words may still be on their way.
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
    for place in places {
      let timer = place.timer.withLock { $0 }
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
