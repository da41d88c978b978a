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
    #expect(user.page.textOffset == 0)
    let pieces = user.page.code
    // Unsafe code, with safe code beside it.
    #expect(pieces.map(\.title) == ["cancel the timer", "TimerKit, isCurrent"])
    #expect(pieces.map(\.isCounterexample) == [true, false])
    for _ in 0..<300 { user.press(.down) }
    let canvas = user.page.canvas(Size(width: 80, height: 24), options: .init())
    #expect(canvas.lines[2] != "", "scrolled past the end")
    user.press(.leave)
    #expect(user.page.title == "race")
  }

  /// The races run without a key; the picture waits for one before each event.
  @Test func racesRunByThemselves() async throws {
    let user = User(Scene.named("race"))
    while user.page.tally?.rows.first?.done ?? 0 == 0 || user.page.lanes == nil {
      try await Task.sleep(for: .milliseconds(5))
    }
    // All runs of a counterexample are wrong.
    let row = try #require(user.page.tally?.rows.first)
    #expect(row.name == "cancel the timer" && row.wrong == row.done)
    for _ in 0..<6 { user.press(.step) }
    #expect(user.page.lanes?.lanes.last?.faults == ["B gone"])
    #expect(user.page.status?.details.contains("1 of 8") == true)
  }

  /// The highlighted scene plays once in the menu.
  @Test func theMenuPlaysTheHighlightedScene() throws {
    let user = User()
    func preview() throws -> LabPage { try #require(user.page.menu?.preview.first) }
    #expect(try preview().title == "modes")
    #expect(user.nextChange != nil)
    for _ in 0..<300 {
      user.now = user.now.advanced(by: .milliseconds(50))
      _ = user.page
    }
    #expect(try preview().status?.playback == .ended)
    #expect(user.nextChange == nil)
    user.press(.down)
    #expect(try preview().title == "countdown")
    #expect(try preview().lanes?.now == .zero)
  }

  @Test func columnsOfTheMenuAreSideBySide() {
    let user = User()
    let visited = [
      Action.previousScene, .down, .nextScene, .nextScene, .nextScene, .nextScene, .up,
    ]
    .map { action in
      user.press(action)
      return user.page.menu?.selected
    }
    #expect(
      visited == [
        "modes", "countdown", "observers", "throttle", "window", "window", "race",
      ])
    // A short column has no line beside the last ones of a long column.
    for _ in 0..<3 { user.press(.previousScene) }
    for _ in 0..<4 { user.press(.down) }
    for _ in 0..<3 { user.press(.nextScene) }
    #expect(user.page.menu?.selected == "suspend")
  }

  @Test func aClickHighlightsASceneAndOpensTheHighlightedOne() {
    let user = User()
    user.press(.choose("race"))
    #expect(user.page.menu?.selected == "race")
    user.press(.choose("nonesuch"))
    #expect(user.page.menu?.selected == "race")
    user.press(.choose("throttle"))
    user.press(.choose("throttle"))
    #expect(user.page.title == "throttle")
  }

  /// The keys of the scene begin it anew only while it plays by itself.
  @Test func keysSayThatTheyStartOver() {
    let user = User(.debounce)
    func labels() -> [String] { user.page.keys.map(\.label) }
    #expect(labels().contains("(starts over)"))
    #expect(labels().last == "quit" && labels().first == "press")
    user.press(.input("x"))
    #expect(!labels().contains("(starts over)"))
    user.press(.restartScene)
    #expect(labels().contains("(starts over)"))
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
