import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The visible part of the list: filtered, sorted, marked.
@Suite struct ListTests {
  private static func fixture(_ width: Int = 80, _ height: Int = 14) throws -> Fixture {
    try Fixture(
      "tea=3m note 'oolong, two bags' sets=every 45s x8 poll=every 10s tennis=1h paused egg=5s",
      width: width, height: height)
  }

  /// The labels of the visible rows, the selected one in brackets.
  private static func visible(_ fixture: Fixture) -> String {
    FilteredRows(of: fixture.dashboard).positions
      .map {
        let label = fixture.dashboard.rows[$0].label
        return $0 == fixture.dashboard.selected ? "[\(label)]" : label
      }
      .joined(separator: " ")
  }

  @Test func anUnboundKeyIsReported() throws {
    let fixture = try Fixture("tea=3m")
    for (keys, key) in [("", "x"), ("2", "x"), ("3", "x"), ("L", "x"), ("?", "x"), ("4", "Z")] {
      fixture.type(keys + key)
      #expect(fixture.notice == "\(key): no binding; ? help", "after \(keys)")
      fixture.press(.escape, .escape)
      fixture.type("1")
      #expect(fixture.notice == nil)
    }
    fixture.press(Key(.function(7)))
    #expect(fixture.notice == "F7: no binding; ? help")
    // In a prompt, keys type text.
    fixture.type("ax")
    #expect(fixture.notice == nil)
  }

  /// The reason is shown.
  @Test func aTimerThatCannotBeCreatedHasNoRow() throws {
    let fixture = try Fixture("tea=3m")
    var spec = TimerSpec(name: "egg", kind: .once(.minutes(5)))
    spec.tolerance = .seconds(-1)
    fixture.perform(.start([spec]))
    #expect(fixture.order == "[tea]")
    #expect(fixture.notice?.hasPrefix("egg: ") == true)
  }

  @Test(arguments: [
    ("te", "[tea] tennis"), ("TE", "[tea] tennis"), ("bags", "[tea]"), ("every", "[sets] poll"),
    ("paused", "[tennis]"), ("every ol", "[poll]"), ("1h te", "[tennis]"),
    ("", "[tea] sets poll tennis egg"),
  ])
  func filtersByEveryWord(_ text: String, _ expected: String) throws {
    let fixture = try Self.fixture()
    fixture.type("/\(text)")
    #expect(Self.visible(fixture) == expected)
  }

  @Test func theSelectionReturnsWhenTheFilterIsErased() throws {
    let fixture = try Self.fixture()
    fixture.press(.down, .down)
    fixture.type("/te")
    #expect(Self.visible(fixture) == "tea [tennis]")
    fixture.press(.backspace, .backspace)
    #expect(Self.visible(fixture) == "tea sets [poll] tennis egg")
    fixture.type("egg")
    fixture.press(.escape)
    #expect(Self.visible(fixture) == "tea sets [poll] tennis egg")
  }

  @Test func theFilterStaysUntilEscape() throws {
    let fixture = try Self.fixture()
    fixture.type("/every")
    fixture.press(.enter)
    #expect(fixture.lines.contains(" 2 of 5 match 'every'; Esc clears the filter"))
    fixture.press(.down)
    #expect(Self.visible(fixture) == "sets [poll]")
    fixture.press(.down, .home)
    #expect(Self.visible(fixture) == "[sets] poll")
    fixture.press(.escape)
    #expect(Self.visible(fixture) == "tea [sets] poll tennis egg")
    #expect(fixture.dashboard.messageLine == nil)
  }

  /// Esc has other actions in other views. During an alert it does what the message says.
  @Test func theMessageNamesEscapeOnlyWhereItClearsTheFilter() throws {
    let fixture = try Self.fixture()
    fixture.type("/every")
    fixture.press(.enter)
    for view in ["2", "3"] {
      fixture.type(view)
      #expect(fixture.lines.contains(" 2 of 5 match 'every'"))
    }
    fixture.type("1")
    #expect(fixture.lines.contains(" 2 of 5 match 'every'; Esc clears the filter"))
    fixture.advance(by: .seconds(6))
    #expect(fixture.lines.contains(" 2 of 5 match 'every'; Esc clears the filter"))
    fixture.press(.escape)
    #expect(fixture.dashboard.listState.filter.isEmpty && fixture.dashboard.rows.alertCount == 1)
    fixture.press(.escape)
    #expect(fixture.dashboard.rows.alertCount == 0)
  }

  @Test func aFilterWithoutMatchesDisablesTimerKeys() throws {
    let fixture = try Self.fixture()
    fixture.type("/nonesuch")
    #expect(fixture.lines.contains(" no matches"))
    fixture.press(.enter)
    let effects = fixture.effects
    for key in "prRfFd+-><][scyevJK" { fixture.press(.character(key)) }
    #expect(fixture.effects == effects)
    #expect(fixture.notice == "no matches")
    fixture.press(.enter)
    #expect(fixture.lines.contains(" no matches"))
    fixture.press(.escape, .escape)
    #expect(Self.visible(fixture) == "[tea] sets poll tennis egg")
  }

  /// Rows that no longer match disappear, and new matches appear immediately.
  @Test func theFilterFollowsChangesOfTimers() throws {
    let fixture = try Self.fixture()
    fixture.type("/runs")
    fixture.press(.enter, .space)
    #expect(Self.visible(fixture) == "[sets] poll egg")
    fixture.advance(by: .seconds(5))
    #expect(Self.visible(fixture) == "[sets] poll")
    fixture.acknowledge()
    fixture.type("P")
    #expect(fixture.dashboard.selectedRow == nil)
    fixture.type("P")
    #expect(Self.visible(fixture) == "[sets] poll")
    #expect(fixture.dashboard.selectedRow?.label == "sets")
  }

  @Test func anAddedTimerIsVisible() throws {
    let fixture = try Self.fixture()
    fixture.type("/every")
    fixture.press(.enter)
    try fixture.add("nap=25m")
    #expect(Self.visible(fixture) == "tea sets poll tennis egg [nap]")
    fixture.type("d/every")
    fixture.press(.enter)
    fixture.type("u")
    #expect(Self.visible(fixture) == "tea sets poll tennis egg [nap]")
  }

  @Test func selectsTheNextAndPreviousMatch() throws {
    let fixture = try Self.fixture()
    fixture.type("n")
    #expect(fixture.notice == "no search yet; press /")
    fixture.type("/te")
    fixture.press(.enter, .escape)
    fixture.type("n")
    #expect(Self.visible(fixture) == "tea sets poll [tennis] egg")
    fixture.type("n")
    #expect(Self.visible(fixture) == "[tea] sets poll tennis egg")
    fixture.type("N")
    #expect(Self.visible(fixture) == "tea sets poll [tennis] egg")
  }

  @Test func sortsByEachColumn() throws {
    let fixture = try Self.fixture()
    fixture.advance(by: .seconds(11))
    var orders: [String] = []
    for name in RowOrder.names.dropFirst() + ["board"] {
      fixture.type(":sort \(name)")
      fixture.press(.enter)
      orders.append("\(fixture.notice ?? ""): \(Self.visible(fixture))")
    }
    #expect(
      orders == [
        "sorted by name: egg poll sets [tea] tennis",
        "sorted by kind: poll sets tennis [tea] egg",
        "sorted by state: egg [tea] sets poll tennis",
        "sorted by time: poll sets [tea] tennis egg",
        "sorted by left: sets poll [tea] tennis egg",
        "sorted by late: poll egg [tea] sets tennis",
        "sorted by note: [tea] sets poll tennis egg",
        "sorted by board order: [tea] sets poll tennis egg",
      ])
    fixture.type("oO")
    #expect(fixture.notice == "sorted by name, reversed")
    #expect(Self.visible(fixture) == "tennis [tea] sets poll egg")
  }

  /// The key skips columns that are not on the screen, so that the title of the sort column always has an arrow.
  @Test func theKeySortsByShownColumns() throws {
    let fixture = try Self.fixture()
    var orders: [String] = []
    for _ in 0..<5 {
      fixture.type("o")
      orders.append(fixture.dashboard.listState.order.description)
      #expect(fixture.lines[1].contains("▲") == (orders.last != "board"))
    }
    #expect(orders == ["name", "state", "time", "left", "board"])
    fixture.type(":sort kind")
    fixture.press(.enter)
    fixture.type("o")
    #expect(fixture.notice == "sorted by state")
    fixture.send(.resized(Size(width: 16, height: 14)))
    fixture.type("o")
    #expect(fixture.notice == "sorted by time")
  }

  /// A notice does not hide that a filter is active, and an added timer that it hides clears it with a word.
  @Test func theFilterLeavesATrace() throws {
    let fixture = try Self.fixture()
    fixture.type("/every")
    fixture.press(.enter, .space)
    let line = try #require(fixture.lines.first { $0.contains("sets: paused") })
    #expect(line.hasSuffix(" /every 2 of 5"))
    fixture.press(.escape)
    fixture.type("/every")
    fixture.press(.enter)
    fixture.type("anap=20m")
    fixture.press(.enter)
    #expect(fixture.notice?.hasSuffix("; filter 'every' cleared, because it hides nap") == true)
    #expect(fixture.dashboard.listState.filter.isEmpty)
    fixture.type("/nonesuch")
    fixture.press(.enter)
    #expect(fixture.lines.contains(" 0 of 6 match 'nonesuch'; Esc clears the filter"))
  }

  @Test func theTitleShowsTheSortColumn() throws {
    let fixture = try Self.fixture()
    fixture.type("o")
    #expect(
      fixture.lines[1]
        == "   NAME▲      TIME  STATE        LEFT  PROGRESS               PLAN")
    #expect(fixture.lines[2].contains("egg"))
    fixture.type("ooO")
    #expect(fixture.lines[1].contains("TIME▼"))
  }

  @Test func sortedRowsCannotBeMoved() throws {
    let fixture = try Self.fixture()
    fixture.type("oJ")
    #expect(
      fixture.notice == "rows are sorted by name (expected the board order; o changes it)")
    #expect(fixture.order == "[tea] sets poll tennis egg")
    fixture.type("oooo/te")
    fixture.press(.enter)
    fixture.type("J")
    #expect(Self.visible(fixture) == "tennis [tea]")
    fixture.press(.escape)
    #expect(Self.visible(fixture) == "sets poll tennis [tea] egg")
  }

  @Test func marksAreShown() throws {
    let fixture = try Self.fixture()
    fixture.type("vv")
    #expect(fixture.lines[2].hasPrefix("•  tea"))
    #expect(fixture.lines[3].hasPrefix("•  sets"))
    #expect(fixture.lines[4].hasPrefix(" ▌ poll"))
    fixture.press(.up)
    #expect(fixture.lines[3].hasPrefix("•▌ sets"))
    #expect(fixture.lines.contains(" 2 timers marked"))
    fixture.send(.resized(Size(width: 30, height: 5)))
    #expect(fixture.lines[1].hasPrefix("• tea"))
    #expect(fixture.lines[2].hasPrefix("█ sets"))
  }

  /// The key, its notice, and the notice of undo.
  @Test(
    arguments: [
      ("r", "3 timers: restarted", "3 timers: restart undone"),
      ("R", "3 timers: reset and stopped", "3 timers: reset undone"),
      ("d", "3 timers: deleted; u restores them", "3 timers: delete undone"),
      ("+", "3 timers: time added", "3 timers: time change undone"),
      (">", "2 timers: interval changed; 1 refused", "2 timers: interval change undone"),
      (
        "]", "sets: iterations changed; 2 refused",
        "sets: change of iterations undone, 0:43 left"
      ),
      ("f", "3 timers: fired", "3 timers: fire undone"),
      (" ", "3 timers: paused", "3 timers: pause undone"),
    ])
  func actionsApplyToMarkedTimers(_ key: String, _ notice: String, _ undone: String) throws {
    let fixture = try Self.fixture()
    fixture.advance(by: .seconds(2))
    let before = try ["tea", "sets", "poll", "tennis"].map { try fixture.timeLeft($0) }
    fixture.type("vvv\(key)")
    #expect(fixture.notice == notice)
    fixture.press(.escape)
    #expect(fixture.dashboard.listState.marks.isEmpty)
    fixture.type("u")
    #expect(fixture.notice == undone)
    let after = try ["tea", "sets", "poll", "tennis"].map { try fixture.timeLeft($0) }
    #expect(after == before)
    let order = fixture.order.filter { $0 != "[" && $0 != "]" }
    #expect(order == "tea sets poll tennis egg")
    #expect(fixture.notice == undone)
    fixture.type("u")
    #expect(fixture.notice == "nothing to undo")
  }

  @Test func markedTimersResumeIfNoneRuns() throws {
    let fixture = try Self.fixture()
    fixture.type("jjjv")
    fixture.press(.home)
    fixture.type("v ")
    #expect(fixture.notice == "tea: paused, 3:00 left")
    fixture.type(" ")
    #expect(fixture.notice == "2 timers: started")
    #expect(try fixture.snapshot("tennis").state == .running)
  }

  @Test func copiesMarkedTimers() throws {
    let fixture = try Self.fixture()
    fixture.type("vvy")
    #expect(fixture.notice == "2 timers: copied")
    #expect(fixture.order == "tea tea-2 sets [sets-2] poll tennis egg")
  }

  @Test func marksAllVisibleTimers() throws {
    let fixture = try Self.fixture()
    fixture.type("/every")
    fixture.press(.enter)
    fixture.type("Vd")
    #expect(fixture.notice == "2 timers: deleted; u restores them")
    #expect(fixture.dashboard.listState.marks.isEmpty)
    fixture.press(.escape)
    #expect(Self.visible(fixture) == "tea [tennis] egg")
    fixture.type("VV")
    #expect(fixture.dashboard.listState.marks.isEmpty)
  }

  /// The selection stays with its timer when another process deletes or restores rows above it.
  @Test func theSelectionFollowsItsTimer() throws {
    let fixture = try Fixture("a=1h b=1h c=1h d=1h")
    fixture.type("jj")
    fixture.perform(.delete([fixture.dashboard.rows[0].id]))
    #expect(fixture.order == "b [c] d")
    fixture.perform(.undo)
    #expect(fixture.order == "a b [c] d")
    // Without a report, the next key and the next frame find it.
    var change = fixture.board.perform(
      .delete([fixture.dashboard.rows[1].id]), at: fixture.now)
    change.reports = []
    fixture.dashboard.follow(change, of: &fixture.board, at: fixture.now)
    fixture.press(.space)
    #expect(fixture.dashboard.rows.timer(named: "c")?.state == .paused)
    // The row below a deleted one is selected in its place.
    fixture.perform(.delete([fixture.dashboard.rows[1].id]))
    #expect(fixture.order == "a [d]")
  }
}
