import Fuzzing
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct PromptTests {
  /// The lines below a prompt, at 14:29:00.
  private func preview(
    of text: String, _ begin: String = "a", board: String = "", width: Int = 100,
    options: DisplayOptions = .init()
  ) throws -> [String] {
    let fixture = try Fixture(board, width: width, height: 14, options: options)
    fixture.advance(by: .seconds(10))
    fixture.type(begin)
    fixture.press(.control("u"))
    fixture.type(text)
    return fixture.lines.suffix(4).dropLast()
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
    ("every 100d x1000", "every 100d ×1000 · first fires 2026-10-09 14:29:10"),
    ("every 36525d x1000000000", "every 36525d ×1000000000 · first fires 2126-07-02 14:29:10"),
    (
      "every 1s tolerance 2s missed burst 3 note 'oolong tea'",
      "every 1s · first fires 14:29:11 · tolerance 2s · missed: burst of 3 · oolong tea"
    ),
    (
      "every 1m now jitter 10s",
      "every 1m · first fires 14:29:10 · fires at its start · each up to 10s later"
    ),
    ("1m missed delay", "once 1m · fires 14:30:10 · missed: delay"),
    ("tea=3m every 5s", "2 timers: tea, every 5s"),
  ])
  func describesTheParsedTimer(_ text: String, _ meaning: String) throws {
    #expect(try preview(of: text) == [" add ▸ \(text)", "       \(meaning)", ""])
  }

  @Test func describesWhatAnEditKeeps() throws {
    func meaning(_ text: String) throws -> String {
      String(try preview(of: text, "e", board: "tea=3m")[1].drop { $0 == " " })
    }
    #expect(try meaning("mate=3m") == "mate · once 3m · keeps 2:50")
    #expect(try meaning("tea=every 3m x2") == "tea · every 3m ×2 · keeps 2:50")
    #expect(try meaning("tea=4m") == "tea · once 4m · fires 14:33:10")
    let finished = try preview(of: "egg=5s", "e", board: "egg=5s")
    #expect(finished[1] == "        egg · once 5s · unchanged")
  }

  @Test func describesTheTimeInTwelveHours() throws {
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
      "", [" add ▸", "       such as tea=3m or every 30s x8", ""]
    ),
    // No space to the right: the message is to the left of the position.
    (
      "every 1h30m tolerance 1s missed skip note 'two bags of oolong' pausd",
      [
        " add ▸ every 1h30m tolerance 1s missed skip note 'two bags of oolong' pausd",
        "                        unknown word 'pausd' (did you mean 'paused'?) ▲", "",
      ]
    ),
    // No space on either side: the message is below.
    (
      "tea=stopwatch x2 and many other words that follow",
      [
        " add ▸ tea=stopwatch x2 and many other words that follow", "                     ▲",
        " count without repetition (expected every, cycle or then, such as every 30s x8)",
      ]
    ),
    // A wide character occupies two cells.
    (
      "每日=every 30",
      [
        " add ▸ 每日=every 30",
        "                    ▲ missing unit after '30' (expected 30s, 30m or 30h)", "",
      ]
    ),
  ])
  func pointsAtErrors(_ text: String, _ lines: [String]) throws {
    #expect(try preview(of: text, width: 84) == lines)
  }

  @Test func aLongMessageHasItsOwnLine() throws {
    #expect(
      try preview(of: "paused and then some=3m", width: 50) == [
        " add ▸ paused and then some=3m", "       ▲",
        " invalid timer 'paused' (expected a duration,…",
      ])
  }

  @Test func anErrorKeepsTheTextOnEnter() throws {
    let fixture = try Fixture("tea=3m")
    fixture.type("aevry 3m")
    let before = fixture.frame
    fixture.press(.enter)
    #expect(fixture.dashboard.timerPrompt?.editor.text == "evry 3m")
    #expect(fixture.dashboard.rows.count == 1)
    #expect(fixture.frame.text == before.text)
    // An incomplete text is only a hint until Enter is pressed.
    fixture.press(.control("u"))
    fixture.type("every")
    let hint = fixture.frame
    fixture.press(.enter)
    #expect(fixture.frame.text == hint.text)
    #expect(fixture.frame != hint)
    fixture.type(" ")
    fixture.press(.backspace)
    #expect(fixture.frame == hint)
  }

  /// A line that was shown in a cancelled prompt is not the place where the next prompt begins.
  @Test func aPromptBeginsWithTheMostRecentLine() throws {
    let fixture = try Fixture()
    try fixture.add("one=1m")
    try fixture.add("two=2m")
    for key in "ae" {
      fixture.type("aold")
      fixture.press(.up, .escape, .character(key), .control("u"))
      fixture.type("new")
      fixture.press(.up)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "two=2m")
      fixture.press(.down)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "new")
      fixture.press(.escape)
    }
  }

  @Test func severalTimersAreAddedAtOnce() throws {
    let fixture = try Fixture("tea=3m")
    fixture.type("aegg=5m every 30s x2 paused")
    fixture.press(.enter)
    #expect(fixture.order == "tea egg [every 30s ×2]")
    #expect(fixture.notice == "2 timers: added")
  }

  @Test func anEditTakesOneTimer() throws {
    let fixture = try Fixture("tea=3m")
    fixture.type("e egg=5m")
    fixture.press(.enter)
    #expect(fixture.dashboard.timerPrompt != nil)
    #expect(fixture.lines.contains { $0.contains("more than one timer") })
  }

  @Test func tabCompletesWordsAndThenChooses() throws {
    let fixture = try Fixture("tea=3m 'green tea'=5m", height: 24)
    func text(_ keys: String) -> String? {
      for key in keys { fixture.press(key == "\t" ? .tab : .character(key)) }
      let dashboard = fixture.dashboard
      return (dashboard.commandPrompt?.editor ?? dashboard.timerPrompt?.editor)?.text
    }
    #expect(text("apo\t") == "pomodoro ")
    #expect(text("wa\t") == "pomodoro wait ")
    fixture.press(.control("u"))
    #expect(text("wee\t") == "week")
    fixture.press(.control("u"))
    #expect(text("3m x\t") == "3m x")
    fixture.press(.backspace)
    #expect(text("t") == "3m t")
    let before = fixture.lines
    #expect(text("\t") == "3m t")
    let hint = fixture.lines
    #expect(hint.contains { $0.hasPrefix("       then  tolerance") })
    // Nothing else moves.
    #expect(zip(before, hint).count { $0 != $1 } == 1)
    #expect(text("\t") == "3m then" && text("\t") == "3m tolerance")
    #expect(fixture.lines.contains { $0.hasPrefix("       tolerance") && !$0.contains("then") })
    #expect(text("\t") == "3m then" && text(" gr\t") == "3m then 'green tea' ")
    #expect(!fixture.lines.contains { $0.hasPrefix("       then  ") })
    // The text after the cursor stays, and the command palette completes timers in the same way.
    fixture.press(.home)
    #expect(text("tab\t") == "tabata 3m then 'green tea' ")
    fixture.press(.escape)
    #expect(text(":add nap=25m pau\t") == "add nap=25m paused ")
  }

  @Test func pastedTextIsInserted() throws {
    let fixture = try Fixture()
    fixture.type("a")
    fixture.send(.input(.paste("tea=3m\nnote 'two\tbags'\u{1b}[31m")))
    #expect(fixture.dashboard.timerPrompt?.editor.text == "tea=3m note 'two bags'\u{1b}[31m")
    #expect(fixture.frame.text.contains("␛[31m"))
    // Elsewhere pasted text is ignored, and never treated as keys.
    fixture.press(.escape)
    fixture.send(.input(.paste("q")))
    #expect(fixture.effects.isEmpty)
  }

  /// Characters that arrive together are one change, also those behind the key that opens the prompt.
  @Test func aRunOfCharactersIsOneChange() throws {
    let fixture = try Fixture()
    let inputs = "atea 3m".map { TerminalInput.key(.character($0)) }
    #expect(fixture.arrive(inputs + [.key(.enter)]) == 3)
    #expect(fixture.dashboard.rows.all.map(\.spec.text) == ["tea=3m"])
    #expect(fixture.arrive(inputs + [.key(.left), .key(.character("3"))]) == 4)
    #expect(fixture.dashboard.timerPrompt?.editor.text == "tea 33m")
    #expect(fixture.frame.text.contains("once 33m"))
  }

  /// A text that is typed or pasted in one piece has room, or nothing of it is taken.
  @Test(arguments: ["a", "e", ":", "/", "L/", "5/"])
  func aTextWithoutRoomIsRefusedWhole(keys: String) throws {
    for isPaste in [false, true] {
      let fixture = try Fixture("tea=3m", width: 100)
      fixture.send(.history(HistoryIndex(today: LocalTime(fixture.now).date)))
      fixture.type(keys)
      let limit = try #require(fixture.dashboard.editor).limit
      #expect(limit == (keys.hasSuffix("/") ? 256 : 4096))
      fixture.type("z")
      let before = fixture.dashboard.editor?.text
      let text = String(repeating: "x", count: limit)
      let inputs =
        isPaste ? [.paste(text)] : text.map { TerminalInput.key(.character($0)) } + [.key(.enter)]
      #expect((fixture.arrive(inputs) == nil) == !isPaste)
      #expect(fixture.dashboard.editor?.text == before)
      #expect(fixture.frame.text.contains("too long"), "\(fixture.frame.text)")
      // What fits is taken, and the next key removes the message.
      fixture.press(.backspace, .left)
      #expect(!fixture.frame.text.contains("too long"))
      fixture.press(.control("u"), .control("k"))
      #expect(fixture.arrive(text.map { .key(.character($0)) }) == 1)
      #expect(fixture.dashboard.editor?.text == text)
    }
  }

  /// Inputs that arrive together have the same effect as those that arrive one by one.
  @Test(arguments: UInt64(0)..<40) func inputsCanArriveTogether(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let typed = Array("atea 3m x8=5'e:/ ")
    let keys = (0..<150).map { _ in
      random.below(3) > 0
        ? Key.character(random.one(of: typed)) : random.one(of: RandomRun.keys)
    }
    let (together, apart) = (try Fixture("tea=3m egg=5m"), try Fixture("tea=3m egg=5m"))
    together.arrive(keys.map { .key($0) })
    for key in keys { apart.press(key) }
    #expect(together.frame.text == apart.frame.text)
    #expect(together.effects == apart.effects)
    let timers = [together, apart].map { $0.dashboard.rows.all.map(\.spec.text) }
    #expect(timers[0] == timers[1])
    #expect(together.dashboard.editor == apart.dashboard.editor)
  }

  /// Characters of all kinds are edited as if the line were made again from its text.
  @Test(arguments: UInt64(0)..<40) func anEditedLineHasTheCharactersOfItsText(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var editor = LineEditor()
    let texts = [
      "a", "tea 3m", "é", "\u{301}", "🇩", "🇪🇩", "👩", "\u{200D}", "\u{600}", "한", "\r\n", "日",
    ]
    let actions: [Action] = [
      .cursorLeft, .cursorRight, .cursorStart, .cursorEnd, .eraseLeft, .eraseRight, .eraseWordLeft,
    ]
    for _ in 0..<200 {
      if random.below(2) == 0 {
        editor.insert(random.one(of: texts))
      } else {
        editor.perform(random.one(of: actions))
      }
      #expect(editor.characters == Array(editor.text))
      #expect((0...editor.characters.count).contains(editor.cursor))
    }
  }

  @Test func aLongTextScrollsWithItsCursor() throws {
    let fixture = try Fixture(width: 30, height: 10)
    fixture.type("atea=3m note 'a text that is longer than the line'")
    #expect(fixture.lines.contains("add ▸ s longer than the line'"))
    #expect(fixture.frame.cursor == Point(x: 29, y: 7))
    fixture.press(.home)
    #expect(fixture.lines.contains("add ▸ tea=3m note 'a text that"))
    #expect(fixture.frame.cursor == Point(x: 6, y: 7))
  }

  @Test func aCombiningMarkJoinsThePreviousCharacter() {
    var editor = LineEditor("e")
    editor.insert("\u{301}")
    #expect(editor.characters == ["é"])
    #expect(editor.cursor == 1)
    editor.perform(.eraseLeft)
    #expect(editor.isEmpty && editor.cursor == 0)
    editor.perform(.quit)
    #expect(editor.isEmpty && editor.cursor == 0)
  }

  @Test func helpReturnsToThePrompt() throws {
    let fixture = try Fixture()
    fixture.type("atea=")
    fixture.press(Key(.function(1)))
    // The help of the prompt, not that of the board under it.
    #expect(!fixture.lines.contains { $0.contains("go to first timer") })
    #expect(fixture.lines.contains { $0.contains("Timer syntax") })
    fixture.press(.end)
    #expect(fixture.lines.contains { $0.contains("erase to end") })
    fixture.type("jq")
    #expect(fixture.dashboard.helpOffset == nil)
    fixture.type("3m")
    #expect(fixture.dashboard.timerPrompt?.editor.text == "tea=3m")
    // Keys that would change the view return to the prompt as well.
    for key in [Key.character("1"), .character(":"), .control("c"), .tab] {
      fixture.press(Key(.function(1)), key)
      #expect(fixture.dashboard.helpOffset == nil && fixture.dashboard.commandPrompt == nil)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "tea=3m")
    }
    #expect(!fixture.effects.contains(.quit(status: 130)))
  }

  @Test func helpIsAvailableInTheCommandPaletteAndTheFilter() throws {
    for key in ":/" {
      let fixture = try Fixture("tea=3m")
      fixture.type("\(key)t")
      fixture.press(Key(.function(1)))
      #expect(fixture.lines.contains { $0.contains("Prompt") })
      fixture.press(.escape)
      fixture.type("e")
      let text =
        key == ":" ? fixture.dashboard.commandPrompt?.text : fixture.dashboard.listState.filter.text
      #expect(text == "te")
    }
  }

  /// Enter is shown only if it is available.
  @Test func enterIsShownForValidText() throws {
    let fixture = try Fixture()
    let isOffered = { fixture.lines.last?.contains("Enter") == true }
    fixture.type("a")
    #expect(!isOffered())
    fixture.type("tea=every 3")
    #expect(!isOffered())
    fixture.type("m")
    #expect(isOffered())
    fixture.type(" zz")
    #expect(!isOffered())
    fixture.press(.escape)
    fixture.type(":zz")
    #expect(isOffered())
    fixture.press(.enter)
    #expect(!isOffered())
    fixture.press(.backspace)
    #expect(isOffered())
  }

  /// The entered text is dropped, and nothing else changes.
  @Test func controlCLeavesAPrompt() throws {
    for text in ["atea", ":the", "/te", "etea"] {
      let fixture = try Fixture("tea=3m")
      fixture.type(text)
      fixture.press(.control("c"))
      #expect(!fixture.effects.contains(.quit(status: 130)))
      #expect(fixture.dashboard.scope == .board && fixture.order == "[tea]")
      fixture.press(.control("c"))
      #expect(fixture.effects.last == .quit(status: 130))
    }
  }
}
