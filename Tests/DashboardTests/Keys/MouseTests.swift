import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Clicks and the mouse wheel.
@Suite struct MouseTests {
  private static func fixture(_ width: Int = 80, _ height: Int = 24) throws -> Fixture {
    try Fixture(
      "tea=3m sets=every 45s x8 poll=every 10s slow=1h paused", width: width, height: height)
  }

  private static func click(_ fixture: Fixture, _ x: Int, _ y: Int) {
    for kind in [MouseEvent.Kind.press(button: 1), .release(button: 1)] {
      fixture.send(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y)))))
    }
  }

  private static func click(_ fixture: Fixture, on text: String) throws {
    let y = try #require(fixture.lines.lastIndex { $0.contains(text) })
    let range = try #require(fixture.lines[y].firstRange(of: text))
    let x = String(fixture.lines[y][..<range.lowerBound]).cellWidth
    click(fixture, x, y)
  }

  private static func scroll(
    _ fixture: Fixture, _ kind: MouseEvent.Kind, _ modifiers: Key.Modifiers = []
  ) {
    fixture.send(.input(.mouse(MouseEvent(kind, at: Point(x: 5, y: 5), modifiers))))
  }

  /// The underlined keys of the band of an alert can be clicked, in every view, with the words beside them.
  @Test(arguments: ["", "w", "2", "3", "L", "5"])
  func theBandIsClicked(view: String) throws {
    for (label, notice) in [
      ("done", "egg: acknowledged at +0:00"), ("5 min more", "egg: snoozed for 5m, 5:00 left"),
      ("again", "egg: restarted, 0:03 left"),
    ] {
      let fixture = try Fixture("egg=3s tea=3m", width: 100, height: 24)
      fixture.type(view)
      fixture.advance(by: .seconds(3))
      // Some views have other actions on these keys.
      guard label == "done" || fixture.lines.contains(where: { $0.contains(label) }) else {
        continue
      }
      try Self.click(fixture, on: label)
      #expect(fixture.notice?.hasPrefix(notice.prefix(16)) == true, "\(fixture.notice ?? "")")
      #expect(fixture.dashboard.rows.alertCount == 0)
    }
  }

  @Test func aClickSelects() throws {
    let fixture = try Self.fixture()
    try Self.click(fixture, on: "every 10s")
    #expect(fixture.order == "tea sets [poll] slow")
    Self.click(fixture, 10, 14)
    #expect(fixture.order == "tea sets [poll] slow")
    fixture.type("3")
    // The time in its lane; its name is also in the line of what comes next.
    try Self.click(fixture, on: "0:45")
    #expect(fixture.order == "tea [sets] poll slow")
  }

  @Test func aDoubleClickFocuses() throws {
    let fixture = try Self.fixture()
    let (tea, poll) = (3, 5)
    Self.click(fixture, 5, poll)
    fixture.advance(by: .milliseconds(401))
    Self.click(fixture, 5, poll)
    #expect(fixture.dashboard.view == .board)
    fixture.advance(by: .milliseconds(400))
    Self.click(fixture, 5, poll)
    #expect(fixture.dashboard.view == .focus)
    #expect(fixture.dashboard.selectedRow?.label == "poll")
    fixture.press(.escape)
    Self.click(fixture, 5, tea)
    Self.click(fixture, 5, poll)
    #expect(fixture.dashboard.view == .board)
  }

  @Test func aClickOnATitleSorts() throws {
    let fixture = try Self.fixture()
    try Self.click(fixture, on: "NAME")
    #expect(fixture.notice == "sorted by name")
    try Self.click(fixture, on: "NAME")
    #expect(fixture.notice == "sorted by name, reversed")
    try Self.click(fixture, on: "TIME")
    #expect(fixture.notice == "sorted by time")
    try Self.click(fixture, on: "PROGRESS")
    #expect(fixture.notice == "rows cannot be sorted by progress")
    #expect(fixture.dashboard.listState.order == RowOrder(column: .time))
  }

  @Test func aClickOnAKeyPressesIt() throws {
    let fixture = try Self.fixture(100)
    try Self.click(fixture, on: "pause")
    #expect(try fixture.snapshot("tea").state == .paused)
    try Self.click(fixture, on: "+ - time")
    #expect(fixture.notice == "tea: 10s added, 3:10 left")
    let y = fixture.lines.count - 1
    let range = try #require(fixture.lines[y].firstRange(of: "+ - time"))
    let x = fixture.lines[y].distance(from: fixture.lines[y].startIndex, to: range.lowerBound)
    Self.click(fixture, x + 2, y)
    #expect(fixture.notice == "tea: 10s removed, 3:00 left")
    try Self.click(fixture, on: "help")
    #expect(fixture.dashboard.helpOffset == 0)
    try Self.click(fixture, on: "back")
    #expect(fixture.dashboard.helpOffset == nil)
    try Self.click(fixture, on: "quit")
    #expect(fixture.effects.last == .quit(status: 0))
  }

  @Test func theWheelMovesTheSelection() throws {
    let fixture = try Self.fixture()
    Self.scroll(fixture, .scrollDown)
    #expect(fixture.order == "tea [sets] poll slow")
    Self.scroll(fixture, .scrollUp)
    #expect(fixture.order == "[tea] sets poll slow")
    fixture.type("?")
    Self.scroll(fixture, .scrollDown)
    #expect(fixture.dashboard.helpOffset == 3)
    fixture.press(.escape)
    fixture.type("3")
    fixture.dashboard.timeline.fit(nil, into: 1)
    Self.scroll(fixture, .scrollUp, .control)
    #expect(fixture.dashboard.timeline.cellDuration == 500_000_000)
    Self.scroll(fixture, .scrollUp, .shift)
    #expect(fixture.dashboard.timeline.offset == 10)
  }

  @Test func aClickWhileAPromptIsOpenDoesNothing() throws {
    let fixture = try Self.fixture()
    fixture.type("anap")
    try Self.click(fixture, on: "every 10s")
    Self.scroll(fixture, .scrollDown)
    #expect(fixture.order == "[tea] sets poll slow")
    #expect(fixture.dashboard.timerPrompt?.editor.text == "nap")
    try Self.click(fixture, on: "cancel")
    #expect(fixture.dashboard.timerPrompt == nil)
  }

  /// The keys of the views would type text.
  @Test func aClickOnAViewWhileAPromptIsOpenTypesNothing() throws {
    for key in "a:/" {
      let fixture = try Self.fixture()
      fixture.type("2\(key)nap")
      try Self.click(fixture, on: "2 focus")
      let dashboard = fixture.dashboard
      let text = dashboard.timerPrompt?.editor.text ?? dashboard.commandPrompt?.text
      #expect(dashboard.scope == .prompt && (text ?? dashboard.listState.filter.text) == "nap")
      fixture.press(.escape)
      try Self.click(fixture, on: "1 board")
      #expect(fixture.dashboard.view == .board)
    }
  }

  @Test func otherButtonsDoNothing() throws {
    let fixture = try Self.fixture()
    fixture.type(" ")
    for kind in [MouseEvent.Kind.press(button: 3), .drag(button: 1), .release(button: 2)] {
      fixture.send(.input(.mouse(MouseEvent(kind, at: Point(x: 5, y: 4)))))
    }
    #expect(fixture.order == "[tea] sets poll slow")
    #expect(fixture.notice == "tea: paused, 3:00 left")
  }
}
