import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

/// The examples on an empty board, and the hints after a first start.
@Suite struct StartScreenTests {
  /// Each example adds its timer with one key, and one undo takes it back.
  @Test func anExampleIsAddedByAKey() throws {
    var kinds: Set<String> = []
    for number in FirstMinute.examples.indices {
      let fixture = try Fixture(width: 80, height: 24)
      #expect(fixture.frame.text.contains("What shall I time?"))
      for _ in 0..<number { fixture.press(.down) }
      fixture.press(.enter)
      #expect(fixture.dashboard.rows.count == 1, "\(FirstMinute.examples[number].text)")
      kinds.insert(fixture.dashboard.rows[0].kindAndSuccessorText)
      fixture.type("u")
      #expect(fixture.dashboard.rows.isEmpty)
    }
    #expect(kinds.count == FirstMinute.examples.count)
  }

  @Test func theChoiceStaysAmongTheExamples() throws {
    let fixture = try Fixture(width: 80, height: 24)
    fixture.press(.up)
    #expect(fixture.dashboard.firstMinute.choice == 0)
    for _ in 0..<9 { fixture.press(.down) }
    #expect(fixture.dashboard.firstMinute.choice == FirstMinute.examples.count - 1)
  }

  private static func click(_ fixture: Fixture, _ y: Int) {
    let event = MouseEvent(.press(button: 1), at: Point(x: 10, y: y))
    fixture.send(.input(.mouse(event)))
  }

  @Test func anExampleIsAddedByAClick() throws {
    let fixture = try Fixture(width: 80, height: 24)
    let y = try #require(fixture.lines.firstIndex { $0.contains("stopwatch") })
    Self.click(fixture, y)
    #expect(fixture.dashboard.rows[0].label == "stopwatch")
    // There is no example to click any more.
    Self.click(fixture, y)
    #expect(fixture.dashboard.rows.count == 1)
  }

  /// The highlighted example plays beside the list for a minute; then the screen is not redrawn.
  @Test func theHighlightedExamplePlays() throws {
    for number in FirstMinute.examples.indices {
      let fixture = try Fixture(width: 80, height: 24)
      fixture.dashboard.firstMinute.since = fixture.now.suspending
      for _ in 0..<number { fixture.press(.down) }
      #expect(fixture.frame.text.contains("preview"))
      var pictures: Set<String> = []
      for _ in 0..<20 {
        fixture.advance(by: .milliseconds(700))
        pictures.insert(fixture.frame.text)
      }
      #expect(pictures.count > 1, "\(FirstMinute.examples[number].text)")
      fixture.advance(by: .seconds(60))
      #expect(fixture.dashboard.rows.isEmpty && fixture.dashboard.change.isEmpty)
    }
  }

  /// Every size shows what to press, and none fails.
  @Test func anySize() throws {
    for width in 1...90 {
      for height in [1, 2, 5, 9, 10, 11, 16, 24] {
        let fixture = try Fixture(width: width, height: height)
        let text = fixture.frame.text
        if width >= 60, height >= 16 { #expect(text.contains("Enter adds the highlighted one")) }
        fixture.press(.enter)
        _ = fixture.frame
      }
    }
  }

  /// A hint goes when its action comes, in any view of the timers, and all of them by Esc.
  @Test func hintsFollowTheActions() throws {
    let fixture = try Fixture("tea=3m", width: 80, height: 24)
    func hint() -> String? { fixture.dashboard.hintText.map { String($0.prefix(11)) } }
    #expect(hint() == nil)
    fixture.dashboard.beginHints()
    #expect(fixture.frame.text.contains("hint 1 of 5: Space pauses the timer, and resumes it"))
    fixture.type("+")
    #expect(hint() == "hint 1 of 5")
    fixture.type(" ")
    #expect(hint() == "hint 2 of 5")
    fixture.type("+2")
    #expect(hint() == "hint 4 of 5")
    fixture.type("a")
    fixture.type("eggs 6m")
    fixture.press(.enter)
    #expect(hint() == "hint 5 of 5")
    #expect(fixture.dashboard.settings[.hints] == "4")
    fixture.press(.escape)
    fixture.press(.escape)
    #expect(hint() == nil)
    #expect(fixture.dashboard.settings[.hints] == "5")
  }

  /// A session file can have any number.
  @Test(arguments: ["-1", "6", "9223372036854775807", "x", ""])
  func aSavedNumberIsAnyText(_ text: String) throws {
    let fixture = try Fixture("tea=3m")
    fixture.dashboard.use([.hints: text])
    _ = fixture.frame
    fixture.type("+")
    #expect((0...FirstMinute.hints.count).contains(fixture.dashboard.firstMinute.hintsOver))
  }
}
