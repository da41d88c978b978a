import Dashboard
import Dispatch
import Foundation
import Synchronization
import Testing
import TimerKit

@testable import Lab

/// Real races with every pattern. Only runs in the required order count, so the counts do not
/// depend on the speed or the load of the machine.
@Suite(.serialized)
struct RaceTests {
  private struct Expected: Equatable {
    var deleted: Int
    var ignored: Int
    var invoked: Int
  }

  private static let expected: [String: [Race: Expected]] = [
    "deferred call": [.replaced: .init(deleted: 100, ignored: 0, invoked: 100)],
    "cancellable timer": [
      .replaced: .init(deleted: 100, ignored: 0, invoked: 100),
      .rescheduled: .init(deleted: 100, ignored: 0, invoked: 100),
    ],
    "identity check": [
      .replaced: .init(deleted: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(deleted: 100, ignored: 0, invoked: 100),
    ],
    "generation count": [
      .replaced: .init(deleted: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(deleted: 0, ignored: 100, invoked: 100),
    ],
    "parent's queue": [
      .replaced: .init(deleted: 0, ignored: 0, invoked: 0),
      .rescheduled: .init(deleted: 0, ignored: 0, invoked: 0),
    ],
    "TimerKit, isCurrent": [
      .replaced: .init(deleted: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(deleted: 0, ignored: 100, invoked: 100),
    ],
    "TimerKit, same queue": [
      .replaced: .init(deleted: 0, ignored: 0, invoked: 0),
      .rescheduled: .init(deleted: 0, ignored: 0, invoked: 0),
    ],
  ]

  /// Runs a tally without blocking a thread that its handlers may need.
  private func run(_ tally: Tally, _ keys: [Tally.Key], runs: Int) async {
    let group = tally.start(keys, runs: runs)
    await withCheckedContinuation { continuation in
      group.notify(queue: DispatchQueue(label: "lab.test")) { continuation.resume() }
    }
  }

  @Test func hundredValidRunsGiveTheTableWithEveryCoreBusy() async throws {
    let load = Load()
    defer { load.stop() }
    let tally = Tally()
    await run(tally, Tally.keys, runs: 100)
    for key in Tally.keys {
      let count = tally[key]
      let pattern = Pattern.all[key.pattern].name
      // A handler that is first in the queue correctly deletes the child in every pattern.
      let expected =
        key.race == .firedFirst
        ? Expected(deleted: 100, ignored: 0, invoked: 100) : Self.expected[pattern]?[key.race]
      #expect(count.valid == 100, "\(pattern), \(key.race)")
      #expect(
        Expected(deleted: count.deleted, ignored: count.ignored, invoked: count.invoked)
          == expected,
        "\(pattern), \(key.race)")
    }
    var player = RacePlayer(tally)
    player.showAllSteps()
    let text = Scene.race.plainText(
      player.snapshot(at: TimerClock.suspending.instant(nanoseconds: 0)))
    try StoredText("Tests/LabTests/Snapshots/race.txt").expect(text + "\n")
  }

  @Test func everyRunHasItsStepsInOrder() async {
    let tally = Tally()
    await run(tally, Tally.keys, runs: 1)
    for key in Tally.keys {
      guard let run = tally.newest(key) else {
        Issue.record("no run")
        continue
      }
      let pattern = Pattern.all[key.pattern]
      let report = RunReport(run: run, pattern: pattern)
      #expect(report.steps.count == (pattern.isDeferred ? 4 : 6))
      // Each step happened after the previous one.
      let times = report.steps.dropLast().map { report.delay(of: $0) ?? .seconds(-1) }
      #expect(times.allSatisfy { $0 >= .zero } && times == times.sorted(), "\(pattern.name)")
      #expect(
        report.verdictMark == (run.childDeleted && key.race != .firedFirst ? .wrong : .finished))
    }
  }

  @Test func timesHaveTheOrderOfTheEntries() {
    let log = RaceLog()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50_000 { log.record(.busy) }
    }
    let times = log.entries.map(\.time)
    #expect(times.count == 400_000)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func runInAnotherOrderIsDiscarded() {
    let tally = Tally()
    let key = Tally.Key(pattern: 1, race: .replaced)
    // The handler ran before the control, which is another race.
    let events: [RaceLog.Event] = [
      .controlRan, .created, .busy, .requested, .fired, .freed, .deleted, .controlRan,
    ]
    #expect(!RaceRunner.isValid(events, .replaced, firesOnQueue: false))
    #expect(
      RaceRunner.isValid(
        [.controlRan, .created, .busy, .requested, .fired, .freed, .controlRan, .deleted],
        .replaced,
        firesOnQueue: false))
    // The timer fired too early, before the queue was blocked, or after it was free; the control ran too late, no
    // handler ran, no events.
    for events: [RaceLog.Event] in [
      [.controlRan, .created, .busy, .fired, .requested, .freed, .controlRan, .deleted],
      [.controlRan, .created, .fired, .busy, .requested, .freed, .controlRan, .deleted],
      [.controlRan, .created, .busy, .requested, .freed, .fired, .controlRan, .deleted],
      [.controlRan, .created, .busy, .requested, .freed, .controlRan],
      [.controlRan, .created, .busy, .requested, .fired, .freed, .deleted],
      [],
    ] {
      #expect(!RaceRunner.isValid(events, .rescheduled, firesOnQueue: false))
    }
    tally.record(Run(race: .replaced, entries: [], childDeleted: true, isValid: false), of: key)
    #expect(tally[key] == Tally.Count(discarded: 1))
    #expect(tally.newest(key) == nil)
  }

  @Test func stopEndsAfterTheCurrentRun() async {
    let tally = Tally()
    let group = tally.start([Tally.Key(pattern: 1, race: .replaced)], runs: 1_000_000)
    tally.stop()
    await withCheckedContinuation { continuation in
      group.notify(queue: DispatchQueue(label: "lab.test")) { continuation.resume() }
    }
    #expect(!tally.isWorking)
  }

  /// After steps during a run, those that follow it still lead to its last step and to the next
  /// run.
  @Test func stepsDuringARunDoNotPassItsLastStep() async {
    let tally = Tally()
    var player = RacePlayer(tally)
    let now = TimerClock.suspending.now
    for _ in 0..<20 { player.handle(.action(.step), at: now) }
    while tally.isWorking { await Task.yield() }
    for _ in 0..<6 { player.handle(.action(.step), at: now) }
    while tally.isWorking { await Task.yield() }
    #expect(tally[Tally.Key(pattern: 1, race: .replaced)].valid >= 2)
    // A player stops its tally when it is released.
    withExtendedLifetime(player) {}
  }

  @Test func timersOutsideTheLabAreNotAffected() async throws {
    let queue = DispatchQueue(label: "outside")
    let ticks = Mutex<[Repeater.Tick]>([])
    let timer = try Repeater.every(.milliseconds(5), queue: queue) { _, tick in
      ticks.withLock { $0.append(tick) }
    }
    let before = timer.snapshot
    await run(Tally(), Tally.keys, runs: 2)
    for scene in Scene.virtual { _ = scene.plainText() }
    let after = timer.snapshot
    #expect(after.generation == before.generation && after.state != .idle)
    #expect(after.staleCount == 0)
    timer.cancel()
    // All ticks are on the grid, and none is lost.
    let seen = ticks.withLock { $0 }
    let start = try #require(seen.first?.deadline)
    var period = 0
    for tick in seen {
      #expect(tick.deadline == start.advanced(by: .milliseconds(5) * period))
      period += 1 + tick.missedCount
    }
  }
}

/// A load that keeps every core busy.
private final class Load: Sendable {
  private let isOver = Atomic(false)

  init() {
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      DispatchQueue(label: "lab.load").async { [self] in
        var number: UInt64 = 1
        while !isOver.load(ordering: .relaxed) { number = number &* 6_364_136_223_846_793_005 &+ 1 }
        precondition(number != 0)
      }
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
