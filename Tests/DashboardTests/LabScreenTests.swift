import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

@Suite struct LabScreenTests {
  private static let frame = LabFrame(
    title: "debounce", about: "the last call wins", explanation: ["Look."],
    keys: [.init("x", "press"), .init(.faster, .slower, label: "speed"), .init(.quit, "quit")])

  private func stage(width: Int = 80, height: Int = 24) throws -> Stage {
    let stage = try Stage("tea=3m every 30s", width: width, height: height)
    stage.press(.character("4"))
    stage.send(.lab(LabSnapshot(Self.frame, nextChange: nil)))
    return stage
  }

  @Test func thePictureStandsUnderThePersonsOwnTimers() throws {
    let stage = try stage()
    #expect(stage.lines[0].hasPrefix(" carillon   ▶ 2 running"))
    #expect(stage.lines[1] == " debounce · the last call wins")
    #expect(stage.lines.last == " x press  + - speed  q quit")
    // They go on: the header tells what comes next, and moves.
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw != nil)
    stage.advance(by: .seconds(30))
    #expect(stage.lines[0].contains("next: every 30s in 0:30"))
    #expect(stage.dashboard.board.lastFire?.label == "every 30s")
  }

  @Test func aLowScreenIsAllThePictures() throws {
    let stage = try stage(width: 40, height: 8)
    #expect(stage.lines[0].hasPrefix("debounce"))
  }

  @Test func whatMeansNothingElseIsAKeyOfTheScene() throws {
    let stage = try stage()
    stage.press(.character("x"))
    #expect(stage.effects.last == .lab(.input("x")))
    let count = stage.effects.count
    // Neither of the board, nor taken for an input.
    stage.press(.character("R"), .character("7"), Key(.character("x"), .alt), .control("x"))
    #expect(stage.effects.count == count)
    stage.press(.character("q"))
    #expect(stage.effects.last == .quit(status: 0))
  }

  @Test func theLabLeadsBackToTheBoard() throws {
    let stage = try stage()
    stage.press(.escape)
    #expect(stage.dashboard.showsLab)
    stage.send(.labLeft)
    #expect(!stage.dashboard.showsLab)
    #expect(stage.lines.contains { $0.contains("tea") })
  }

  @Test func helpLiesOverIt() throws {
    let stage = try stage()
    stage.press(.character("?"))
    #expect(!stage.dashboard.showsLab)
    #expect(stage.lines.contains { $0.contains("move up") })
    stage.press(.escape)
    #expect(stage.dashboard.showsLab)
  }
}
