import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What is seen of the list: filtered, ordered, marked.
@Suite struct ListTests {
  private static func stage(_ width: Int = 80, _ height: Int = 14) throws -> Stage {
    try Stage(
      "tea=3m note 'oolong, two bags' sets=every 45s x8 poll=every 10s tennis=1h paused egg=5s",
      width: width, height: height)
  }

  /// The names of the rows that are seen, the selected one in brackets.
  private static func seen(_ stage: Stage) -> String {
    Arrangement(of: stage.dashboard).positions
      .map {
        let label = stage.dashboard.rows[$0].label
        return $0 == stage.dashboard.selected ? "[\(label)]" : label
      }
      .joined(separator: " ")
  }

  @Test func aKeyThatMeansNothingSaysSo() throws {
    let stage = try Stage("tea=3m")
    for (keys, key) in [("", "x"), ("2", "x"), ("3", "x"), ("L", "x"), ("?", "x"), ("4", "Z")] {
      stage.type(keys + key)
      #expect(stage.notice == "\(key): no binding; ? help", "after \(keys)")
      stage.press(.escape, .escape)
      stage.type("1")
      #expect(stage.notice == nil)
    }
    stage.press(Key(.function(7)))
    #expect(stage.notice == "F7: no binding; ? help")
    // What is typed is no key.
    stage.type("ax")
    #expect(stage.notice == nil)
  }

  /// Its row goes, and the reason is shown.
  @Test func aTimerThatCannotBeMadeLeavesNoRow() throws {
    let stage = try Stage("tea=3m")
    let effects = stage.dashboard.start(
      with: [.start(try TimerSpec.parse(line: "egg=5m"))], at: stage.now)
    guard case .board(.create(let id, _, _))? = effects.first else {
      Issue.record("nothing was asked for")
      return
    }
    stage.apply(.notCreated(id, "invalid count 0"))
    #expect(stage.order == "[tea]")
    #expect(stage.notice == "egg: invalid count 0")
  }

  @Test(arguments: [
    ("te", "[tea] tennis"), ("TE", "[tea] tennis"), ("bags", "[tea]"), ("every", "[sets] poll"),
    ("paused", "[tennis]"), ("every ol", "[poll]"), ("1h te", "[tennis]"),
    ("", "[tea] sets poll tennis egg"),
  ])
  func showsWhatHasEveryWord(_ text: String, _ expected: String) throws {
    let stage = try Self.stage()
    stage.type("/\(text)")
    #expect(Self.seen(stage) == expected)
  }

  @Test func theSelectionComesBackAsTheFilterIsErased() throws {
    let stage = try Self.stage()
    stage.press(.down, .down)
    stage.type("/te")
    #expect(Self.seen(stage) == "tea [tennis]")
    stage.press(.backspace, .backspace)
    #expect(Self.seen(stage) == "tea sets [poll] tennis egg")
    stage.type("egg")
    stage.press(.escape)
    #expect(Self.seen(stage) == "tea sets [poll] tennis egg")
  }

  @Test func theFilterStaysUntilEscape() throws {
    let stage = try Self.stage()
    stage.type("/every")
    stage.press(.enter)
    #expect(stage.lines.contains(" 2 of 5 match 'every'; Esc clears the filter"))
    stage.press(.down)
    #expect(Self.seen(stage) == "sets [poll]")
    stage.press(.down, .home)
    #expect(Self.seen(stage) == "[sets] poll")
    stage.press(.escape)
    #expect(Self.seen(stage) == "tea [sets] poll tennis egg")
    #expect(stage.dashboard.status == nil)
  }

  @Test func whatHidesEverythingLeavesNothingToPress() throws {
    let stage = try Self.stage()
    stage.type("/nonesuch")
    #expect(stage.lines.contains(" no matches"))
    stage.press(.enter)
    let effects = stage.effects
    for key in "prRfFd+-><][scyevJK" { stage.press(.character(key)) }
    #expect(stage.effects == effects)
    #expect(stage.notice == "no matches")
    stage.press(.enter)
    #expect(stage.lines.contains(" no matches"))
    stage.press(.escape, .escape)
    #expect(Self.seen(stage) == "[tea] sets poll tennis egg")
  }

  /// What no longer matches goes, and what comes to match is there at once.
  @Test func theFilterFollowsWhatTimersBecome() throws {
    let stage = try Self.stage()
    stage.type("/running")
    stage.press(.enter, .space)
    #expect(Self.seen(stage) == "[sets] poll egg")
    stage.advance(by: .seconds(5))
    #expect(Self.seen(stage) == "[sets] poll")
    stage.type("P")
    #expect(stage.dashboard.selectedRow == nil)
    stage.type("P")
    #expect(Self.seen(stage) == "[sets] poll")
    #expect(stage.dashboard.selectedRow?.label == "sets")
  }

  @Test func whatIsAddedIsSeen() throws {
    let stage = try Self.stage()
    stage.type("/every")
    stage.press(.enter)
    try stage.add("nap=25m")
    #expect(Self.seen(stage) == "tea sets poll tennis egg [nap]")
    stage.type("d/every")
    stage.press(.enter)
    stage.type("u")
    #expect(Self.seen(stage) == "tea sets poll tennis egg [nap]")
  }

  @Test func goesFromMatchToMatch() throws {
    let stage = try Self.stage()
    stage.type("n")
    #expect(stage.notice == "no search yet; press /")
    stage.type("/te")
    stage.press(.enter, .escape)
    stage.type("n")
    #expect(Self.seen(stage) == "tea sets poll [tennis] egg")
    stage.type("n")
    #expect(Self.seen(stage) == "[tea] sets poll tennis egg")
    stage.type("N")
    #expect(Self.seen(stage) == "tea sets poll [tennis] egg")
  }

  @Test func ordersByEachColumn() throws {
    let stage = try Self.stage()
    stage.advance(by: .seconds(11))
    var orders: [String] = []
    for _ in 0...RowOrder.columns.count {
      stage.type("o")
      orders.append("\(stage.notice ?? ""): \(Self.seen(stage))")
    }
    #expect(
      orders == [
        "sorted by name: egg poll sets [tea] tennis",
        "sorted by kind: poll sets tennis [tea] egg",
        "sorted by state: [tea] sets poll tennis egg",
        "sorted by next in: poll sets [tea] tennis egg",
        "sorted by left: egg [tea] tennis sets poll",
        "sorted by late: poll egg [tea] sets tennis",
        "sorted by note: [tea] sets poll tennis egg",
        "sorted by their own order: [tea] sets poll tennis egg",
      ])
    stage.type("oO")
    #expect(stage.notice == "sorted by name, reversed")
    #expect(Self.seen(stage) == "tennis [tea] sets poll egg")
  }

  @Test func theTitleTellsTheOrder() throws {
    let stage = try Self.stage()
    stage.type("o")
    #expect(
      stage.lines[1]
        == "   NAME▲   KIND          STATE        NEXT IN    LEFT  PROGRESS            LATE")
    #expect(stage.lines[2].contains("egg"))
    stage.type("oooO")
    #expect(stage.lines[1].contains("NEXT IN▼"))
  }

  @Test func whatIsOrderedIsNotMoved() throws {
    let stage = try Self.stage()
    stage.type("oJ")
    #expect(
      stage.notice == "rows are sorted by name; they move in their own order")
    #expect(stage.order == "[tea] sets poll tennis egg")
    stage.type("ooooooo/te")
    stage.press(.enter)
    stage.type("J")
    #expect(Self.seen(stage) == "tennis [tea]")
    stage.press(.escape)
    #expect(Self.seen(stage) == "sets poll tennis [tea] egg")
  }

  @Test func marksAreShown() throws {
    let stage = try Self.stage()
    stage.type("vv")
    #expect(stage.lines[2].hasPrefix("•  tea"))
    #expect(stage.lines[3].hasPrefix("•  sets"))
    #expect(stage.lines[4].hasPrefix(" ▌ poll"))
    stage.press(.up)
    #expect(stage.lines[3].hasPrefix("•▌ sets"))
    #expect(stage.lines.contains(" 2 timers marked"))
    stage.send(.resized(Size(width: 30, height: 5)))
    #expect(stage.lines[1].hasPrefix("• tea"))
    #expect(stage.lines[2].hasPrefix("█ sets"))
  }

  /// The keys, what is told of them, and what undo does.
  @Test(
    arguments: [
      ("r", "3 timers: restarted", "3 timers: reset undone"),
      ("R", "3 timers: reset and stopped", "3 timers: reset undone"),
      ("d", "3 timers: deleted; u restores them", "3 timers: delete undone"),
      ("+", "3 timers: time added", "3 timers: time change undone"),
      (">", "3 timers: interval changed", "3 timers: interval change undone"),
      (
        "]", "sets: iterations changed; 2 could not be",
        "sets: change of iterations undone, 0:43 left"
      ),
      ("f", "3 timers: fired", "nothing to undo"),
      (" ", "3 timers: paused", "nothing to undo"),
    ])
  func aDeedIsAboutTheMarkedOnes(_ key: String, _ notice: String, _ undone: String) throws {
    let stage = try Self.stage()
    stage.advance(by: .seconds(2))
    let before = try ["tea", "sets", "poll", "tennis"].map { try stage.timeLeft($0) }
    stage.type("vvv\(key)")
    #expect(stage.notice == notice)
    stage.press(.escape)
    #expect(stage.dashboard.list.marks.isEmpty)
    stage.type("u")
    #expect(stage.notice == undone)
    if undone == "nothing to undo" { return }
    let after = try ["tea", "sets", "poll", "tennis"].map { try stage.timeLeft($0) }
    #expect(after == before)
    let order = stage.order.filter { $0 != "[" && $0 != "]" }
    #expect(order == "tea sets poll tennis egg")
    #expect(stage.notice == undone)
    stage.type("u")
    #expect(stage.notice == "nothing to undo")
  }

  @Test func whereNothingMarkedRunsAllStart() throws {
    let stage = try Self.stage()
    stage.type("jjjv")
    stage.press(.home)
    stage.type("v ")
    #expect(stage.notice == "tea: paused, 3:00 left")
    stage.type(" ")
    #expect(stage.notice == "2 timers: resumed")
    #expect(try stage.snapshot("tennis").state == .running)
  }

  @Test func copiesWhatIsMarked() throws {
    let stage = try Self.stage()
    stage.type("vvy")
    #expect(stage.notice == "2 timers: copied")
    #expect(stage.order == "tea tea-2 sets [sets-2] poll tennis egg")
  }

  @Test func marksAllThatAreSeen() throws {
    let stage = try Self.stage()
    stage.type("/every")
    stage.press(.enter)
    stage.type("Vd")
    #expect(stage.notice == "2 timers: deleted; u restores them")
    #expect(stage.dashboard.list.marks.isEmpty)
    stage.press(.escape)
    #expect(Self.seen(stage) == "tea [tennis] egg")
    stage.type("VV")
    #expect(stage.dashboard.list.marks.isEmpty)
  }
}
