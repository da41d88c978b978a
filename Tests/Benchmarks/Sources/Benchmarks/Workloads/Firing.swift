import Foundation
import Synchronization

/// Creates many timers that are due together or nearly so, and waits until all have fired.
struct Firing {
  private let count: Int
  /// The time from the first deadline to the last, in nanoseconds.
  private let spread: Int64
  private let lead: Int64

  init(_ setup: Setup, spread: Int64) {
    count = setup.count
    lead = setup.lead
    self.spread = spread
  }

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    // Few timers take little time: there are more rounds, and the first one is a warm-up.
    let rounds = max(1, min(20, 40_000 / count))
    if rounds > 1 { _ = try fire(system) {} }
    var cpu: Int64 = 0
    var wall: Int64 = 0
    for _ in 0..<rounds {
      var stopwatch = Stopwatch()
      let lasted = try fire(system) { stopwatch = Stopwatch() }
      cpu += stopwatch.stop().process
      wall += lasted
    }
    let fires = Double(rounds * count)
    return [.cpu: Double(cpu) / fires, .wall: Double(wall) / fires]
  }

  func countThreads<System: TimerSystem>(_ system: System) throws -> Readings {
    guard Resources.threads != nil else { throw Failure.unsupported("no /proc here") }
    let watch = ThreadWatch()
    _ = try fire(system) { watch.start() }
    return [.threads: Double(watch.stop())]
  }

  /// Returns the time from the first deadline to the last fire.
  /// - Parameter isAboutToFire: Called when all timers are ready, shortly before the first deadline.
  private func fire<System: TimerSystem>(
    _ system: System, isAboutToFire: () -> Void
  ) throws -> Int64 {
    let tally = Tally(timers: count)
    var random = SplitMix(seed: UInt64(count))
    let offsets = (0..<count).map { Int64($0) * spread / Int64(count) }.shuffled(using: &random)
    let first = Clocks.uptime + 60_000_000 + Int64(count) * System.creationCost * lead
    var timers: [System.Timer] = []
    timers.reserveCapacity(count)
    for (index, offset) in offsets.enumerated() {
      timers.append(try system.once(at: first + offset, index, tally))
    }
    Stopwatch.waitUntilIdle()
    guard Clocks.uptime < first - 20_000_000 else { throw Failure.notReadyInTime }
    system.wait(for: tally, until: first - 5_000_000)
    isAboutToFire()
    system.wait(for: tally, until: first + 20_000_000_000)
    try tally.check()
    for timer in timers { system.cancel(timer) }
    return tally.completedAt - first
  }
}

/// Samples the number of threads on its own thread.
private final class ThreadWatch: Sendable {
  private let highest = Atomic(0)
  private let isOver = Atomic(false)

  func start() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        highest.max(Resources.threads ?? 0, ordering: .relaxed)
        sleep(nanoseconds: 20_000)
      }
    }
  }

  /// Returns the highest number of threads, without the sampling thread.
  func stop() -> Int {
    isOver.store(true, ordering: .relaxed)
    return highest.load(ordering: .relaxed) - 1
  }
}
