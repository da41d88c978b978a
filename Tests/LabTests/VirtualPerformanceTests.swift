import Dashboard
import Testing
import TimerKit

@testable import Lab

/// How a person plays a scene: speed, pause, step, keys of their own.
struct VirtualPerformanceTests {
  /// Plays a scene of one timer that fires every second, whose key x leaves a mark.
  private final class Player {
    private var performance: VirtualPerformance
    private var now = 0

    init(script: String = "--x-------") {
      performance = VirtualPerformance(script: Script(script), inputs: ["x"]) { stage in
        let keys = stage.lane("keys", isInput: true)
        let lane = stage.lane("timer")
        let timer = try Repeater.every(.seconds(1), clock: .virtual(stage.clock)) { _, _ in
          lane.mark(.fired)
        }
        return { key in
          _ = timer
          keys.mark(.letter(key))
        }
      }
    }

    func perform(_ command: LabCommand, at milliseconds: Int) {
      look(until: milliseconds)
      performance.perform(command, at: .at(milliseconds))
    }

    /// What is to be seen: its time, the keys and the fires.
    func shown(at milliseconds: Int) -> Shown {
      look(until: milliseconds)
      let picture = performance.picture(at: .at(milliseconds))
      guard case .lanes(let lanes)? = picture.blocks.first else { return Shown() }
      return Shown(
        now: lanes.now.inMilliseconds, keys: lanes.lanes[0].letters,
        fires: lanes.lanes[1].times(of: .fired))
    }

    func status(at milliseconds: Int) -> LabFrame.Status {
      look(until: milliseconds)
      return performance.picture(at: .at(milliseconds)).status
    }

    /// What a screen does: it asks for a picture twenty times a second.
    private func look(until milliseconds: Int) {
      while now < milliseconds {
        _ = performance.picture(at: .at(now))
        now = min(now + 50, milliseconds)
      }
    }

    /// Nobody looks for a while.
    func away(until milliseconds: Int) { now = milliseconds }

    func staleAt(_ milliseconds: Int) -> TimerClock.Instant? {
      performance.staleAt(.at(milliseconds))
    }
  }

  private struct Shown: Equatable {
    var now = 0
    var keys: [String] = []
    var fires: [Int] = []
  }

  @Test func theScriptPlaysInRealTimeAndThenStands() {
    let player = Player()
    #expect(player.shown(at: 0) == Shown(now: 0, keys: [], fires: []))
    #expect(player.shown(at: 1200) == Shown(now: 1200, keys: ["x500"], fires: [1000]))
    #expect(player.staleAt(1200) == .at(1250))
    // At its end nothing moves any more, and nothing wakes the program.
    #expect(player.shown(at: 60_000) == Shown(now: 2499, keys: ["x500"], fires: [1000, 2000]))
    #expect(player.status(at: 60_000).motion == .ended)
    #expect(player.staleAt(60_000) == nil)
    player.perform(.again, at: 61_000)
    #expect(player.shown(at: 61_600) == Shown(now: 600, keys: ["x500"], fires: []))
  }

  @Test func thePersonsFirstKeyEndsTheScript() {
    let player = Player()
    _ = player.shown(at: 0)
    player.perform(.input("x"), at: 1500)
    player.perform(.input("x"), at: 1750)
    #expect(player.shown(at: 1750) == Shown(now: 250, keys: ["x0", "x250"], fires: []))
    #expect(player.status(at: 1750).words.contains("your keys"))
    // It does not end by itself.
    #expect(player.shown(at: 11_500).fires.count == 10)
    #expect(player.status(at: 11_500).motion == .running)
  }

  @Test func keysThatAreNotTheScenesAreNotInputs() {
    let player = Player()
    _ = player.shown(at: 0)
    player.perform(.input("z"), at: 100)
    #expect(player.shown(at: 600) == Shown(now: 600, keys: ["x500"], fires: []))
  }

  @Test func timeCanBeSlowedAndHurried() {
    let player = Player(script: String(repeating: "-", count: 4000))
    _ = player.shown(at: 0)
    for _ in 0..<9 { player.perform(.slower, at: 0) }
    #expect(player.status(at: 0).speed == "×1/10")
    #expect(player.shown(at: 1000).now == 100)
    for _ in 0..<20 { player.perform(.faster, at: 1000) }
    #expect(player.status(at: 1000).speed == "×100")
    let later = player.shown(at: 2000)
    #expect(later.now == 100_100)
    #expect(later.fires == (1...100).map { $0 * 1000 })
  }

  @Test func pausedItStandsAndSingleStepsGoToWhatHappensNext() {
    let player = Player()
    _ = player.shown(at: 0)
    player.perform(.pause, at: 100)
    #expect(player.staleAt(100) == nil)
    #expect(player.shown(at: 5000).now == 100)
    player.perform(.step, at: 5000)
    #expect(player.shown(at: 5000) == Shown(now: 500, keys: ["x500"], fires: []))
    player.perform(.step, at: 5100)
    #expect(player.shown(at: 5100) == Shown(now: 1000, keys: ["x500"], fires: [1000]))
    player.perform(.pause, at: 6000)
    #expect(player.shown(at: 6250).now == 1250)
  }

  @Test func aStepPausesWhatRuns() {
    let player = Player()
    _ = player.shown(at: 0)
    player.perform(.step, at: 600)
    #expect(player.shown(at: 9000) == Shown(now: 1000, keys: ["x500"], fires: [1000]))
    #expect(player.status(at: 9000).motion == .paused)
  }

  @Test func whileNobodyLooksTimeStands() {
    let player = Player(script: String(repeating: "-", count: 4000))
    for _ in 0..<20 { player.perform(.faster, at: 0) }
    #expect(player.shown(at: 500).now == 50_000)
    player.away(until: 86_400_500)
    #expect(player.shown(at: 86_400_500).now == 150_000)
  }

  @Test(arguments: Scene.virtual.map(\.id))
  func nothingOfASceneOutlivesIt(id: String) throws {
    let scene = try #require(Scene.named(id))
    weak var stage: Stage?
    weak var lane: Lane?
    do {
      var performance = try #require(scene.open() as? VirtualPerformance)
      performance.playOut()
      stage = performance.stage
      lane = performance.stage.lanes.last
      #expect(stage != nil && lane != nil)
    }
    #expect(stage == nil && lane == nil)
  }

  @Test func theWholeScriptAtOnceIsWhatItIsBitByBit() {
    let whole = Player()
    whole.perform(.hundred, at: 0)
    let slow = Player()
    for step in 0...300 { _ = slow.shown(at: step * 10) }
    #expect(whole.shown(at: 3000) == slow.shown(at: 3000))
  }
}

extension TimerClock.Instant {
  fileprivate static func at(_ milliseconds: Int) -> TimerClock.Instant {
    TimerClock.Instant(nanoseconds: 7_000_000_000).advanced(by: .milliseconds(milliseconds))
  }
}
