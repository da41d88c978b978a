import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
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

  /// The three blocks are in this order, the labels of the last two at the left edge, and nothing is cut: every lane
  /// has its label, every plane both of its ends, and every line fits.
  @Test(arguments: Scene.all.map(\.name))
  func pictureWrongAndWriteStandInThisOrder(name: String) async throws {
    let scene = try #require(Scene.named(name))
    // Scenes on real time take the time of their runs.
    let page = await onAnotherThread {
      var player = scene.open()
      player.playToEnd()
      return scene.page(player.snapshot(at: TimerClock.suspending.now), code: scene.listings)
    }
    for (width, height) in [(80, 22), (120, 34), (200, 58), (40, 10)] {
      for isASCII in [false, true] {
        try expectOrder(of: page, Size(width: width, height: height), isASCII: isASCII)
      }
    }
  }

  private func expectOrder(of page: LabPage, _ size: Size, isASCII: Bool) throws {
    let view = LabView(page, width: size.width, isASCII: isASCII, bindings: .standard)
    #expect(view.lines(size.height).allSatisfy { $0.width <= view.width }, "\(size)")
    let lines = page.canvas(size, options: DisplayOptions(isASCII: isASCII)).lines
    let picture = try (page.lanes?.lanes ?? []).map { lane in
      let line = lines.dropFirst().firstIndex { $0.trimmed.hasPrefix(lane.label.prefix(4)) }
      return try #require(line, "\(lane.label) at \(size)")
    }
    #expect(!picture.isEmpty && picture == picture.sorted())
    let wrong = lines.firstIndex { $0.trimmed.hasPrefix("WRONG ") }
    let write = lines.firstIndex { $0.trimmed.hasPrefix("WRITE ") }
    #expect(size.height < 22 || wrong != nil && write != nil)
    let order = picture + [wrong, write].compactMap(\.self)
    #expect(order == order.sorted(), "\(size)")
    guard !isASCII else { return }
    for line in lines.prefix(wrong ?? 0) {
      #expect(line.count { $0 == "▐" } == line.count { $0 == "▌" }, "\(size): \(line)")
    }
  }

  /// On a screen of one size, the two blocks begin in the same lines in all scenes on virtual time.
  @Test(arguments: [(80, 22), (120, 34), (200, 58)])
  func theBlocksStandInTheSamePlace(width: Int, height: Int) throws {
    let places = try Scene.virtual.map { scene in
      let lines = try lines(scene.name, width, height)
      return lines.firstIndex { $0.trimmed.hasPrefix("WRONG ") }
    }
    #expect(Set(places).count == 1, "\(places)")
  }

  /// Below the header of the dashboard, which takes two rows.
  @Test(arguments: Scene.all.filter { $0.duration == nil }.map(\.name))
  func thePictureIsWholeOn80By24(name: String) throws {
    let text = try lines(name, 80, 22).joined(separator: "\n")
    let scene = try #require(Scene.named(name))
    for lane in Played(scene).lanes {
      #expect(text.contains(lane.label))
      #expect(text.contains(lane.note))
      if let word = lane.faults.first { #expect(text.contains(word)) }
    }
    #expect(scene.legend.map(\.meaning).allSatisfy(text.contains))
    let wrong = scene.text.uses.filter { $0.verdict == .wrong }
    #expect(wrong.allSatisfy { text.contains("✗ \($0.lane) ") })
    #expect(scene.text.code.allSatisfy(text.contains))
    #expect(text.contains("c code"))
    #expect(text.hasSuffix("q quit"))
  }

  /// The code of the variant that fails stands beside its fault, as the code to write does beside its uses.
  @Test(arguments: Scene.virtual.map(\.name)) func theWrongCodeIsShown(name: String) throws {
    let scene = try #require(Scene.named(name))
    let text = try lines(name, 120, 34).joined(separator: "\n")
    #expect(scene.text.wrongCode.allSatisfy { text.contains($0.trimmed) })
  }

  /// A word that says which way is wrong is there from the beginning, and no sign says that it is right.
  @Test(arguments: Scene.virtual.map(\.name)) func noWrongWayIsEverCalledRight(name: String) throws
  {
    let scene = try #require(Scene.named(name))
    var player = scene.open()
    for milliseconds in stride(from: 0, through: 20_000, by: 250) {
      let now = TimerClock.suspending.instant(nanoseconds: Int64(milliseconds) * 1_000_000)
      let page = scene.page(player.snapshot(at: now))
      let text = page.canvas(Size(width: 120, height: 34), options: .init()).text
      for use in scene.text.uses where use.verdict != .right {
        #expect(!text.contains("✓ \(use.lane) "))
      }
      let isOver = page.status?.playback == .ended
      for lane in page.lanes?.lanes ?? [] where lane.isGood != nil {
        #expect(isOver || lane.isGood == false, "\(lane.label) at \(milliseconds)")
      }
    }
  }

  /// The rest of the text is behind a key.
  @Test(arguments: Scene.all.filter { $0.duration == nil }.map(\.name))
  func theTextPageHasEverything(name: String) throws {
    var lab = LabState(Scene.named(name))
    _ = lab.update(.action(.showCode), at: TimerClock.suspending.instant(nanoseconds: 0))
    let text = lab.page(at: TimerClock.suspending.instant(nanoseconds: 0)).canvas(
      Size(width: 80, height: 200), options: DisplayOptions()
    ).lines.joined(separator: " ").words
    let scene = try #require(Scene.named(name))
    let words =
      scene.text.explanation + scene.text.terms.map(\.meaning) + scene.text.uses.map(\.meaning)
    for part in words + scene.text.code + scene.text.wrongCode + scene.listings.flatMap(\.lines) {
      #expect(text.contains(part.words), "\(part)")
    }
  }

  @Test func longCodeIsWrapped() {
    var page = LabPage(title: "t", about: "u")
    page.textOffset = 0
    page.code = [.init("c", isCounterexample: false, lines: ["  let timer = make(a, b, c)"])]
    #expect(
      page.canvas(Size(width: 20, height: 6), options: .init()).lines.prefix(5)
        == ["t · u", "", "c", "  let timer =", "      make(a, b, c)"])
  }

  @Test(arguments: ["menu", "debounce", "clocks"]) func screensOfAllSizes(name: String) throws {
    var menu = LabState(nil)
    let frame =
      name == "menu"
      ? menu.page(at: TimerClock.suspending.instant(nanoseconds: 0)) : try page(name)
    let screens = [(200, 58), (120, 34), (80, 22), (40, 8), (20, 3)].map { width, height in
      let canvas = frame.canvas(Size(width: width, height: height), options: DisplayOptions())
      return "# \(width)×\(height)\n\(canvas.text)\n"
    }
    try StoredText("Tests/LabTests/Snapshots/screens-\(name).txt")
      .expect(screens.joined(separator: "\n"))
  }

  @Test func lanesComeFirstOnASmallScreen() throws {
    #expect(
      try lines("debounce", 40, 8) == [
        "debounce · Why does my search…     ended",
        "         0 s       5",
        "you      ─a──bcd───efghikl───",
        "delay    ───a──✗✗d───✗✗✗+─+l─",
        "trailing ─┄┄a○○┄┄d─○○○+┄○×2l─",
        "leading  ─a──b○○───e○○+─+○───",
        "both     ─a──b○┄┄d─e○○+┄○×2l─",
        "x press  Enter step  p pause  + - speed",
      ])
  }

  /// A word stands beside its mark where there is room, and the character alone where there is none.
  @Test func marksHaveTheirWordsWhereThereIsRoom() throws {
    let wide = try lines("background", 120, 34).joined(separator: "\n")
    #expect(wide.contains("3 writes"))
    #expect(try lines("modes", 120, 34).joined(separator: "\n").contains("▐resume▌"))
    let narrow = try lines("background", 40, 10).joined(separator: "\n")
    #expect(!narrow.contains("3 writes") && narrow.contains("3"))
  }

  /// The question is worth more than the details of the playback.
  @Test(arguments: Scene.virtual.map(\.name)) func theQuestionIsInTheFirstLine(name: String) throws
  {
    let scene = try #require(Scene.named(name))
    #expect(try lines(name, 80, 23)[0].hasPrefix(" \(name) · \(scene.about)"))
  }

  /// On a high screen the explanation and the code that runs stand below the blocks.
  @Test func aHighScreenShowsTheCode() throws {
    var lab = LabState(.session)
    let lines = lab.page(at: TimerClock.suspending.instant(nanoseconds: 0)).canvas(
      Size(width: 200, height: 60), options: DisplayOptions()
    ).lines
    func row(_ text: String) throws -> Int {
      try #require(lines.firstIndex { $0.contains(text) }, "\(text)")
    }
    #expect(try row("WRONG") < row("WRITE"))
    #expect(try row("WRITE") < row("WHY"))
    #expect(try row("WHY") < row("session.replace(with: name)"))
  }

  @Test func curvesShrinkBeforeALaneIsLost() throws {
    let lines = try lines("buffer", 40, 9)
    #expect(
      ["when id", "in use", "every 5", "5th + 5", "under 5", "under 9"].allSatisfy { label in
        lines.contains { $0.hasPrefix(label) }
      })
  }

  @Test func equalMarksInACellShowAsTheirNumber() throws {
    let lines = try lines("missed", 120, 34)
    #expect(lines.contains { $0.contains("burst") && $0.contains("●×3") })
  }

  @Test func lanesScrollAfterTheirLength() {
    var lane = LabLane("a", segments: [.init(.zero, .idle)])
    lane.marks = [.init(.zero, .fired), .init(.seconds(24), .fired)]
    let frame = LabPage(
      title: "t", about: "u",
      lanes: LabLanes([lane], cellDuration: .seconds(1), length: .seconds(10), now: .seconds(24)))
    #expect(frame.text(width: 20) == "t · u\n\n       20 s\na ─────────●")
    // On a wide screen a second takes several cells, all the same number.
    #expect(
      frame.text(width: 40)
        == "t · u\n\n  14 s  16    18    20    22    24\na ──────────────────────────────●")
  }

  /// Of two events in one cell, the first one is at the left.
  @Test func eventsOfOneCellStandInTheirOrder() {
    var lane = LabLane("a", segments: [.init(.zero, .idle)])
    lane.marks = [.init(.zero, .started), .init(.zero, .fired)]
    let page = LabPage(
      title: "t", about: "u",
      lanes: LabLanes([lane], cellDuration: .seconds(1), length: .seconds(5), now: .seconds(5)))
    #expect(page.text(width: 20).contains("a ▶●"))
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

extension String {
  /// The words with a blank between two, without the signs of comments, which are repeated in wrapped ones.
  fileprivate var words: String {
    split(separator: " ").filter { $0 != "//" }.joined(separator: " ")
  }

  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
