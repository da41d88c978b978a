import Dashboard
import TerminalCore
import Testing
import TimerKit

@testable import Lab

struct LabViewTests {
  private func page(_ name: String) throws -> LabPage {
    let scene = try #require(Scene.named(name))
    var player = scene.open()
    player.playToEnd()
    return scene.page(player.snapshot(at: TimerClock.suspending.instant(nanoseconds: 0)))
  }

  private func lines(
    _ name: String, _ width: Int, _ height: Int, isASCII: Bool = false
  ) throws -> [String] {
    try page(name).canvas(
      Size(width: width, height: height), options: DisplayOptions(isASCII: isASCII)
    ).lines
  }

  /// Below the header of the dashboard, which takes a row.
  @Test(arguments: Scene.all.filter { $0.duration == nil }.map(\.name))
  func thePictureIsWholeOn80By24(name: String) throws {
    let text = try lines(name, 80, 23).joined(separator: "\n")
    let scene = try #require(Scene.named(name))
    for lane in Played(scene).lanes {
      #expect(text.contains(lane.label))
      // A note can be wrapped.
      #expect(lane.note.split(separator: " ").allSatisfy(text.contains), "\(lane.note)")
      if let word = lane.words.first?.value { #expect(text.contains(word)) }
    }
    #expect(scene.legend.map(\.meaning).allSatisfy(text.contains))
    #expect(scene.text.uses.map { "\($0.word) " }.allSatisfy(text.contains))
    #expect(text.contains("q quit"))
    #expect(text.contains("c text, code"))
  }

  /// The rest of the text is behind a key.
  @Test(arguments: Scene.all.filter { $0.duration == nil }.map(\.name))
  func theTextPageHasEverything(name: String) throws {
    var lab = LabState(Scene.named(name))
    _ = lab.update(.action(.showCode), at: TimerClock.suspending.instant(nanoseconds: 0))
    let text = lab.page(at: TimerClock.suspending.instant(nanoseconds: 0)).canvas(
      Size(width: 80, height: 200), options: DisplayOptions()
    ).lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let scene = try #require(Scene.named(name))
    let words =
      scene.text.explanation + scene.text.terms.map(\.meaning) + scene.text.uses.map(\.meaning)
    for part in words + scene.text.code + scene.listings.flatMap(\.lines) {
      #expect(text.contains(part.split(separator: " ").joined(separator: " ")), "\(part)")
    }
  }

  @Test func longCodeIsWrapped() {
    let page = LabPage(
      title: "t", about: "u",
      blocks: [
        .code([.init("c", isCounterexample: false, lines: ["  let timer = make(a, b, c)"])])
      ])
    #expect(
      page.canvas(Size(width: 20, height: 6), options: .init()).lines.prefix(5)
        == ["t · u", "", "c", "  let timer =", "      make(a, b, c)"])
  }

  @Test(arguments: ["menu", "debounce", "clocks"]) func screensOfAllSizes(name: String) throws {
    var menu = LabState(nil)
    let frame =
      name == "menu"
      ? menu.page(at: TimerClock.suspending.instant(nanoseconds: 0)) : try page(name)
    let screens = [(200, 60), (120, 36), (80, 24), (40, 8), (20, 3)].map { width, height in
      let canvas = frame.canvas(Size(width: width, height: height), options: DisplayOptions())
      return "# \(width)×\(height)\n\(canvas.text)\n"
    }
    try StoredText("Tests/LabTests/Snapshots/screens-\(name).txt")
      .expect(screens.joined(separator: "\n"))
  }

  @Test func lanesComeFirstOnASmallScreen() throws {
    #expect(
      try lines("debounce", 40, 8) == [
        "debounce                           ended",
        "         0 s       5",
        "in       ─a──bcd───efghikl───",
        "delay    ───a──✗✗d───✗✗✗2─2l─",
        "trailing ─┄┄a××┄┄d─×××2┄2┄┄l─",
        "leading  ─a──b××───e××2─2×───",
        "both     ─a──b×┄┄d─e××2┄2┄┄l─",
        "x press  Enter step  p pause  + - speed",
      ])
  }

  /// The first mark of each kind in a lane has its name below it.
  @Test func marksAreNamedWhereThereIsRoom() throws {
    let text = try lines("modes", 120, 36).joined(separator: "\n")
    #expect(text.contains("start           pause / resume                    fire"))
    #expect(text.contains("start       fire"))
    #expect(try !lines("modes", 80, 24).joined(separator: "\n").contains("start       fire"))
  }

  @Test func theUsesAreCutRatherThanLeftOut() throws {
    let lines = try lines("debounce", 80, 12)
    #expect(lines.contains { $0.contains("max 3 s") })
    #expect(lines.contains { $0.contains("a delivered") })
    #expect(lines.contains { $0.hasPrefix(" ✗ delay  ") })
    #expect(!lines.contains { $0.hasPrefix(" ✓ max 3 s ") })
  }

  /// The question is worth more than the details of the playback.
  @Test(arguments: Scene.virtual.map(\.name)) func theQuestionIsInTheFirstLine(name: String) throws
  {
    let scene = try #require(Scene.named(name))
    #expect(try lines(name, 80, 23)[0].hasPrefix(" \(name) · \(scene.about)"))
  }

  /// On a high screen the code stands between the lanes and the text.
  @Test func aHighScreenShowsTheCode() throws {
    var lab = LabState(.session)
    let lines = lab.page(at: TimerClock.suspending.instant(nanoseconds: 0)).canvas(
      Size(width: 200, height: 60), options: DisplayOptions()
    ).lines
    func row(_ text: String) throws -> Int {
      try #require(lines.firstIndex { $0.contains(text) }, "\(text)")
    }
    #expect(try row("reader") < row("write this"))
    #expect(try row("write this") < row("the code that runs"))
    #expect(try row("the code that runs") < row("session.replace(with: name)"))
  }

  @Test func curvesShrinkBeforeALaneIsLost() throws {
    let lines = try lines("buffer", 40, 9)
    #expect(
      ["when id", "in use", "every 5", "5th + 5", "under 5", "under 9"].allSatisfy { label in
        lines.contains { $0.hasPrefix(label) }
      })
  }

  @Test func equalMarksInACellShowAsTheirNumber() throws {
    let lines = try lines("missed", 120, 36)
    #expect(lines.contains { $0.contains("burst") && $0.contains("▒3─") })
  }

  @Test func lanesScrollAfterTheirLength() {
    var lane = LabLane("a", segments: [.init(.zero, .idle)])
    lane.marks = [.init(.zero, .fired), .init(.seconds(24), .fired)]
    let frame = LabPage(
      title: "t", about: "u",
      blocks: [
        .lanes(LabLanes([lane], cellDuration: .seconds(1), length: .seconds(10), now: .seconds(24)))
      ])
    #expect(frame.text(width: 20) == "t · u\n\n       20 s\na ─────────●")
    // On a wide screen a second takes several cells, all the same number.
    #expect(
      frame.text(width: 40)
        == "t · u\n\n  14 s  16    18    20    22    24\na ──────────────────────────────●")
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (10, 3), (20, 5), (40, 8), (300, 90)])
  func everySizeIsDrawn(width: Int, height: Int) throws {
    for scene in Scene.virtual {
      let canvas = try page(scene.name).canvas(
        Size(width: width, height: height), options: DisplayOptions(isASCII: true))
      #expect(canvas.size == Size(width: width, height: height))
      let isASCII = canvas.text.utf8.allSatisfy { $0 < 128 }
      #expect(isASCII)
    }
  }

  @Test func nothingIsShownByColorAlone() throws {
    let frame = try page("missed")
    let size = Size(width: 80, height: 24)
    let colored = frame.canvas(size, options: DisplayOptions())
    let plain = frame.canvas(size, options: DisplayOptions(hasColor: false))
    #expect(colored.text == plain.text)
    #expect(plain.cells.allSatisfy { $0.style.foreground == .standard })
    #expect(colored.cells.contains { $0.style.foreground != .standard })
  }
}
