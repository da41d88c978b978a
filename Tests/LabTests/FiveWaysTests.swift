import Dashboard
import Dispatch
import Foundation
import Synchronization
import Testing
import TimerKit

@testable import Lab

/// The patterns, raced for real. A run counts only if its log is the recipe's; what is counted then
/// does not depend on how fast the machine is, or how busy.
@Suite(.serialized)
struct FiveWaysTests {
  private struct Expected: Equatable {
    var lost: Int
    var ignored: Int
    var invoked: Int
  }

  private static let expected: [String: [Race: Expected]] = [
    "deferred call": [.replaced: .init(lost: 100, ignored: 0, invoked: 100)],
    "cancellable timer": [
      .replaced: .init(lost: 100, ignored: 0, invoked: 100),
      .rescheduled: .init(lost: 100, ignored: 0, invoked: 100),
    ],
    "identity check": [
      .replaced: .init(lost: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(lost: 100, ignored: 0, invoked: 100),
    ],
    "generation count": [
      .replaced: .init(lost: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(lost: 0, ignored: 100, invoked: 100),
    ],
    "single queue": [
      .replaced: .init(lost: 0, ignored: 0, invoked: 0),
      .rescheduled: .init(lost: 0, ignored: 0, invoked: 0),
    ],
    "TimerKit, isCurrent": [
      .replaced: .init(lost: 0, ignored: 100, invoked: 100),
      .rescheduled: .init(lost: 0, ignored: 100, invoked: 100),
    ],
    "TimerKit, own queue": [
      .replaced: .init(lost: 0, ignored: 0, invoked: 0),
      .rescheduled: .init(lost: 0, ignored: 0, invoked: 0),
    ],
  ]

  /// Waits for a tally without blocking a thread that its handlers may need.
  private func run(_ tally: Tally, _ keys: [Tally.Key], runs: Int) async {
    let group = tally.start(keys, runs: runs)
    await withCheckedContinuation { continuation in
      group.notify(queue: DispatchQueue(label: "lab.test")) { continuation.resume() }
    }
  }

  @Test func aHundredStagedRunsGiveTheTableWithEveryCoreBusy() async throws {
    let load = Load()
    defer { load.stop() }
    let tally = Tally()
    await run(tally, Tally.keys, runs: 100)
    for key in Tally.keys {
      let count = tally[key]
      let pattern = Pattern.all[key.pattern].name
      // What was first in the queue deletes the child in every pattern, and rightly so.
      let expected =
        key.race == .firedFirst
        ? Expected(lost: 100, ignored: 0, invoked: 100) : Self.expected[pattern]?[key.race]
      #expect(count.staged == 100, "\(pattern), \(key.race)")
      #expect(
        Expected(lost: count.lost, ignored: count.ignored, invoked: count.invoked) == expected,
        "\(pattern), \(key.race)")
    }
    var performance = FiveWaysPerformance(tally)
    performance.showEnd()
    let text = Scene.fiveWays.plainText(performance.picture(at: .init(nanoseconds: 0)))
    try StoredText("Tests/LabTests/Snapshots/fiveways.txt").expect(text + "\n")
  }

  @Test func theStepsOfEveryRunAreTold() async {
    let tally = Tally()
    await run(tally, Tally.keys, runs: 1)
    for key in Tally.keys {
      guard let run = tally.newest(key) else {
        Issue.record("no run")
        continue
      }
      let pattern = Pattern.all[key.pattern]
      let story = RaceStory(run: run, pattern: pattern)
      #expect(story.steps.count == (pattern.isDeferred ? 4 : 6))
      // Each happened, and after the one before it.
      let times = story.steps.dropLast().map { story.delay(of: $0) ?? .seconds(-1) }
      #expect(times.allSatisfy { $0 >= .zero } && times == times.sorted(), "\(pattern.name)")
      #expect(story.verdictSign == (run.lostChild && key.race != .firedFirst ? .wrong : .finished))
    }
  }

  @Test func aRunThatWentAnotherWayIsNoResult() {
    let tally = Tally()
    let key = Tally.Key(pattern: 1, race: .replaced)
    // The handler had the queue before the control: that is another race.
    let events: [RaceLog.Event] = [
      .controlled, .created, .busy, .asked, .fired, .freed, .deleted, .controlled,
    ]
    #expect(!Staging.isStaged(events, .replaced, firesOnQueue: false))
    #expect(
      Staging.isStaged(
        [.controlled, .created, .busy, .asked, .fired, .freed, .controlled, .deleted], .replaced,
        firesOnQueue: false))
    // The timer was too early, the control too late, the handler not there at all.
    for events: [RaceLog.Event] in [
      [.controlled, .created, .busy, .fired, .asked, .freed, .controlled, .deleted],
      [.controlled, .created, .busy, .asked, .freed, .controlled],
      [.controlled, .created, .busy, .asked, .fired, .freed, .deleted],
      [],
    ] {
      #expect(!Staging.isStaged(events, .rescheduled, firesOnQueue: false))
    }
    tally.note(Run(race: .replaced, entries: [], lostChild: true, isStaged: false), of: key)
    #expect(tally[key] == Tally.Count(notStaged: 1))
    #expect(tally.newest(key) == nil)
  }

  @Test func stoppedItEndsAfterTheRunItIsAt() async {
    let tally = Tally()
    let group = tally.start([Tally.Key(pattern: 1, race: .replaced)], runs: 1_000_000)
    tally.stop()
    await withCheckedContinuation { continuation in
      group.notify(queue: DispatchQueue(label: "lab.test")) { continuation.resume() }
    }
    #expect(!tally.isWorking)
  }

  @Test func thePersonsTimersTakeNoNotice() async throws {
    let queue = DispatchQueue(label: "the person's")
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
    // On the grid from the first tick to the last, none lost.
    let seen = ticks.withLock { $0 }
    let start = try #require(seen.first?.scheduled)
    var period = 0
    for tick in seen {
      #expect(tick.scheduled == start.advanced(by: .milliseconds(5) * period))
      period += 1 + tick.missed
    }
  }
}

/// Keeps every core busy.
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
