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

  @Test func hundredValidRunsOfEachPatternGiveTheTallyWithEveryCoreBusy() async throws {
    let load = Load()
    defer { load.stop() }
    let tally = Tally()
    await tally.end()
    for key in Tally.keys {
      let pattern = Pattern.all[key.pattern].name
      let ending = try #require(Self.expected[pattern]?[key.race])
      let runs = 100 / Pattern.all[key.pattern].races.count
      #expect(tally[key].endings == [ending: runs], "\(pattern), \(key.race)")
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
      while player.snapshot(at: now).lanes == nil {
        try await Task.sleep(for: .milliseconds(5))
      }
      let start = events(of: &player)
      player.handle(.action(.step), at: now)
      #expect(events(of: &player) > start, "\(Pattern.all[index].name): a step")
      player.handle(.action(.playToEnd), at: now)
      #expect(events(of: &player) >= start + 5, "\(Pattern.all[index].name)")
      player.handle(.action(.restartScene), at: now)
      #expect(events(of: &player) == start)
      player.handle(.action(.down), at: now)
    }
    #expect(player.listings?.map(\.title) == ["TimerKit, same queue"])
  }

  /// Returns the number of marks and lines in the picture.
  private func events(of player: inout RacePlayer) -> Int {
    let lanes = player.snapshot(at: TimerClock.suspending.now).lanes?.lanes ?? []
    return lanes.reduce(0) { $0 + $1.marks.count + $1.segments.count }
  }

  /// The first picture waits for a key before each event, and plays by itself in the menu.
  @Test func theSceneBeginsStepping() async throws {
    for playsByItself in [false, true] {
      var player = RacePlayer()
      if playsByItself { player.playByItself() }
      let now = TimerClock.suspending.now
      while player.snapshot(at: now).lanes == nil { try await Task.sleep(for: .milliseconds(5)) }
      let later = now.advanced(by: .milliseconds(900))
      _ = player.snapshot(at: now)
      #expect((player.snapshot(at: later).lanes?.now ?? .zero > .zero) == playsByItself)
      #expect(player.snapshot(at: later).tally?.selected == 0)
    }
  }

  @Test func runInAnotherOrderIsDiscarded() {
    let runner = RaceRunner(key: Tally.Key(pattern: 0, race: .replaced))
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
    let key = Tally.Key(pattern: 0, race: .replaced)
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
