import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct PromptTests {
  /// What stands under a text being typed, at 14:29:00.
  private func preview(
    of text: String, _ begin: String = "a", board: String = "", width: Int = 100,
    options: DisplayOptions = .init()
  ) throws -> [String] {
    let stage = try Stage(board, width: width, height: 14, options: options)
    stage.advance(by: .seconds(10))
    stage.type(begin)
    stage.press(.control("u"))
    stage.type(text)
    return stage.lines.suffix(4).dropLast()
      .map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  @Test(arguments: [
    ("tea=3m", "tea · once 3m · fires 14:32:10"),
    ("3m", "once 3m · fires 14:32:10"),
    ("brew=every 30s x5", "brew · every 30s ×5 · first fires 14:29:40, last 14:31:40"),
    ("every 30s x1", "every 30s ×1 · fires 14:29:40"),
    ("poll=every 10s", "poll · every 10s · first fires 14:29:20"),
    ("nap=25m paused", "nap · once 25m · paused"),
    ("12h", "once 12h · fires tomorrow 02:29:10"),
    ("3d", "once 3d · fires Sat 14:29:10"),
    ("every 100d x1000", "every 100d ×1000 · first fires 2026-10-09 14:29:10, last in 100000 days"),
    ("every 36525d x1000000000", "every 36525d ×1000000000 · first fires 2126-07-02 14:29:10"),
    (
      "every 1s tolerance 2s missed burst 3 note 'oolong tea'",
      "every 1s · first fires 14:29:11 · tolerance 2s · missed: burst of 3 · oolong tea"
    ),
    ("1m missed delay", "once 1m · fires 14:30:10 · missed: delay"),
    ("tea=3m every 5s", "2 timers: tea, every 5s"),
  ])
  func tellsWhatItUnderstood(_ text: String, _ meaning: String) throws {
    #expect(try preview(of: text) == [" add ▸ \(text)", "       \(meaning)", ""])
  }

  @Test func tellsWhatAnEditKeeps() throws {
    func meaning(_ text: String) throws -> String {
      String(try preview(of: text, "e", board: "tea=3m")[1].drop { $0 == " " })
    }
    #expect(try meaning("mate=3m") == "mate · once 3m · keeps 2:50")
    #expect(try meaning("tea=every 3m x2") == "tea · every 3m ×2 · keeps 2:50")
    #expect(try meaning("tea=4m") == "tea · once 4m · fires 14:33:10")
    let finished = try preview(of: "egg=5s", "e", board: "egg=5s")
    #expect(finished[1] == "        egg · once 5s · unchanged")
  }

  @Test func tellsTheTimeOfDayInTwelveHours() throws {
    let lines = try preview(of: "12h", options: DisplayOptions(uses24Hours: false))
    #expect(lines[1] == "       once 12h · fires tomorrow 2:29:10 am")
  }

  @Test(arguments: [
    (
      "brew=every 30 x",
      [
        " add ▸ brew=every 30 x",
        "                    ▲ missing unit after '30' (expected 30s, 30m or 30h)", "",
      ]
    ),
    (
      "", [" add ▸", "       ▲ no timer given (expected one, such as tea=3m or every 30s x8)", ""]
    ),
    // No space to the right: the message stands to the left of the place.
    (
      "every 1h30m tolerance 1s missed skip note 'two bags of oolong' pausd",
      [
        " add ▸ every 1h30m tolerance 1s missed skip note 'two bags of oolong' pausd",
        "                        unknown word 'pausd' (did you mean 'paused'?) ▲", "",
      ]
    ),
    // Neither: it stands below.
    (
      "tea=3m x2 and many other words that follow",
      [
        " add ▸ tea=3m x2 and many other words that follow", "              ▲",
        " count without repetition (expected every, daily or cycle, such as every 30s x8)",
      ]
    ),
    // A wide character takes two cells.
    (
      "每日=every 30",
      [
        " add ▸ 每日=every 30",
        "                    ▲ missing unit after '30' (expected 30s, 30m or 30h)", "",
      ]
    ),
  ])
  func pointsAtWhatIsWrong(_ text: String, _ lines: [String]) throws {
    #expect(try preview(of: text, width: 84) == lines)
  }

  @Test func aLongMessageGetsALineOfItsOwn() throws {
    #expect(
      try preview(of: "paused and then some=3m", width: 50) == [
        " add ▸ paused and then some=3m", "       ▲",
        " invalid timer 'paused' (expected a duration,…",
      ])
  }

  @Test func anErrorKeepsTheTextOnEnter() throws {
    let stage = try Stage("tea=3m")
    stage.type("aevry 3m")
    let before = stage.frame
    stage.press(.enter)
    #expect(stage.dashboard.prompt?.editor.text == "evry 3m")
    #expect(stage.effects.count == 1)
    #expect(stage.frame.text == before.text)
    // What is still to come is only a hint, until one wants to have done with it.
    stage.press(.control("u"))
    stage.type("every")
    let hint = stage.frame
    stage.press(.enter)
    #expect(stage.frame.text == hint.text)
    #expect(stage.frame != hint)
    stage.type(" ")
    stage.press(.backspace)
    #expect(stage.frame == hint)
  }

  @Test func severalTimersAreAddedAtOnce() throws {
    let stage = try Stage("tea=3m")
    stage.type("aegg=5m every 30s x2 paused")
    stage.press(.enter)
    #expect(stage.order == "tea egg [every 30s ×2]")
    #expect(stage.notice == "2 timers: added")
  }

  @Test func anEditIsOfOneTimer() throws {
    let stage = try Stage("tea=3m")
    stage.type("e egg=5m")
    stage.press(.enter)
    #expect(stage.dashboard.prompt != nil)
    #expect(stage.lines.contains { $0.contains("more than one timer") })
  }

  @Test func pastedTextIsText() throws {
    let stage = try Stage()
    stage.type("a")
    stage.send(.input(.paste("tea=3m\nnote 'two\tbags'\u{1b}[31m")))
    #expect(stage.dashboard.prompt?.editor.text == "tea=3m note 'two bags'\u{1b}[31m")
    #expect(stage.frame.text.contains("␛[31m"))
    stage.send(.input(.paste(String(repeating: "x", count: 100_000))))
    #expect(stage.dashboard.prompt?.editor.characters.count == LineEditor.maximumLength)
    // Elsewhere it is nothing, and least of all keys.
    stage.press(.escape)
    stage.send(.input(.paste("q")))
    #expect(stage.effects.isEmpty)
  }

  @Test func aLongTextScrollsWithItsCursor() throws {
    let stage = try Stage(width: 30, height: 10)
    stage.type("atea=3m note 'a text that is longer than the line'")
    #expect(stage.lines.contains("add ▸ s longer than the line'"))
    #expect(stage.frame.cursor == Point(x: 29, y: 7))
    stage.press(.home)
    #expect(stage.lines.contains("add ▸ tea=3m note 'a text that"))
    #expect(stage.frame.cursor == Point(x: 6, y: 7))
  }

  @Test func aMarkJoinsWhatItIsTypedAfter() {
    var editor = LineEditor("e")
    editor.insert("\u{301}")
    #expect(editor.characters == ["é"])
    #expect(editor.cursor == 1)
    let hasErased = editor.perform(.eraseLeft)
    #expect(hasErased && editor.text.isEmpty && editor.cursor == 0)
    let hasQuit = editor.perform(.quit)
    #expect(!hasQuit)
  }

  @Test func helpOverAPromptLeadsBackToIt() throws {
    let stage = try Stage()
    stage.type("atea=")
    stage.press(Key(.function(1)))
    // The help of the prompt, not that of the board under it.
    #expect(!stage.lines.contains { $0.contains("On the board") })
    #expect(stage.lines.contains { $0.contains("Timer syntax") })
    stage.press(.end)
    #expect(stage.lines.contains { $0.contains("erase to end") })
    stage.type("jq")
    #expect(stage.dashboard.help == nil)
    stage.type("3m")
    #expect(stage.dashboard.prompt?.editor.text == "tea=3m")
    // What would change the view under the prompt leads back to it as well.
    for key in [Key.character("1"), .character(":"), .control("c"), .tab] {
      stage.press(Key(.function(1)), key)
      #expect(stage.dashboard.help == nil && stage.dashboard.command == nil)
      #expect(stage.dashboard.prompt?.editor.text == "tea=3m")
    }
    #expect(!stage.effects.contains(.quit(status: 130)))
  }

  @Test func helpOverTheCommandLineAndTheFilter() throws {
    for key in ":/" {
      let stage = try Stage("tea=3m")
      stage.type("\(key)t")
      stage.press(Key(.function(1)))
      #expect(stage.lines.contains { $0.contains("Text entry") })
      stage.press(.escape)
      stage.type("e")
      let text = key == ":" ? stage.dashboard.command?.text : stage.dashboard.list.filter.text
      #expect(text == "te")
    }
  }

  /// Enter is offered where it does something.
  @Test func enterIsOfferedForWhatIsUnderstood() throws {
    let stage = try Stage()
    let isOffered = { stage.lines.last?.contains("Enter") == true }
    stage.type("a")
    #expect(!isOffered())
    stage.type("tea=3")
    #expect(!isOffered())
    stage.type("m")
    #expect(isOffered())
    stage.type(" zz")
    #expect(!isOffered())
    stage.press(.escape)
    stage.type(":zz")
    #expect(isOffered())
    stage.press(.enter)
    #expect(!isOffered())
    stage.press(.backspace)
    #expect(isOffered())
  }

  /// What is typed goes, and nothing else.
  @Test func controlCLeavesAPrompt() throws {
    for text in ["atea", ":the", "/te", "etea"] {
      let stage = try Stage("tea=3m")
      stage.type(text)
      stage.press(.control("c"))
      #expect(!stage.effects.contains(.quit(status: 130)))
      #expect(stage.dashboard.scope == .board && stage.order == "[tea]")
      stage.press(.control("c"))
      #expect(stage.effects.last == .quit(status: 130))
    }
  }
}
