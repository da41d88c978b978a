import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Tests the action of a binding: each key is pressed in a new fixture.
struct KeyCase: Sendable, CustomTestStringConvertible {
  var scope: Binding.Scope
  var keys: [Key]
  var check: @Sendable (Fixture, Key) throws -> Void

  init(
    _ scope: Binding.Scope, _ keys: [Key],
    _ check: @escaping @Sendable (Fixture, Key) throws -> Void
  ) {
    self.scope = scope
    self.keys = keys
    self.check = check
  }

  var testDescription: String {
    "\(scope): \(keys.map { $0.name(.unicode) }.joined(separator: " "))"
  }
}

@Suite struct BindingTests {
  /// The state after ten seconds: `tea` and `sets` run, `slow` is paused, `egg` is finished.
  static func fixture(_ scope: Binding.Scope) throws -> Fixture {
    let fixture = try Fixture(
      "tea=3m sets=every 45s x8 poll=every 30s slow=1h paused egg=5s", height: 8)
    fixture.advance(by: .seconds(10))
    fixture.acknowledge()
    switch scope {
    case .board, .global: break
    case .focus: fixture.press(.enter)
    case .timeline: fixture.press(.character("3"))
    case .lab: fixture.press(.character("4"))
    case .history:
      fixture.press(.character("5"))
      fixture.send(.history(HistoryTests.index(until: fixture.now)))
    case .log:
      fixture.advance(by: .minutes(4))
      fixture.press(.character("L"))
    case .help: fixture.press(.character("?"))
    case .prompt:
      fixture.press(.character("a"))
      fixture.type("one two three")
    }
    return fixture
  }

  /// Every binding has a case here, which fails if the binding is removed.
  static let cases: [KeyCase] =
    boardCases + focusCases + timelineCases + historyCases + logCases + labCases + globalCases
    + promptCases
    + helpCases

  @Test(arguments: cases) func keyPerformsItsAction(_ keyCase: KeyCase) throws {
    for key in keyCase.keys { try keyCase.check(Self.fixture(keyCase.scope), key) }
  }

  @Test func everyBindingHasACase() {
    struct BoundKey: Hashable {
      var scope: Binding.Scope
      var key: Key
    }
    let tested = Self.cases.flatMap { one in one.keys.map { BoundKey(scope: one.scope, key: $0) } }
    let bound = Bindings.standard.all.flatMap { one in
      one.keys.map { BoundKey(scope: one.scope, key: $0) }
    }
    #expect(Set(tested) == Set(bound))
    #expect(bound.count == Set(bound).count, "a key is bound twice in one scope")
    #expect(Set(Bindings.standard.all.map(\.action)) == Set(Action.allCases))
  }

  @Test func everyBindingHasHelp() {
    for binding in Bindings.standard.all {
      #expect(!binding.help.isEmpty)
      #expect(binding.help.cellWidth <= 66)
    }
    // In a prompt, every key that produces text types it.
    for binding in Bindings.standard.all where binding.scope == .prompt {
      #expect(binding.keys.allSatisfy { $0.text == nil })
    }
  }

  @Test func unknownKeysDoNothing() throws {
    for scope in Binding.Scope.allCases {
      let fixture = try Self.fixture(scope)
      // Any key acknowledges the finished egg.
      fixture.press(Key(.insert))
      let before = fixture.dashboard
      let effects = fixture.effects
      let keys: [Key] = [
        Key(.up, .shift), Key(.down, .control), Key(.character("j"), .alt), Key(.insert),
        Key(.function(7)), Key(.escape, .alt), .control("q"), Key(.enter, .shift),
      ]
      for key in keys { fixture.press(key) }
      #expect(fixture.effects == effects)
      let isUnchanged = fixture.dashboard.rows.all == before.rows.all
      #expect(isUnchanged && fixture.dashboard.selected == before.selected)
      #expect(fixture.dashboard.timerPrompt?.editor == before.timerPrompt?.editor)
      #expect(fixture.dashboard.helpOffset == before.helpOffset)
    }
  }
}

extension BindingTests {
  private static let boardCases: [KeyCase] = [
    KeyCase(.board, [.character("s")]) { (fixture, key) throws in
      try fixture.add("pomodoro=cycle 25m/5m x2")
      fixture.press(key)
      #expect(fixture.notice == "pomodoro: skipped to rest, 5:00 left")
    },
    KeyCase(.board, [.character("c")]) { (fixture, key) throws in
      try fixture.add("'run'=stopwatch")
      fixture.advance(by: .milliseconds(12_340))
      fixture.press(key)
      #expect(fixture.notice == "run: lap 1, 0:12.34")
    },
    KeyCase(.board, [.up, .character("k")]) { (fixture, key) throws in
      fixture.press(.end, key)
      #expect(fixture.order == "tea sets poll [slow] egg")
    },
    KeyCase(.board, [.down, .character("j")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.home, .character("g")]) { (fixture, key) throws in
      fixture.press(.end, key)
      #expect(fixture.order == "[tea] sets poll slow egg")
    },
    KeyCase(.board, [.end, .character("G")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.order == "tea sets poll slow [egg]")
    },
    KeyCase(.board, [.pageDown]) { (fixture, key) throws in
      fixture.send(.resized(Size(width: 80, height: 5)))
      fixture.press(key)
      #expect(fixture.order == "tea sets poll slow [egg]")
    },
    KeyCase(.board, [.pageUp]) { (fixture, key) throws in
      fixture.send(.resized(Size(width: 80, height: 4)))
      fixture.press(.end, key)
      #expect(fixture.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.control("d")]) { (fixture, key) throws in
      fixture.send(.resized(Size(width: 80, height: 5)))
      fixture.press(key)
      #expect(fixture.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.control("u")]) { (fixture, key) throws in
      fixture.send(.resized(Size(width: 80, height: 5)))
      fixture.press(.end, key)
      #expect(fixture.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.space, .character("p")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(try fixture.snapshot("tea").state == .paused)
      #expect(fixture.notice == "tea: paused, 2:50 left")
      fixture.advance(by: .seconds(60))
      fixture.press(key)
      #expect(try fixture.snapshot("tea").state == .running)
      #expect(fixture.notice == "tea: resumed, 2:50 left")
      fixture.press(.end, key)
      #expect(try fixture.snapshot("egg").state == .running)
      #expect(fixture.notice == "egg: restarted, 0:05 left")
    },
    KeyCase(.board, [.character("P")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.rows.count(of: .paused) == 4)
      #expect(fixture.notice == "3 timers: paused")
      fixture.press(key)
      #expect(fixture.dashboard.rows.count(of: .paused) == 1)
      #expect(try fixture.snapshot("slow").state == .paused)
      #expect(fixture.notice == "3 timers: resumed")
    },
    KeyCase(.board, [.character("r")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(try fixture.timeLeft("tea") == .minutes(3))
      #expect(try fixture.snapshot("tea").state == .running)
      #expect(fixture.notice == "tea: restarted, 3:00 left")
    },
    KeyCase(.board, [.character("R")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(try fixture.snapshot("tea").state == .idle)
      #expect(fixture.notice == "tea: reset and stopped")
    },
    KeyCase(.board, [.character("f")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").remainingIterations == 7)
      #expect(try fixture.timeLeft("sets") == .seconds(35))
      #expect(fixture.notice == "sets: fired")
    },
    KeyCase(.board, [.character("F")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").remainingIterations == 7)
      #expect(try fixture.snapshot("sets").state == .paused)
      #expect(fixture.notice == "sets: fired and paused, 0:35 left")
    },
    KeyCase(.board, [.character("+"), .character("=")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(try fixture.timeLeft("tea") == .seconds(180))
      #expect(fixture.notice == "tea: 10s added, 3:00 left")
    },
    KeyCase(.board, [.character("-"), .character("_")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(try fixture.timeLeft("tea") == .seconds(160))
      #expect(fixture.notice == "tea: 10s removed, 2:40 left")
    },
    KeyCase(.board, [.character("<")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").configuration.interval == .seconds(30))
      #expect(try fixture.timeLeft("sets") == .seconds(20))
      #expect(fixture.notice == "sets: interval 45s → 30s, 0:20 left")
    },
    KeyCase(.board, [.character(">")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").configuration.interval == .minutes(1))
      #expect(try fixture.timeLeft("sets") == .seconds(50))
      #expect(fixture.notice == "sets: interval 45s → 1m, 0:50 left")
    },
    KeyCase(.board, [.character("[")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").remainingIterations == 7)
      #expect(fixture.notice == "sets: 7 of 8 left")
    },
    KeyCase(.board, [.character("]")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(try fixture.snapshot("sets").remainingIterations == 9)
      #expect(fixture.notice == "sets: 9 of 9 left")
    },
    KeyCase(.board, [.character("a")]) { (fixture, key) throws in
      fixture.press(key)
      fixture.type("a=b=")
      fixture.press(.backspace, .backspace)
      fixture.type("1h")
      #expect(fixture.order == "[tea] sets poll slow egg")
      fixture.press(.control("u"))
      fixture.type("nap=25m")
      fixture.press(.enter)
      #expect(fixture.order == "tea sets poll slow egg [nap]")
      #expect(try fixture.timeLeft("nap") == .minutes(25))
      #expect(fixture.notice == "nap: added")
    },
    KeyCase(.board, [.character("e")]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "sets=every 45s x8")
      fixture.press(.backspace)
      fixture.type("10")
      fixture.press(.enter)
      #expect(fixture.order == "tea [sets] poll slow egg")
      #expect(try fixture.snapshot("sets").remainingIterations == 10)
      #expect(try fixture.timeLeft("sets") == .seconds(35))
      #expect(fixture.notice == "sets: changed to every 45s ×10, 0:35 left")
    },
    KeyCase(.board, [.character("y")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.order == "tea [tea-2] sets poll slow egg")
      #expect(try fixture.timeLeft("tea-2") == .minutes(3))
      #expect(fixture.notice == "tea: copied as tea-2")
    },
    KeyCase(.board, [.character("d"), .delete]) { (fixture, key) throws in
      fixture.press(.down, key)
      #expect(fixture.order == "tea [poll] slow egg")
      #expect(fixture.notice == "sets: deleted; u restores it")
    },
    KeyCase(.board, [.character("u")]) { (fixture, key) throws in
      fixture.press(.down, .character("d"), key)
      #expect(fixture.order == "tea [sets] poll slow egg")
      #expect(fixture.notice == "sets: delete undone, 0:35 left")
    },
    KeyCase(.board, [.character("U")]) { (fixture, key) throws in
      fixture.press(.down, .character("d"), .character("u"), key)
      #expect(fixture.order == "tea [poll] slow egg")
      #expect(fixture.notice == "sets: delete redone")
    },
    KeyCase(.board, [.character("J")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.order == "sets [tea] poll slow egg")
    },
    KeyCase(.board, [.character("K")]) { (fixture, key) throws in
      fixture.press(.end, key)
      #expect(fixture.order == "tea sets poll [egg] slow")
    },
    shows(.board, [.enter], .focus),
    KeyCase(.board, [.character("/")]) { (fixture, key) throws in
      fixture.press(key)
      fixture.type("every")
      #expect(fixture.order == "tea [sets] poll slow egg")
      #expect(FilteredRows(of: fixture.dashboard).positions == [1, 2])
    },
    KeyCase(.board, [.character("n")]) { (fixture, key) throws in
      fixture.type("/every")
      fixture.press(.escape, key)
      #expect(fixture.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.character("N")]) { (fixture, key) throws in
      fixture.type("/every")
      fixture.press(.escape, key)
      #expect(fixture.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.character("o")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.notice == "sorted by name")
    },
    KeyCase(.board, [.character("O")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.notice == "sorted by board order, reversed")
      #expect(FilteredRows(of: fixture.dashboard).positions == [4, 3, 2, 1, 0])
    },
    KeyCase(.board, [.character("v")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.messageLine?.text == "1 timer marked")
      #expect(fixture.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.character("V")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.messageLine?.text == "5 timers marked")
    },
    KeyCase(.board, [.left, .character("h")]) { (fixture, key) throws in
      fixture.press(.end, key)
      #expect(fixture.order == "tea sets poll [slow] egg")
    },
    KeyCase(.board, [.right, .character("l")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.character("w")]) { (fixture, key) throws in
      fixture.send(.resized(Size(width: 100, height: 30)))
      fixture.press(key)
      #expect(fixture.dashboard.boardLayout == .wall)
      fixture.press(key)
      #expect(fixture.dashboard.boardLayout == .rows)
    },
    KeyCase(.board, [.character("b")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.board.isMuted)
      #expect(fixture.notice == "bell and notifications off")
    },
    KeyCase(.board, [.escape]) { (fixture, key) throws in
      fixture.type("v/every")
      fixture.press(.enter, key)
      #expect(fixture.dashboard.messageLine?.text == "1 timer marked")
      fixture.press(key)
      #expect(fixture.dashboard.messageLine == nil)
    },
  ]

  private static let focusCases: [KeyCase] = [
    KeyCase(.focus, [.escape, .enter]) { (fixture, key) throws in
      #expect(fixture.dashboard.view == .focus)
      fixture.press(key)
      #expect(fixture.dashboard.view == .board)
    }
  ]

  /// Checks the time per cell and the offset of the current time after a key.
  private static func zooms(
    _ keys: [Key], after before: [Key] = [], cell: Int64 = 1_000_000_000, _ offset: Int = 0
  ) -> KeyCase {
    KeyCase(.timeline, keys) { (fixture, key) throws in
      fixture.dashboard.timeline.fit(nil, into: 1)
      for key in before { fixture.press(key) }
      fixture.press(key)
      #expect(fixture.dashboard.timeline.cellDuration == cell)
      #expect(fixture.dashboard.timeline.offset == offset)
      #expect(fixture.dashboard.view == .timeline)
    }
  }

  private static let timelineCases: [KeyCase] = [
    zooms([.character("+")], after: [.character("h")], cell: 500_000_000, 20),
    zooms([.character("-"), .character("_")], after: [.character("h")], cell: 3_000_000_000, 3),
    zooms([.character("=")], after: [.character("h"), .character("+")], cell: 12_000_000_000),
    zooms([.character("h")], 10),
    zooms([.character("l")], -10),
    zooms([.character("0")], after: [.character("h"), .character("h")]),
    KeyCase(.timeline, [.left]) { (fixture, key) throws in
      fixture.press(key, key)
      let cell = fixture.dashboard.timeline.cellDuration
      #expect(fixture.dashboard.timeline.cursor == fixture.now.suspending.nanoseconds - 2 * cell)
    },
    KeyCase(.timeline, [.right]) { (fixture, key) throws in
      fixture.press(key)
      let cell = fixture.dashboard.timeline.cellDuration
      #expect(fixture.dashboard.timeline.cursor == fixture.now.suspending.nanoseconds + cell)
    },
    KeyCase(.timeline, [.escape]) { (fixture, key) throws in
      fixture.press(.left, .character("h"), key)
      #expect(fixture.dashboard.timeline.cursor == nil)
      fixture.press(key)
      #expect(fixture.dashboard.timeline.offset == 0)
      #expect(fixture.dashboard.view == .timeline)
      fixture.press(key)
      #expect(fixture.dashboard.view == .board)
    },
  ]

  /// Checks the number of the first visible entry after a key; five of fourteen are visible.
  private static func scrollsLog(_ keys: [Key], after before: [Key] = [], _ anchor: Int?) -> KeyCase
  {
    KeyCase(.log, keys) { (fixture, key) throws in
      fixture.acknowledge()
      for key in before { fixture.press(key) }
      fixture.press(key)
      #expect(fixture.dashboard.logState.anchor == anchor)
      #expect(fixture.dashboard.view == .log)
    }
  }

  private static func movesInHistory(
    _ keys: [Key], after before: [Key] = [], _ daysAgo: @escaping @Sendable (_ page: Int) -> Int
  ) -> KeyCase {
    KeyCase(.history, keys) { (fixture, key) throws in
      for key in before + [key] { fixture.press(key) }
      let page = ScreenLayout(of: fixture.dashboard).body.height
      #expect(fixture.dashboard.historyDaysAgo == daysAgo(page))
    }
  }

  private static let historyCases: [KeyCase] = [
    movesInHistory([.up, .character("k")], after: [.down, .down]) { _ in 1 },
    movesInHistory([.down, .character("j")]) { _ in 1 },
    movesInHistory([.left, .character("h")]) { _ in 7 },
    movesInHistory([.right, .character("l")], after: [.left, .down]) { _ in 1 },
    movesInHistory([.home, .character("g")], after: [.down]) { _ in 0 },
    movesInHistory([.end, .character("G")]) { _ in 29 },
    movesInHistory([.pageUp, .character("b"), .control("u")], after: [.end]) { 29 - $0 },
    movesInHistory([.pageDown, .space, .control("d")]) { $0 },
    KeyCase(.history, [.enter]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.historyState.listOffset == 0)
      fixture.press(key)
      #expect(fixture.dashboard.historyState.listOffset == nil)
    },
    KeyCase(.history, [.character("/")]) { (fixture, key) throws in
      fixture.press(key)
      fixture.type("te")
      #expect(fixture.dashboard.historyState.filter.text == "te")
      #expect(fixture.dashboard.scope == .prompt)
    },
    KeyCase(.history, [.escape]) { (fixture, key) throws in
      fixture.type("/te")
      fixture.press(.enter, .enter, key)
      #expect(fixture.dashboard.historyState.listOffset == nil)
      fixture.press(key)
      #expect(fixture.dashboard.historyState.filter.isEmpty)
      #expect(fixture.dashboard.view == .history)
      fixture.press(key)
      #expect(fixture.dashboard.view == .board)
    },
  ]

  private static let logCases: [KeyCase] = [
    scrollsLog([.up, .character("k")], 10),
    scrollsLog([.down, .character("j")], after: [.home], 2),
    scrollsLog([.home, .character("g")], 1),
    scrollsLog([.end, .character("G")], after: [.home], nil),
    scrollsLog([.pageUp, .character("b"), .control("u")], 6),
    scrollsLog([.pageDown, .space, .control("d")], after: [.home], 6),
    KeyCase(.log, [.character("a")]) { (fixture, key) throws in
      #expect(!fixture.dashboard.logState.showsActions)
      fixture.press(key)
      #expect(fixture.dashboard.logState.showsActions)
      fixture.press(key)
      #expect(!fixture.dashboard.logState.showsActions)
    },
    KeyCase(.log, [.character("/")]) { (fixture, key) throws in
      fixture.press(key)
      fixture.type("fi")
      #expect(fixture.dashboard.logState.filter.text == "fi")
      #expect(fixture.dashboard.scope == .prompt)
    },
    KeyCase(.log, [.escape, .character("L")]) { (fixture, key) throws in
      fixture.type("/fi")
      fixture.press(.enter, key)
      #expect(fixture.dashboard.logState == LogState())
      #expect(fixture.dashboard.view == .log)
      fixture.press(key)
      #expect(fixture.dashboard.view == .board)
    },
  ]

  private static func sendsToLab(_ keys: [Key], _ action: Action) -> KeyCase {
    KeyCase(.lab, keys) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .lab(.action(action)))
      #expect(fixture.dashboard.view == .lab)
    }
  }

  private static let labCases: [KeyCase] = [
    sendsToLab([.enter, .character(".")], .step),
    sendsToLab([.space, .character("p")], .pauseScene),
    sendsToLab([.character("+"), .character("=")], .faster),
    sendsToLab([.character("-"), .character("_")], .slower),
    sendsToLab([.character("X")], .playToEnd),
    sendsToLab([.character("c")], .showCode),
    sendsToLab([.character("r"), .backspace], .restartScene),
    sendsToLab([.up, .character("k")], .up), sendsToLab([.down, .character("j")], .down),
    sendsToLab([.right, .character("l")], .nextScene),
    sendsToLab([.left, .character("h")], .previousScene),
    sendsToLab([.escape], .leave),
  ]

  /// Checks the view after a key.
  private static func shows(
    _ scope: Binding.Scope, _ keys: [Key], after before: [Key] = [], _ view: DashboardView
  ) -> KeyCase {
    KeyCase(scope, keys) { (fixture, key) throws in
      for key in before { fixture.press(key) }
      fixture.press(key)
      #expect(fixture.dashboard.view == view)
      #expect(fixture.dashboard.helpOffset == nil)
    }
  }

  private static let globalCases: [KeyCase] = [
    KeyCase(.global, [.character(":")]) { (fixture, key) throws in
      fixture.type("?")
      fixture.press(key)
      #expect(fixture.dashboard.helpOffset == nil)
      #expect(fixture.dashboard.commandPrompt?.text == "")
    },
    shows(.global, [.character("1")], after: [.enter, .character("?")], .board),
    shows(.global, [.character("2")], after: [.character("?")], .focus),
    shows(.global, [.tab], .focus),
    shows(.global, [.backtab], after: [.character("2")], .board),
    shows(.global, [.character("3")], .timeline),
    shows(.global, [.character("4")], .lab),
    shows(.global, [.character("5")], .history),
    shows(.global, [.character("L")], .log),
    KeyCase(.global, [.character(".")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.lines.contains { $0.contains("2:50.0") })
      fixture.press(key)
      #expect(!fixture.lines.contains { $0.contains("2:50.0") })
    },
    KeyCase(.global, [.character(",")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.showsLateness)
      fixture.press(key)
      #expect(!fixture.dashboard.showsLateness)
    },
    KeyCase(.global, [.character("T")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(
        fixture.notice == "the tour begins on an empty board; carillon demo has one of its own")
    },
    KeyCase(.global, [.character("t")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.theme == .light)
      #expect(fixture.notice == "theme: light")
    },
    KeyCase(.global, [.character("?"), Key(.function(1))]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.helpOffset == 0)
      #expect(fixture.lines.contains { $0.contains("move up") })
    },
    KeyCase(.global, [.control("l")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .redraw)
    },
    KeyCase(.global, [.control("z")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .suspend)
    },
    KeyCase(.global, [.character("D")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .detach)
    },
    KeyCase(.global, [.character("Q")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .quitFully)
    },
    KeyCase(.global, [.character("q"), Key(.function(10))]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .quit(status: 0))
    },
    KeyCase(.global, [.control("c")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.effects.last == .quit(status: 130))
    },
  ]

  /// Checks the text and the cursor position after a key.
  private static func edits(
    _ keys: [Key], after before: [Key] = [], to text: String, _ cursor: Int
  ) -> KeyCase {
    KeyCase(.prompt, keys) { (fixture, key) throws in
      for key in before { fixture.press(key) }
      fixture.press(key)
      #expect(fixture.dashboard.timerPrompt?.editor.text == text)
      #expect(fixture.dashboard.timerPrompt?.editor.cursor == cursor)
    }
  }

  private static let promptCases: [KeyCase] = [
    KeyCase(.prompt, [.enter]) { (fixture, key) throws in
      fixture.press(.control("u"))
      fixture.type("nap=25m")
      fixture.press(key)
      #expect(fixture.dashboard.timerPrompt == nil)
      #expect(fixture.order == "tea sets poll slow egg [nap]")
    },
    KeyCase(.prompt, [.escape, .control("c")]) { (fixture, key) throws in
      fixture.press(key)
      #expect(fixture.dashboard.timerPrompt == nil)
      #expect(fixture.order == "[tea] sets poll slow egg")
    },
    KeyCase(.prompt, [.tab]) { (fixture, key) throws in
      fixture.press(.escape)
      fixture.type(":them")
      fixture.press(key)
      #expect(fixture.dashboard.commandPrompt?.text == "theme ")
    },
    KeyCase(.prompt, [.up, .control("p")]) { (fixture, key) throws in
      fixture.press(.escape)
      fixture.type("anap=25m")
      fixture.press(.enter)
      fixture.type("a")
      fixture.press(key)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "nap=25m")
    },
    KeyCase(.prompt, [.down, .control("n")]) { (fixture, key) throws in
      fixture.press(.escape)
      fixture.type("anap=25m")
      fixture.press(.enter)
      fixture.type("anoo")
      fixture.press(.up, key)
      #expect(fixture.dashboard.timerPrompt?.editor.text == "noo")
    },
    edits([.left, .control("b")], to: "one two three", 12),
    edits([.right, .control("f")], after: [.home], to: "one two three", 1),
    edits([Key(.character("b"), .alt)], to: "one two three", 8),
    edits([Key(.character("f"), .alt)], after: [.home], to: "one two three", 3),
    edits([.home, .control("a")], to: "one two three", 0),
    edits([.end, .control("e")], after: [.home], to: "one two three", 13),
    edits([.backspace, .control("h")], to: "one two thre", 12),
    edits([.delete, .control("d")], after: [.home], to: "ne two three", 0),
    edits([.control("w"), Key(.backspace, .alt)], to: "one two ", 8),
    edits([Key(.character("d"), .alt)], after: [.home], to: " two three", 0),
    edits([.control("u")], after: [.left], to: "e", 0),
    edits([.control("k")], after: [.home, .right], to: "o", 1),
  ]

  /// Checks the scroll offset of the help after a key.
  private static func scrolls(_ keys: [Key], after before: [Key] = [], to offset: Int?) -> KeyCase {
    KeyCase(.help, keys) { (fixture, key) throws in
      for key in before { fixture.press(key) }
      fixture.press(key)
      #expect(fixture.dashboard.helpOffset == offset)
    }
  }

  // Six lines of help are visible at a time.
  private static let helpCases: [KeyCase] = [
    scrolls([.up, .character("k")], after: [.pageDown], to: 5),
    scrolls([.down, .character("j"), .enter], to: 1),
    scrolls([.home, .character("g")], after: [.pageDown], to: 0),
    scrolls([.end, .character("G")], to: 200),
    scrolls([.pageUp, .character("b"), .control("u")], after: [.pageDown, .pageDown], to: 6),
    scrolls([.pageDown, .space, .control("d")], to: 6),
    scrolls([.escape, .character("q"), .character("?"), Key(.function(1))], to: nil),
  ]
}
