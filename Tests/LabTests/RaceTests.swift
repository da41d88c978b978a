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
  /// The last event of every run: the handler deletes, the handler ignores, or no handler is called.
  private static let expected: [String: [Race: RaceEvent]] = [
    "deferred call": [.replaced: .deleted],
    "cancel the timer": [.replaced: .deleted, .rescheduled: .deleted],
    "compare timers": [.replaced: .ignored, .rescheduled: .deleted],
    "wrong guard": [.rescheduled: .deleted],
    "count changes": [.replaced: .ignored, .rescheduled: .ignored],
    "same queue": [.replaced: .control, .rescheduled: .control],
    "TimerKit, isCurrent": [.replaced: .ignored, .rescheduled: .ignored],
    "TimerKit, same queue": [.replaced: .control, .rescheduled: .control],
  ]

  @Test func hundredValidRunsGiveTheTableWithEveryCoreBusy() async throws {
    let load = Load()
    defer { load.stop() }
    let tally = Tally()
    await tally.end()
    for key in Tally.keys {
      let pattern = Pattern.all[key.pattern].name
      let ending = try #require(Self.expected[pattern]?[key.race])
      #expect(tally[key].endings == [ending: 100], "\(pattern), \(key.race)")
    }
    #expect(Tally.keys.count == Self.expected.values.reduce(0) { $0 + $1.count })
  }

  @Test func sceneGivesTheStoredText() async throws {
    let scene = try #require(Scene.named("race"))
    let text = await onAnotherThread { scene.plainText() }
    try StoredText("Tests/LabTests/Snapshots/race.txt").expect(text + "\n")
  }

  /// A page draws the events of its newest run, one a second.
  @Test func everyPageShowsItsRunStepByStep() async throws {
    var player = RacePlayer()
    let now = TimerClock.suspending.now
    for index in Pattern.all.indices {
      if index == 0 { player.handle(.action(.up), at: now) }
      while player.nextChange(after: now) == nil || player.snapshot(at: now).blocks.count < 2 {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(marks(of: &player) == 1, "\(Pattern.all[index].name): the object")
      player.handle(.action(.playToEnd), at: now)
      #expect(marks(of: &player) >= 5, "\(Pattern.all[index].name)")
      player.handle(.action(.restartScene), at: now)
      #expect(marks(of: &player) == 1)
      player.handle(.action(.down), at: now)
    }
    #expect(player.listings?.map(\.title) == ["TimerKit, same queue"])
  }

  private func marks(of player: inout RacePlayer) -> Int {
    let page = player.snapshot(at: TimerClock.suspending.now)
    guard case .lanes(let lanes)? = page.blocks.first else { return 0 }
    return lanes.lanes.reduce(0) { $0 + $1.marks.count }
  }

  @Test func runInAnotherOrderIsDiscarded() {
    let runner = RaceRunner(key: Tally.Key(pattern: 1, race: .replaced))
    #expect(runner.isComplete([.control, .busy, .requested, .fired, .control, .deleted]))
    #expect(runner.isComplete([.control, .busy, .requested, .fired, .control, .ignored]))
    // The handler ran before the control, which is another race. The timer fired too early, before the control was
    // requested or the queue was busy, or too late; no handler ran, or two; no events.
    for events: [RaceEvent] in [
      [.control, .busy, .requested, .fired, .deleted, .control],
      [.control, .busy, .fired, .requested, .control, .deleted],
      [.control, .fired, .busy, .requested, .control, .deleted],
      [.control, .busy, .requested, .control, .fired, .deleted],
      [.control, .busy, .requested, .fired, .control],
      [.control, .busy, .requested, .fired, .control, .deleted, .ignored],
      [],
    ] {
      #expect(!runner.isComplete(events))
    }
    let own = RaceRunner(key: Tally.Key(pattern: 5, race: .replaced))
    #expect(own.isComplete([.control, .busy, .requested, .due, .control]))
    #expect(own.isComplete([.control, .busy, .requested, .due, .control, .deleted]))
    #expect(!own.isComplete([.control, .busy, .requested, .control]))
  }

  @Test func aReleasedTallyStops() async {
    let key = Tally.Key(pattern: 1, race: .replaced)
    weak var released: Tally?
    do {
      let tally = Tally([key], runs: 1_000_000)
      released = tally
      while tally[key].runs == 0 { await Task.yield() }
    }
    // A worker holds it only while it adds a run.
    while released != nil { await Task.yield() }
  }

  @Test func timersOutsideTheLabAreNotAffected() async throws {
    let queue = DispatchQueue(label: "outside")
    let ticks = Mutex<[Repeater.Tick]>([])
    let timer = try Repeater.every(.milliseconds(5), queue: queue) { _, tick in
      ticks.withLock { $0.append(tick) }
    }
    let before = timer.snapshot
    await Tally(runs: 2).end()
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

extension Tally {
  /// Waits for all runs.
  fileprivate func end() async { await onAnotherThread { self.wait() } }
}

/// Does work that blocks, without blocking a thread that the handlers of races may need.
private func onAnotherThread<Result: Sendable>(
  _ work: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "lab.test").async { continuation.resume(returning: work()) }
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
