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

  @Test(arguments: Scene.virtual.map(\.name))
  func everythingFitsOn80By24(name: String) throws {
    let text = try lines(name, 80, 24).joined(separator: "\n")
    let scene = try #require(Scene.named(name))
    for lane in Played(scene).lanes {
      #expect(text.contains(lane.label))
      // A note can be wrapped.
      #expect(lane.note.split(separator: " ").allSatisfy(text.contains), "\(lane.note)")
    }
    #expect(text.contains("q quit"))
    #expect(text.contains("c code"))
    #expect(text.contains(scene.explanation[2].split(separator: " ").suffix(1).joined()))
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
        "debounce       ■ end  ×1  10.0 s  script",
        "         0 s          5            10",
        "in       ─a────bcd────e─fghi─jkl────",
        "trailing ──┄┄a─┄┄┄┄d───┄┄┄┄┄┄┄┄┄┄l──",
        "leading  ─a────b──────e─────────────",
        "both     ─a────b─┄┄d──e──┄┄┄┄┄┄┄┄l──",
        "max 3 s  ──┄┄a─┄┄┄┄d───┄┄┄┄┄┄┄k┄┄l──",
        "x press  Enter step  p pause  + - speed",
      ])
  }

  /// The first mark of each kind in a lane has its name below it.
  @Test func marksAreNamedWhereThereIsRoom() throws {
    let text = try lines("modes", 120, 36).joined(separator: "\n")
    #expect(text.contains("start             pause / resume                  fire"))
    #expect(text.contains("start       fire  pause"))
    #expect(try !lines("modes", 80, 24).joined(separator: "\n").contains("start       fire"))
  }

  @Test func theExplanationIsCutRatherThanLeftOut() throws {
    let lines = try lines("debounce", 80, 12)
    #expect(lines.contains { $0.contains("max 3 s") })
    #expect(lines.contains { $0.contains("Trailing waits until") })
    #expect(lines.contains { $0.hasSuffix("…") })
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
    #expect(try row("reader") < row("the code that runs"))
    #expect(try row("the code that runs") < row("try session.renew()"))
    #expect(try row("try session.renew()") < row("what to look for"))
  }

  @Test func curvesShrinkBeforeALaneIsLost() throws {
    let lines = try lines("buffer", 40, 9)
    #expect(
      ["held", "by time", "by count", "under 5", "under 9"].allSatisfy { label in
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
