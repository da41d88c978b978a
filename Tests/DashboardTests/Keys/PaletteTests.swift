import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The matches of the command palette, and the timers and values that its commands take.
@Suite struct PaletteTests {
  private static let timers = """
    tea=3m 'green tea'=4m sets=every 45s x8 slow=1h paused 'run'=stopwatch
    pomodoro=cycle 25m/5m x4 5s paused
    """

  private static func fixture(_ width: Int = 80, _ height: Int = 24) throws -> Fixture {
    let fixture = try Fixture(timers, width: width, height: height)
    fixture.dashboard.scenes = {
      [.init("modes", "three modes"), .init("debounce", "the last of many")]
    }
    return fixture
  }

  private static func names(_ line: String, _ fixture: Fixture) -> [String] {
    fixture.type(":\(line)")
    return Palette(of: fixture.dashboard, at: fixture.now).matches.map(\.name)
  }

  private static func run(_ line: String, _ fixture: Fixture) {
    fixture.type(":\(line)")
    fixture.press(.enter)
  }

  @Test func commandsOfTheFooterComeFirst() throws {
    let names = try Self.names("", Self.fixture())
    #expect(names.prefix(4) == ["add", "toggle", "restart", "fire"])
    #expect(names.suffix(2) == ["half-page-down", "dismiss"])
    #expect(names.contains("sort") && !names.contains("board") && !names.contains("zoom-in"))
  }

  @Test func offersWhatApplies() throws {
    let fixture = try Self.fixture()
    #expect(try !Self.names("", Self.fixture()).contains("skip"))
    #expect(try !Self.names("", Self.fixture()).contains("undo"))
    fixture.press(.end, .up)
    #expect(fixture.dashboard.selectedRow?.label == "pomodoro")
    #expect(Self.names("", fixture).contains("skip"))
    fixture.press(.escape)
    fixture.type("3")
    let timeline = Self.names("", fixture)
    #expect(
      timeline.contains("zoom-in") && timeline.contains("pause") && !timeline.contains("timeline"))
    fixture.press(.escape)
    fixture.type("L")
    let log = Self.names("", fixture)
    #expect(log.contains("filter") && !log.contains("pause"))
  }

  @Test func showsTheKeyOfTheView() throws {
    let fixture = try Self.fixture()
    fixture.type(":zoom")
    #expect(Palette(of: fixture.dashboard, at: fixture.now).matches.isEmpty)
    fixture.press(.escape)
    fixture.type("3:more")
    // On the timeline the key + zooms.
    #expect(Palette(of: fixture.dashboard, at: fixture.now).matches.first?.key == "")
    fixture.press(.control("u"))
    fixture.type("zoom-in")
    #expect(Palette(of: fixture.dashboard, at: fixture.now).matches.first?.key == "+")
  }

  @Test(
    arguments: [
      ("pau", ["pause", "pause-all"]), ("red", ["redraw"]),
      ("clear", ["dismiss"]),
      ("pause t", ["tea", "green tea", "sets"]), ("resume ", ["slow", "once 5s"]),
      ("more gt", ["green tea"]), ("more 1m", []), ("rename sl", ["slow"]), ("skip ", ["pomodoro"]),
      ("lap ", ["run"]),
      ("theme lat", ["catppuccin-latte"]), ("sort n", ["name", "note"]),
      ("layout ", ["auto", "rows", "wall"]), ("scene ", ["modes", "debounce"]), ("mute x", []),
      ("filter x", []), ("add x", []), ("re tea", ["reset", "rename", "redraw", "restart"]),
    ])
  func listsMatches(_ line: String, _ expected: [String]) throws {
    let names = try Self.names(line, Self.fixture())
    #expect(names.prefix(expected.count) == expected[...] && (names.isEmpty == expected.isEmpty))
  }

  @Test(
    arguments: [
      ("pause tea", "tea: paused, 3:00 left"), ("pause gr", "green tea: paused, 4:00 left"),
      ("pause 'green tea'", "green tea: paused, 4:00 left"),
      ("resume #7", "once 5s: started, 0:05 left"),
      ("more tea 1m", "tea: 1m added, 4:00 left"), ("more 1m", "sets: 1m added, 1:45 left"),
      ("more green tea 1h 30m", "green tea: 1h30m added, 1:34:00 left"),
      ("more tea", "tea: 10s added, 3:10 left"),
      ("less green tea 30s", "green tea: 30s removed, 3:30 left"),
      ("interval sets 30s", "sets: interval 45s → 30s, 0:30 left"),
      ("rename tea chai", "tea: renamed to chai"), ("rename oolong", "sets: renamed to oolong"),
      ("note tea two bags", "tea: changed"), ("delete tea", "tea: deleted; u restores it"),
      ("duplicate tea", "tea: copied as tea-2"),
      ("skip pomo", "pomodoro: skipped to rest, 5:00 left"),
      ("lap run", "run: lap 1, 0:00.00"), ("fire sets", "sets: fired"),
      ("edit every 30s x3", "sets: changed to every 30s ×3, 0:30 left"),
      ("theme light", "theme: light"), ("theme grub", "theme: gruvbox"),
      ("sort name", "sorted by name"),
      ("pause", "sets: paused, 0:45 left"),
    ])
  func takesTimersAndValues(_ line: String, _ notice: String) throws {
    let fixture = try Self.fixture()
    fixture.press(.down, .down)
    Self.run(line, fixture)
    #expect(fixture.notice == notice)
    #expect(fixture.dashboard.prompt == nil)
  }

  @Test func opensWhatIsNamed() throws {
    let fixture = try Self.fixture()
    Self.run("edit tea", fixture)
    #expect(fixture.dashboard.timerPrompt?.editor.text == "tea=3m")
    fixture.press(.escape)
    Self.run("focus slow", fixture)
    #expect(fixture.dashboard.view == .focus && fixture.dashboard.selectedRow?.label == "slow")
    Self.run("mark tea", fixture)
    #expect(fixture.dashboard.listState.marks.count == 1)
    Self.run("scene deb", fixture)
    #expect(fixture.dashboard.view == .lab)
    #expect(fixture.effects.last == .lab(.open("debounce")))
  }

  /// A group is named like a timer, except where a command applies to one timer.
  @Test func takesGroups() throws {
    let fixture = try Fixture(
      "wash=30m group laundry dry=1h group laundry laundromat=2h 'wash up'=5m group 'my box'")
    #expect(Self.names("pause laund", fixture) == ["laundry", "laundromat"])
    fixture.press(.enter)
    #expect(fixture.notice == "2 timers: paused")
    Self.run("more my box 1m", fixture)
    #expect(fixture.notice == "wash up: 1m added, 6:00 left")
    Self.run("rename laundry x", fixture)
    #expect(
      fixture.dashboard.rows.all.map(\.name) == ["laundry x", "dry", "laundromat", "wash up"])
    Self.run("mark laundry", fixture)
    #expect(fixture.dashboard.listState.marks.count == 2)
    Self.run("pause laundri", fixture)
    #expect(
      fixture.dashboard.commandPrompt?.error
        == "unknown timer or group 'laundri' (did you mean 'laundry'?)")
    fixture.press(.escape)
    Self.run("focus laundri", fixture)
    #expect(
      fixture.dashboard.commandPrompt?.error
        == "unknown timer 'laundri' (did you mean 'laundry x'?)")
  }

  /// A filter names no timer, so that its first word may be similar to a name.
  @Test func aFilterIsNotAMisspelledName() throws {
    let fixture = try Self.fixture()
    Self.run("filter tee time", fixture)
    #expect(fixture.dashboard.prompt == nil)
    #expect(fixture.dashboard.listState.filter.text == "tee time")
  }

  /// Without a name a command applies to the marked rows, as its key does.
  @Test func appliesToMarkedRows() throws {
    let fixture = try Self.fixture()
    fixture.type("vv:pause")
    #expect(fixture.lines[22].hasSuffix("TIMER defaults to 2 marked timers"))
    fixture.press(.enter)
    #expect(fixture.notice == "2 timers: paused")
  }

  /// A command for one timer applies to the selected row, not to the marked ones.
  @Test func aCommandForOneTimerTakesNoMarks() throws {
    let fixture = try Self.fixture()
    fixture.type("vv")
    let selected = try #require(fixture.dashboard.selectedRow)
    fixture.type(":rename")
    #expect(fixture.lines[22].hasSuffix("TIMER defaults to \(selected.label)"))
    fixture.press(.escape)
    Self.run("note two bags", fixture)
    #expect(fixture.dashboard.rows.all.filter { $0.note != nil }.map(\.id) == [selected.id])
    Self.run("focus", fixture)
    #expect(fixture.dashboard.selectedRow?.id == selected.id)
  }

  @Test(
    arguments: [
      ("pause nobody", "unknown timer or group 'nobody' (expected a timer or group of the board)"),
      ("more chai 1m", "unknown timer or group 'chai' (expected a timer or group of the board)"),
      ("more tee 1m", "unknown timer or group 'tee' (did you mean 'tea'?)"),
      ("more 5", "'5': missing unit after '5' (expected 5s, 5m or 5h)"),
      ("skip tea", "tea: no phases to skip"), ("lap", "tea: no laps; only a stopwatch has them"),
      ("interval tea", "'interval' needs a duration (such as 'interval sets 30s')"),
      ("rename tea", "'rename' needs a text (such as 'rename tea chai')"),
      // A misspelled name is not the beginning of a new one for the selected timer.
      ("rename slwo hen", "unknown timer 'slwo' (did you mean 'slow'?)"),
      ("focus nobody", "unknown timer 'nobody' (expected a timer of the board)"),
      ("scene nonesuch", "unknown scene 'nonesuch' (expected modes, debounce)"),
      ("undo", "nothing to undo"), ("next-match", "no search yet; press /"),
    ])
  func errorsStayInTheLine(_ line: String, _ fault: String) throws {
    let fixture = try Self.fixture()
    Self.run(line, fixture)
    #expect(fixture.dashboard.commandPrompt?.error == fault)
    #expect(fixture.dashboard.commandPrompt?.text.hasPrefix(line) == true)
    #expect(fixture.lines[22] == " \(fault)")
    fixture.send(.resized(Size(width: 80, height: 8)))
    #expect(fixture.lines[5] == " \(fault)")
    #expect(fixture.lines[6] == " :\(line)")
  }

  /// The command takes the name of a timer, or the new text of the selected one.
  @Test func theUsageOfEditNamesAlternatives() throws {
    let fixture = try Self.fixture()
    fixture.type(":edit ")
    #expect(fixture.lines[22].hasPrefix(" edit [TIMER or TEXT] · such as edit tea, edit every"))
  }

  /// An exact name or synonym ranks first, even if it has no effect, so that the highlighted line is what Enter runs.
  @Test(arguments: [
    ("start", Action.start, ""),
    ("lap", .lap, "tea: no laps; only a stopwatch has them"),
    ("ack", .acknowledge, "no alerts"), ("acknowledge", .acknowledge, "no alerts"),
    ("zoom-in", .zoomIn, "'zoom-in' is not available here (expected in timeline)"),
    ("undo", .undo, "nothing to undo"), ("top", .top, ""), ("snooze", .moreTime, ""),
    ("trigger", .fire, ""), ("demo", .showLab, ""), ("toggle", .startOrPause, ""),
  ])
  func theHighlightedLineRuns(_ word: String, _ action: Action, _ fault: String) throws {
    let fixture = try Self.fixture()
    fixture.type(":\(word)")
    let palette = Palette(of: fixture.dashboard, at: fixture.now)
    #expect(palette.selected == 0 && palette.selectedMatch?.action == action)
    #expect(palette.action == action)
    fixture.press(.enter)
    #expect((fixture.dashboard.commandPrompt?.error ?? "") == fault)
  }

  @Test func arrowsChooseAMatch() throws {
    let fixture = try Self.fixture()
    fixture.type(":pause")
    var choices: [String?] = []
    for key in [Key.down, .control("n"), .control("p"), .up, .up] {
      fixture.press(key)
      choices.append(Palette(of: fixture.dashboard, at: fixture.now).selectedMatch?.name)
    }
    #expect(choices.prefix(4) == ["pause-all", "fire-and-pause", "pause-all", "pause"])
    fixture.press(.control("u"))
    fixture.type("pause ")
    fixture.press(.enter)
    #expect(fixture.notice == "tea: paused, 3:00 left")
    fixture.type(":pause ")
    fixture.press(.down, .down, .enter)
    #expect(fixture.notice == "sets: paused, 0:45 left")
  }

  @Test func tabCompletes() throws {
    let fixture = try Self.fixture()
    fixture.type(":mor")
    fixture.press(.tab)
    #expect(fixture.dashboard.commandPrompt?.text == "more ")
    fixture.type("gt")
    fixture.press(.tab)
    #expect(fixture.dashboard.commandPrompt?.text == "more green tea ")
    fixture.type("30s")
    fixture.press(.tab, .enter)
    #expect(fixture.notice == "green tea: 30s added, 4:30 left")
    fixture.type(":")
    fixture.press(.enter)
    #expect(fixture.dashboard.commandPrompt == nil)
  }

  /// The newest lines come first while the line is empty.
  @Test func recentLinesComeFirst() throws {
    let fixture = try Self.fixture()
    for line in ["pause tea", "sort name", "theme light", "sort kind"] { Self.run(line, fixture) }
    #expect(Self.names("", fixture).prefix(4) == ["sort kind", "theme light", "sort name", "add"])
    fixture.press(.up, .enter)
    #expect(fixture.notice == "sorted by kind")
    #expect(fixture.dashboard.commandPrompt == nil)
  }

  @Test func aClickRunsAMatch() throws {
    let fixture = try Self.fixture()
    fixture.type(":pause")
    let y = try #require(fixture.lines.firstIndex { $0.contains("pause-all") })
    fixture.send(.input(.mouse(MouseEvent(.scrollDown, at: Point(x: 5, y: y)))))
    #expect(Palette(of: fixture.dashboard, at: fixture.now).selected == 1)
    fixture.send(.input(.mouse(MouseEvent(.press(button: 1), at: Point(x: 5, y: y)))))
    #expect(fixture.notice == "5 timers: paused")
  }

  /// An empty list says why a command has no effect on the timers that match.
  @Test func anEmptyListSaysWhy() throws {
    let fixture = try Self.fixture()
    fixture.type(":pause slow")
    #expect(fixture.frame.text.contains("slow: already paused"))
    fixture.press(.control("u"))
    fixture.type("skip tea")
    #expect(fixture.frame.text.contains("'skip' has no effect on these 2 timers"))
    fixture.press(.control("u"))
    fixture.type("lap tea=")
    #expect(fixture.frame.text.contains("no matches"))
    fixture.press(.control("u"))
    fixture.type("lap sets")
    #expect(fixture.frame.text.contains("sets: no laps; only a stopwatch has them"))
  }

  /// Of many timers the list holds the best.
  @Test func theListIsCutOff() throws {
    let line = (0..<80).map { "t\($0)=1h" }.joined(separator: " ")
    let fixture = try Fixture(line)
    fixture.type(":pause ")
    let palette = Palette(of: fixture.dashboard, at: fixture.now)
    #expect(palette.matches.count == Palette.limit)
    #expect(palette.title == "timers, the first 50")
    fixture.type("79")
    #expect(Palette(of: fixture.dashboard, at: fixture.now).matches.map(\.name) == ["t79"])
  }
}
