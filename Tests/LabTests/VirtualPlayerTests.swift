import Dashboard
import Testing
import TimerKit

@testable import Lab

/// Speed, pause, step and user input of a scene on virtual time.
struct VirtualPlayerTests {
  /// Drives a scene with one timer that fires every second and a key x that adds a mark.
  private final class Driver {
    private var player: VirtualPlayer
    private var now = 0

    init(script: String = "--x-------") {
      player = VirtualPlayer(script: Script(script), labels: ["x": "press"]) { fixture in
        let lane = fixture.lane("timer")
        let timer = try Repeater.every(.seconds(1), clock: .virtual(fixture.clock)) { _, _ in
          lane.mark(.fired)
        }
        return { _ in
          _ = timer
        }
      }
    }

    func handle(_ command: LabCommand, at milliseconds: Int) {
      draw(until: milliseconds)
      player.handle(command, at: .at(milliseconds))
    }

    func handle(_ action: Action, at milliseconds: Int) {
      handle(.action(action), at: milliseconds)
    }

    /// Returns the time, the keys and the fires that the scene shows.
    func shown(at milliseconds: Int) -> Shown {
      draw(until: milliseconds)
      let picture = player.snapshot(at: .at(milliseconds))
      guard let lanes = picture.lanes else { return Shown() }
      return Shown(
        now: lanes.now.inMilliseconds, keys: lanes.lanes[0].letters,
        fires: lanes.lanes[1].times(of: .fired))
    }

    /// The outcome of the timer's lane.
    var isGood: Bool? { player.snapshot(at: .at(now)).lanes?.lanes[1].isGood }

    func status(at milliseconds: Int) -> LabPage.Status {
      draw(until: milliseconds)
      return player.snapshot(at: .at(milliseconds)).status ?? LabPage.Status(nil)
    }

    /// Takes a snapshot twenty times a second, as the screen does.
    private func draw(until milliseconds: Int) {
      while now < milliseconds {
        _ = player.snapshot(at: .at(now))
        now = min(now + 50, milliseconds)
      }
    }

    /// Takes no snapshot for a while.
    func skip(until milliseconds: Int) { now = milliseconds }

    func nextChange(after milliseconds: Int) -> TimerClock.Instant? {
      player.nextChange(after: .at(milliseconds))
    }
  }

  private struct Shown: Equatable {
    var now = 0
    var keys: [String] = []
    var fires: [Int] = []
  }

  @Test func scriptPlaysInRealTimeAndStopsAtItsEnd() {
    let driver = Driver()
    #expect(driver.shown(at: 0) == Shown(now: 0, keys: [], fires: []))
    #expect(driver.isGood == nil, "a verdict before the end")
    #expect(driver.shown(at: 1200) == Shown(now: 1200, keys: ["x500"], fires: [1000]))
    #expect(driver.nextChange(after: 1200) == .at(1250))
    // After the end nothing changes, and nothing wakes the program.
    #expect(driver.shown(at: 60_000) == Shown(now: 2499, keys: ["x500"], fires: [1000, 2000]))
    #expect(driver.status(at: 60_000).playback == .ended)
    #expect(driver.isGood == true)
    #expect(driver.nextChange(after: 60_000) == nil)
    driver.handle(.restartScene, at: 61_000)
    #expect(driver.shown(at: 61_600) == Shown(now: 600, keys: ["x500"], fires: []))
  }

  @Test func firstUserKeyEndsTheScript() {
    let driver = Driver()
    _ = driver.shown(at: 0)
    driver.handle(.input("x"), at: 1500)
    driver.handle(.input("x"), at: 1750)
    #expect(driver.shown(at: 1750) == Shown(now: 250, keys: ["x0", "x250"], fires: []))
    #expect(driver.status(at: 1750).details.contains("your keys"))
    #expect(driver.isGood == nil, "your keys have no end, so that nothing is proved")
    // Without a script the scene does not end.
    #expect(driver.shown(at: 11_500).fires.count == 10)
    #expect(driver.status(at: 11_500).playback == .running)
  }

  @Test func otherKeysAreNotInputs() {
    let driver = Driver()
    _ = driver.shown(at: 0)
    driver.handle(.input("z"), at: 100)
    #expect(driver.shown(at: 600) == Shown(now: 600, keys: ["x500"], fires: []))
  }

  @Test func speedCanBeChanged() {
    let driver = Driver(script: String(repeating: "-", count: 4000))
    _ = driver.shown(at: 0)
    for _ in 0..<9 { driver.handle(.slower, at: 0) }
    #expect(driver.status(at: 0).speed == "×1/10")
    #expect(driver.shown(at: 1000).now == 100)
    for _ in 0..<20 { driver.handle(.faster, at: 1000) }
    #expect(driver.status(at: 1000).speed == "×100")
    let later = driver.shown(at: 2000)
    #expect(later.now == 100_100)
    #expect(later.fires == (1...100).map { $0 * 1000 })
  }

  @Test func pauseStopsTimeAndStepsGoToTheNextEvent() {
    let driver = Driver()
    _ = driver.shown(at: 0)
    driver.handle(.pauseScene, at: 100)
    #expect(driver.nextChange(after: 100) == nil)
    #expect(driver.shown(at: 5000).now == 100)
    driver.handle(.step, at: 5000)
    #expect(driver.shown(at: 5000) == Shown(now: 500, keys: ["x500"], fires: []))
    driver.handle(.step, at: 5100)
    #expect(driver.shown(at: 5100) == Shown(now: 1000, keys: ["x500"], fires: [1000]))
    driver.handle(.pauseScene, at: 6000)
    #expect(driver.shown(at: 6250).now == 1250)
  }

  @Test func stepPausesTheScene() {
    let driver = Driver()
    _ = driver.shown(at: 0)
    driver.handle(.step, at: 600)
    #expect(driver.shown(at: 9000) == Shown(now: 1000, keys: ["x500"], fires: [1000]))
    #expect(driver.status(at: 9000).playback == .paused)
  }

  @Test func timeStopsWithoutSnapshots() {
    let driver = Driver(script: String(repeating: "-", count: 4000))
    for _ in 0..<20 { driver.handle(.faster, at: 0) }
    #expect(driver.shown(at: 500).now == 50_000)
    driver.skip(until: 86_400_500)
    #expect(driver.shown(at: 86_400_500).now == 150_000)
  }

  @Test(arguments: Scene.virtual.map(\.name))
  func sceneReleasesItsLanes(name: String) throws {
    let scene = try #require(Scene.named(name))
    weak var fixture: Fixture?
    weak var lane: Lane?
    do {
      var player = try #require(scene.open() as? VirtualPlayer)
      player.playToEnd()
      fixture = player.fixture
      lane = player.fixture.lanes.last
      #expect(fixture != nil && lane != nil)
    }
    #expect(fixture == nil && lane == nil)
  }

  @Test func playToEndGivesTheSameAsSmallSteps() {
    let whole = Driver()
    whole.handle(.playToEnd, at: 0)
    let slow = Driver()
    for step in 0...300 { _ = slow.shown(at: step * 10) }
    #expect(whole.shown(at: 3000) == slow.shown(at: 3000))
  }
}

extension TimerClock.Instant {
  fileprivate static func at(_ milliseconds: Int) -> TimerClock.Instant {
    TimerClock.suspending.instant(nanoseconds: 7_000_000_000).advanced(
      by: .milliseconds(milliseconds))
  }
}
