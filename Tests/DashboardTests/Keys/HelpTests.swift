import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The help, at the keys of the view from which it is opened.
@Suite struct HelpTests {
  @Test(
    arguments: [
      ("1", "Board"), ("2", "Focus"), ("3", "Timeline"), ("4", "Lab"), ("5", "History"),
      ("L", "Log"),
    ])
  func opensAtTheKeysOfTheView(_ key: String, _ heading: String) throws {
    let fixture = try Fixture("tea=3m", height: 12)
    fixture.type("\(key)?")
    #expect(fixture.lines[1] == " \(heading) (this view)   carillon demo is a guided tour")
    fixture.send(.resized(Size(width: 40, height: 12)))
    fixture.press(.escape, .character("?"))
    #expect(fixture.lines.contains(" \(heading) (this view)"), "there is no room for more")
    fixture.send(.resized(Size(width: 120, height: 20)))
    fixture.press(.escape, .character("?"))
    #expect(fixture.lines.contains { $0.contains("\(heading) (this view)") })
  }

  @Test func theSyntaxIsAPromptsHelp() throws {
    let fixture = try Fixture("tea=3m", height: 24)
    fixture.type("anap=2")
    fixture.press(.left, Key(.function(1)))
    #expect(fixture.lines[2] == " Timer syntax")
    #expect(fixture.lines.contains { $0.contains("sets=every 45s x8") })
    fixture.press(.escape)
    #expect(fixture.dashboard.timerPrompt?.editor.text == "nap=2")
    #expect(fixture.dashboard.timerPrompt?.editor.cursor == 4)
    fixture.press(.end)
    fixture.type("5m")
    fixture.press(.enter)
    #expect(fixture.notice == "nap: added")
  }
}
