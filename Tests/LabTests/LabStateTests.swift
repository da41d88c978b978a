import Dashboard
import TerminalCore
import Testing
import TimerKit

@testable import Lab

/// A lab with the time of its user.
private final class User {
  private var lab: LabState
  var now = TimerClock.suspending.instant(nanoseconds: 5_000_000_000)

  init(_ scene: Scene? = nil) {
    lab = LabState(scene)
  }

  @discardableResult
  func press(_ command: LabCommand) -> Bool { lab.update(command, at: now) }

  @discardableResult
  func press(_ action: Action) -> Bool { press(.action(action)) }

  func open(_ scene: Scene?) { lab = LabState(scene) }

  var page: LabPage { lab.page(at: now) }
  var nextChange: TimerClock.Instant? { lab.nextChange(after: now) }
}

struct LabStateTests {
  @Test func menuOpensScenesAndBackLeavesThem() {
    let user = User()
    #expect(user.page.title == "lab")
    #expect(user.nextChange == nil)
    #expect(user.press(.down))
    #expect(user.press(.step))
    #expect(user.page.title == Scene.all[1].name)
    #expect(user.nextChange != nil)
    #expect(user.press(.leave))
    #expect(user.page.title == "lab")
    #expect(!user.press(.leave))
  }

  @Test func menuSelectionStopsAtItsEnds() {
    let user = User()
    for _ in 0..<100 { user.press(.down) }
    user.press(.step)
    #expect(user.page.title == Scene.all.last?.name)
    user.press(.leave)
    for _ in 0..<100 { user.press(.up) }
    user.press(.step)
    #expect(user.page.title == Scene.all.first?.name)
  }

  @Test func nextAndPreviousOpenOtherScenes() {
    let user = User(Scene.named("modes"))
    user.press(.previousScene)
    #expect(user.page.title == Scene.all.last?.name)
    user.press(.nextScene)
    #expect(user.page.title == "modes")
  }

  @Test func aNameOpensAScene() {
    let user = User()
    #expect(user.press(.open("debounce")))
    #expect(user.page.title == "debounce")
    user.press(.showCode)
    user.press(.open("modes"))
    #expect(user.page.title == "modes" && user.page.about != "text and source code")
    user.press(.open("nonesuch"))
    #expect(user.page.title == "modes")
  }

  @Test func codeReplacesTheScene() {
    let user = User(Scene.named("race"))
    user.press(.showCode)
    #expect(user.nextChange == nil)
    guard case .code(let pieces, scroll: 0)? = user.page.blocks.first else {
      Issue.record("no code")
      return
    }
    // Unsafe code, with safe code beside it.
    #expect(pieces.map(\.title) == ["cancel the timer", "TimerKit, isCurrent"])
    #expect(pieces.map(\.isCounterexample) == [true, false])
    for _ in 0..<300 { user.press(.down) }
    let canvas = user.page.canvas(Size(width: 80, height: 24), options: .init())
    #expect(canvas.lines[2] != "", "scrolled past the end")
    user.press(.leave)
    #expect(user.page.title == "race")
  }

  /// The races run and are drawn without a key.
  @Test func racesRunByThemselves() async throws {
    let user = User(Scene.named("race"))
    func text() -> String {
      user.page.canvas(Size(width: 120, height: 36), options: .init()).text
    }
    // The runs of a counterexample are all wrong: 3 of 3.
    while !text().contains(#/ (\d+) of \1 /#) { try await Task.sleep(for: .milliseconds(5)) }
    while !text().contains("A's timer deletes B") {
      #expect(user.nextChange != nil)
      user.now = user.now.advanced(by: .milliseconds(500))
    }
    #expect(text().contains("pattern 2 of 8"))
  }

  @Test func randomKeysKeepTheFrameValid() {
    let commands: [LabCommand] =
      "xsdfbulzw".map { .input($0) }
      + [
        Action.step, .playToEnd, .faster, .slower, .pauseScene, .showCode, .restartScene, .up,
        .down, .nextScene, .previousScene, .leave,
      ].map { .action($0) }
    let user = User()
    for _ in 0..<300 {
      user.now = user.now.advanced(by: .milliseconds(Int.random(in: 0..<200)))
      // Scenes on real time have other tests.
      if ["race", "accuracy", "suspend", "lab"].contains(user.page.title) {
        user.open(Scene.virtual.randomElement())
      }
      if let command = commands.randomElement() { user.press(command) }
      let canvas = user.page.canvas(Size(width: 60, height: 20), options: .init())
      #expect(canvas.lines[0].hasPrefix(" \(user.page.title)"))
    }
  }
}
