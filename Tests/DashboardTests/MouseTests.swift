import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What a click and the wheel do.
@Suite struct MouseTests {
  private static func stage(_ width: Int = 80, _ height: Int = 24) throws -> Stage {
    try Stage(
      "tea=3m sets=every 45s x8 poll=every 10s slow=1h paused", width: width, height: height)
  }

  private static func click(_ stage: Stage, _ x: Int, _ y: Int) {
    for kind in [MouseEvent.Kind.press(button: 1), .release(button: 1)] {
      stage.send(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y)))))
    }
  }

  private static func click(_ stage: Stage, on text: String) throws {
    let y = try #require(stage.lines.lastIndex { $0.contains(text) })
    let range = try #require(stage.lines[y].firstRange(of: text))
    let x = String(stage.lines[y][..<range.lowerBound]).cellWidth
    click(stage, x, y)
  }

  private static func scroll(
    _ stage: Stage, _ kind: MouseEvent.Kind, _ modifiers: Key.Modifiers = []
  ) {
    stage.send(.input(.mouse(MouseEvent(kind, at: Point(x: 5, y: 5), modifiers))))
  }

  @Test func aClickSelects() throws {
    let stage = try Self.stage()
    try Self.click(stage, on: "poll")
    #expect(stage.order == "tea sets [poll] slow")
    Self.click(stage, 10, 20)
    #expect(stage.order == "tea sets [poll] slow")
    stage.type("3")
    try Self.click(stage, on: "sets")
    #expect(stage.order == "tea [sets] poll slow")
  }

  @Test func aDoubleClickFocuses() throws {
    let stage = try Self.stage()
    let (tea, poll) = (3, 5)
    Self.click(stage, 5, poll)
    stage.advance(by: .milliseconds(401))
    Self.click(stage, 5, poll)
    #expect(stage.dashboard.screen == .board)
    stage.advance(by: .milliseconds(400))
    Self.click(stage, 5, poll)
    #expect(stage.dashboard.screen == .focus)
    #expect(stage.dashboard.selectedRow?.label == "poll")
    stage.press(.escape)
    Self.click(stage, 5, tea)
    Self.click(stage, 5, poll)
    #expect(stage.dashboard.screen == .board)
  }

  @Test func aClickOnATitleOrders() throws {
    let stage = try Self.stage()
    try Self.click(stage, on: "NAME")
    #expect(stage.notice == "sorted by name")
    try Self.click(stage, on: "NAME")
    #expect(stage.notice == "sorted by name, reversed")
    try Self.click(stage, on: "NEXT IN")
    #expect(stage.notice == "sorted by next in")
    try Self.click(stage, on: "PROGRESS")
    #expect(stage.notice == "rows cannot be sorted by progress")
    #expect(stage.dashboard.list.order == RowOrder(column: .time))
  }

  @Test func aClickOnAKeyPressesIt() throws {
    let stage = try Self.stage()
    try Self.click(stage, on: "pause")
    #expect(try stage.snapshot("tea").state == .paused)
    try Self.click(stage, on: "+ - time")
    #expect(stage.notice == "tea: 10s added, 3:10 left")
    let y = stage.lines.count - 1
    let range = try #require(stage.lines[y].firstRange(of: "+ - time"))
    let x = stage.lines[y].distance(from: stage.lines[y].startIndex, to: range.lowerBound)
    Self.click(stage, x + 2, y)
    #expect(stage.notice == "tea: 10s removed, 3:00 left")
    try Self.click(stage, on: "help")
    #expect(stage.dashboard.help == 0)
    try Self.click(stage, on: "back")
    #expect(stage.dashboard.help == nil)
    try Self.click(stage, on: "quit")
    #expect(stage.effects.last == .quit(status: 0))
  }

  @Test func theWheelMoves() throws {
    let stage = try Self.stage()
    Self.scroll(stage, .scrollDown)
    #expect(stage.order == "tea [sets] poll slow")
    Self.scroll(stage, .scrollUp)
    #expect(stage.order == "[tea] sets poll slow")
    stage.type("?")
    Self.scroll(stage, .scrollDown)
    #expect(stage.dashboard.help == 3)
    stage.press(.escape)
    stage.type("3")
    Self.scroll(stage, .scrollUp, .control)
    #expect(stage.dashboard.timeline.cell == 500_000_000)
    Self.scroll(stage, .scrollUp, .shift)
    #expect(stage.dashboard.timeline.offset == 10)
  }

  @Test func whileATimerIsTypedRowsStayAsTheyAre() throws {
    let stage = try Self.stage()
    stage.type("anap")
    try Self.click(stage, on: "poll")
    Self.scroll(stage, .scrollDown)
    #expect(stage.order == "[tea] sets poll slow")
    #expect(stage.dashboard.prompt?.editor.text == "nap")
    try Self.click(stage, on: "cancel")
    #expect(stage.dashboard.prompt == nil)
  }

  @Test func otherButtonsDoNothing() throws {
    let stage = try Self.stage()
    stage.type(" ")
    for kind in [MouseEvent.Kind.press(button: 3), .drag(button: 1), .release(button: 2)] {
      stage.send(.input(.mouse(MouseEvent(kind, at: Point(x: 5, y: 4)))))
    }
    #expect(stage.order == "[tea] sets poll slow")
    #expect(stage.notice == "tea: paused, 3:00 left")
  }
}
