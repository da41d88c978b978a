import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

@Suite struct LabInDashboardTests {
  private static let frame = LabPage(
    title: "debounce", about: "the last call wins", explanation: ["Look."],
    keys: [
      .init("x", "press"), .init(.faster, .slower, label: "speed"), .init(.quit, label: "quit"),
    ])

  private func fixture(width: Int = 80, height: Int = 24) throws -> Fixture {
    let fixture = try Fixture("tea=3m every 30s", width: width, height: height)
    fixture.press(.character("4"))
    fixture.send(.lab(Self.frame, nextChange: nil))
    return fixture
  }

  @Test func theLabIsShownBelowTheTimersOfTheSession() throws {
    let fixture = try fixture()
    #expect(fixture.lines[0].hasPrefix(" carillon  1 board"))
    #expect(fixture.lines[1] == "")
    #expect(fixture.lines[2] == " debounce · the last call wins")
    #expect(fixture.lines.last == " x press  + - speed  q quit")
    // The timers continue: the header shows the next fire and is updated.
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw != nil)
    fixture.advance(by: .seconds(30))
    #expect(fixture.lines[0].contains("4 lab"))
    #expect(fixture.dashboard.board.log.entries.last?.label == "every 30s")
  }

  /// The alert has the blank line below the header, at every size that has a header.
  @Test(arguments: [(80, 24), (80, 20), (120, 36)]) func anAlertLeavesTheHeader(size: (Int, Int))
    throws
  {
    let fixture = try Fixture("egg=3s", width: size.0, height: size.1)
    fixture.press(.character("4"))
    fixture.send(.lab(Self.frame, nextChange: nil))
    let header = fixture.lines[0]
    fixture.advance(by: .seconds(4))
    #expect(fixture.lines[1].contains("egg") && fixture.lines[1].contains("Space done"))
    #expect(fixture.lines[0].hasPrefix(" carillon  1 board"))
    #expect(fixture.lines[0].suffix(5) == header.suffix(5), "the clock")
    #expect(fixture.lines[2].contains("debounce"))
  }

  /// Keys and scenes can be clicked; the highlighted scene, too.
  @Test(arguments: [(80, 24), (120, 36), (40, 12)]) func clicksChooseAScene(size: (Int, Int)) throws
  {
    let fixture = try Fixture("tea=3m", width: size.0, height: size.1)
    fixture.press(.character("4"))
    var page = LabPage(title: "lab", about: "scenes", keys: [.init(.quit, label: "quit")])
    page.menu = LabMenu(
      [.init("first", ["modes", "cycle"]), .init("second", ["race"])], selected: "race")
    fixture.send(.lab(page, nextChange: nil))
    func click(_ text: String) throws {
      let y = try #require(fixture.lines.lastIndex { $0.contains(text) })
      let range = try #require(fixture.lines[y].firstRange(of: text))
      let x = String(fixture.lines[y][..<range.lowerBound]).cellWidth
      fixture.send(.input(.mouse(MouseEvent(.press(button: 1), at: Point(x: x, y: y)))))
    }
    for name in ["cycle", "race"] {
      try click(name)
      #expect(fixture.effects.last == .lab(.choose(name)))
    }
    let count = fixture.effects.count
    try click("second")
    #expect(fixture.effects.count == count)
    try click("quit")
    #expect(fixture.effects.last == .quit(status: 0))
  }

  @Test func aLowScreenShowsTheLabOnly() throws {
    let fixture = try fixture(width: 40, height: 8)
    #expect(fixture.lines[0].hasPrefix("debounce"))
  }

  @Test func unboundKeysGoToTheScene() throws {
    let fixture = try fixture()
    fixture.press(.character("x"))
    #expect(fixture.effects.last == .lab(.input("x")))
    let count = fixture.effects.count
    // Neither a key of the board nor a key for the lab.
    fixture.press(.character("R"), .character("7"), Key(.character("x"), .alt), .control("x"))
    #expect(fixture.effects.count == count)
    fixture.press(.character("q"))
    #expect(fixture.effects.last == .quit(status: 0))
  }

  @Test func leavingTheLabShowsTheBoard() throws {
    let fixture = try fixture()
    fixture.press(.escape)
    #expect(fixture.dashboard.showsLab)
    fixture.send(.labClosed)
    #expect(!fixture.dashboard.showsLab)
    #expect(fixture.lines.contains { $0.contains("tea") })
  }

  @Test func helpCoversTheLab() throws {
    let fixture = try fixture()
    fixture.press(.character("?"))
    #expect(!fixture.dashboard.showsLab)
    #expect(fixture.lines.contains { $0.contains("play to end") })
    // The keys of the scene come first.
    #expect(fixture.lines[2].hasPrefix(" Lab (this view)"))
    #expect(fixture.lines[3].contains("x") && fixture.lines[3].contains("press (this scene)"))
    fixture.press(.escape)
    #expect(fixture.dashboard.showsLab)
  }
}
