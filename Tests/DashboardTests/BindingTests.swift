import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What a key does, shown on a stage: each of the keys is pressed on a stage of its own.
struct KeyCase: Sendable, CustomTestStringConvertible {
  var scope: Binding.Scope
  var keys: [Key]
  var check: @Sendable (Stage, Key) throws -> Void

  init(
    _ scope: Binding.Scope, _ keys: [Key], _ check: @escaping @Sendable (Stage, Key) throws -> Void
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
  /// Ten seconds in: `tea` and `sets` run, `slow` is paused, `egg` is finished.
  static func stage(_ scope: Binding.Scope) throws -> Stage {
    let stage = try Stage(
      "tea=3m sets=every 45s x8 poll=every 30s slow=1h paused egg=5s", height: 8)
    stage.advance(by: .seconds(10))
    switch scope {
    case .board, .global: break
    case .focus: stage.press(.enter)
    case .timeline: stage.press(.character("3"))
    case .lab: stage.press(.character("4"))
    case .log:
      stage.advance(by: .minutes(4))
      stage.press(.character("L"))
    case .help: stage.press(.character("?"))
    case .prompt:
      stage.press(.character("a"))
      stage.type("one two three")
    }
    return stage
  }

  /// Every binding has its place here, and fails here when its line goes.
  static let cases: [KeyCase] =
    boardCases + focusCases + timelineCases + logCases + labCases + globalCases + promptCases
    + helpCases

  @Test(arguments: cases) func keyDoes(_ keyCase: KeyCase) throws {
    for key in keyCase.keys { try keyCase.check(Self.stage(keyCase.scope), key) }
  }

  @Test func everyBindingHasACase() {
    struct Place: Hashable {
      var scope: Binding.Scope
      var key: Key
    }
    let tested = Self.cases.flatMap { one in one.keys.map { Place(scope: one.scope, key: $0) } }
    let bound = Bindings.standard.all.flatMap { one in
      one.keys.map { Place(scope: one.scope, key: $0) }
    }
    #expect(Set(tested) == Set(bound))
    #expect(bound.count == Set(bound).count, "a key is bound twice in one scope")
    #expect(Set(Bindings.standard.all.map(\.action)) == Set(Action.allCases))
  }

  @Test func everyBindingIsExplained() {
    for binding in Bindings.standard.all {
      #expect(!binding.help.isEmpty && !binding.keys.isEmpty)
      #expect(binding.help.cellWidth <= 66)
    }
    // In a prompt, what can be typed is typed.
    for binding in Bindings.standard.all where binding.scope == .prompt {
      #expect(binding.keys.allSatisfy { $0.text == nil })
    }
  }

  @Test func unknownKeysDoNothing() throws {
    for scope in Binding.Scope.allCases {
      let stage = try Self.stage(scope)
      // Any key takes note of the finished egg.
      stage.press(Key(.insert))
      let before = stage.dashboard
      let effects = stage.effects
      let keys: [Key] = [
        Key(.up, .shift), Key(.down, .control), Key(.character("j"), .alt), Key(.insert),
        Key(.function(7)), Key(.escape, .alt), .control("q"), Key(.enter, .shift),
      ]
      for key in keys { stage.press(key) }
      #expect(stage.effects == effects)
      let isUnchanged = stage.dashboard.rows == before.rows
      #expect(isUnchanged && stage.dashboard.selected == before.selected)
      #expect(stage.dashboard.prompt?.editor == before.prompt?.editor)
      #expect(stage.dashboard.help == before.help)
    }
  }
}

extension BindingTests {
  private static let boardCases: [KeyCase] = [
    KeyCase(.board, [.character("s")]) { (stage, key) throws in
      try stage.add("pomodoro=cycle 25m/5m x2")
      stage.press(key)
      #expect(stage.notice == "pomodoro: skipped to rest, 5:00 left")
    },
    KeyCase(.board, [.character("c")]) { (stage, key) throws in
      try stage.add("'run'=stopwatch")
      stage.advance(by: .milliseconds(12_340))
      stage.press(key)
      #expect(stage.notice == "run: lap 1, 0:12.34")
    },
    KeyCase(.board, [.up, .character("k")]) { (stage, key) throws in
      stage.press(.end, key)
      #expect(stage.order == "tea sets poll [slow] egg")
    },
    KeyCase(.board, [.down, .character("j")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.home, .character("g")]) { (stage, key) throws in
      stage.press(.end, key)
      #expect(stage.order == "[tea] sets poll slow egg")
    },
    KeyCase(.board, [.end, .character("G")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.order == "tea sets poll slow [egg]")
    },
    KeyCase(.board, [.pageDown]) { (stage, key) throws in
      stage.send(.resized(Size(width: 80, height: 5)))
      stage.press(key)
      #expect(stage.order == "tea sets poll slow [egg]")
    },
    KeyCase(.board, [.pageUp]) { (stage, key) throws in
      stage.send(.resized(Size(width: 80, height: 4)))
      stage.press(.end, key)
      #expect(stage.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.control("d")]) { (stage, key) throws in
      stage.send(.resized(Size(width: 80, height: 5)))
      stage.press(key)
      #expect(stage.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.control("u")]) { (stage, key) throws in
      stage.send(.resized(Size(width: 80, height: 5)))
      stage.press(.end, key)
      #expect(stage.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.space, .character("p")]) { (stage, key) throws in
      stage.press(key)
      #expect(try stage.snapshot("tea").state == .paused)
      #expect(stage.notice == "tea: paused, 2:50 left")
      stage.advance(by: .seconds(60))
      stage.press(key)
      #expect(try stage.snapshot("tea").state == .running)
      #expect(stage.notice == "tea: resumed, 2:50 left")
      stage.press(.end, key)
      #expect(try stage.snapshot("egg").state == .running)
      #expect(stage.notice == "egg: restarted, 0:05 left")
    },
    KeyCase(.board, [.character("P")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.rows.count(of: .paused) == 4)
      #expect(stage.notice == "3 timers: paused")
      stage.press(key)
      #expect(stage.dashboard.rows.count(of: .paused) == 1)
      #expect(try stage.snapshot("slow").state == .paused)
      #expect(stage.notice == "3 timers: resumed")
    },
    KeyCase(.board, [.character("r")]) { (stage, key) throws in
      stage.press(key)
      #expect(try stage.timeLeft("tea") == .minutes(3))
      #expect(try stage.snapshot("tea").state == .running)
      #expect(stage.notice == "tea: restarted, 3:00 left")
    },
    KeyCase(.board, [.character("R")]) { (stage, key) throws in
      stage.press(key)
      #expect(try stage.snapshot("tea").state == .idle)
      #expect(stage.notice == "tea: reset and stopped")
    },
    KeyCase(.board, [.character("f")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").remainingIterations == 7)
      #expect(try stage.timeLeft("sets") == .seconds(35))
      #expect(stage.notice == "sets: fired")
    },
    KeyCase(.board, [.character("F")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").remainingIterations == 7)
      #expect(try stage.snapshot("sets").state == .paused)
      #expect(stage.notice == "sets: fired and paused, 0:35 left")
    },
    KeyCase(.board, [.character("+"), .character("=")]) { (stage, key) throws in
      stage.press(key)
      #expect(try stage.timeLeft("tea") == .seconds(180))
      #expect(stage.notice == "tea: 10s added, 3:00 left")
    },
    KeyCase(.board, [.character("-"), .character("_")]) { (stage, key) throws in
      stage.press(key)
      #expect(try stage.timeLeft("tea") == .seconds(160))
      #expect(stage.notice == "tea: 10s removed, 2:40 left")
    },
    KeyCase(.board, [.character("<")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").configuration.interval == .seconds(30))
      #expect(try stage.timeLeft("sets") == .seconds(20))
      #expect(stage.notice == "sets: interval 45s → 30s, 0:20 left")
    },
    KeyCase(.board, [.character(">")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").configuration.interval == .minutes(1))
      #expect(try stage.timeLeft("sets") == .seconds(50))
      #expect(stage.notice == "sets: interval 45s → 1m, 0:50 left")
    },
    KeyCase(.board, [.character("[")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").remainingIterations == 7)
      #expect(stage.notice == "sets: 7 of 8 left")
    },
    KeyCase(.board, [.character("]")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(try stage.snapshot("sets").remainingIterations == 9)
      #expect(stage.notice == "sets: 9 of 9 left")
    },
    KeyCase(.board, [.character("a")]) { (stage, key) throws in
      stage.press(key)
      stage.type("a=b=")
      stage.press(.backspace, .backspace)
      stage.type("1h")
      #expect(stage.order == "[tea] sets poll slow egg")
      stage.press(.control("u"))
      stage.type("nap=25m")
      stage.press(.enter)
      #expect(stage.order == "tea sets poll slow egg [nap]")
      #expect(try stage.timeLeft("nap") == .minutes(25))
      #expect(stage.notice == "nap: added")
    },
    KeyCase(.board, [.character("e")]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(stage.dashboard.prompt?.editor.text == "sets=every 45s x8")
      stage.press(.backspace)
      stage.type("10")
      stage.press(.enter)
      #expect(stage.order == "tea [sets] poll slow egg")
      #expect(try stage.snapshot("sets").remainingIterations == 10)
      #expect(try stage.timeLeft("sets") == .seconds(35))
      #expect(stage.notice == "sets: changed to every 45s ×10, 0:35 left")
    },
    KeyCase(.board, [.character("y")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.order == "tea [tea-2] sets poll slow egg")
      #expect(try stage.timeLeft("tea-2") == .minutes(3))
      #expect(stage.notice == "tea: copied as tea-2")
    },
    KeyCase(.board, [.character("d"), .delete]) { (stage, key) throws in
      stage.press(.down, key)
      #expect(stage.order == "tea [poll] slow egg")
      #expect(stage.notice == "sets: deleted; u restores it")
    },
    KeyCase(.board, [.character("u")]) { (stage, key) throws in
      stage.press(.down, .character("d"), key)
      #expect(stage.order == "tea [sets] poll slow egg")
      #expect(stage.notice == "sets: delete undone, 0:35 left")
    },
    KeyCase(.board, [.character("J")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.order == "sets [tea] poll slow egg")
    },
    KeyCase(.board, [.character("K")]) { (stage, key) throws in
      stage.press(.end, key)
      #expect(stage.order == "tea sets poll [egg] slow")
    },
    shows(.board, [.enter], .focus),
    KeyCase(.board, [.character("/")]) { (stage, key) throws in
      stage.press(key)
      stage.type("every")
      #expect(stage.order == "tea [sets] poll slow egg")
      #expect(Arrangement(of: stage.dashboard).positions == [1, 2])
    },
    KeyCase(.board, [.character("n")]) { (stage, key) throws in
      stage.type("/every")
      stage.press(.escape, key)
      #expect(stage.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.character("N")]) { (stage, key) throws in
      stage.type("/every")
      stage.press(.escape, key)
      #expect(stage.order == "tea sets [poll] slow egg")
    },
    KeyCase(.board, [.character("o")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.notice == "sorted by name")
    },
    KeyCase(.board, [.character("O")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.notice == "sorted by their own order, reversed")
      #expect(Arrangement(of: stage.dashboard).positions == [4, 3, 2, 1, 0])
    },
    KeyCase(.board, [.character("v")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.status?.text == "1 timer marked")
      #expect(stage.order == "tea [sets] poll slow egg")
    },
    KeyCase(.board, [.character("V")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.status?.text == "5 timers marked")
    },
    KeyCase(.board, [.character("b")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.board.isMuted)
      #expect(stage.notice == "bell and notifications off")
    },
    KeyCase(.board, [.escape]) { (stage, key) throws in
      stage.type("v/every")
      stage.press(.enter, key)
      #expect(stage.dashboard.status?.text == "1 timer marked")
      stage.press(key)
      #expect(stage.dashboard.status == nil)
    },
  ]

  private static let focusCases: [KeyCase] = [
    KeyCase(.focus, [.escape, .enter]) { (stage, key) throws in
      #expect(stage.dashboard.screen == .focus)
      stage.press(key)
      #expect(stage.dashboard.screen == .board)
    }
  ]

  /// Nanoseconds of a cell, and where now is, after the key.
  private static func scales(
    _ keys: [Key], after before: [Key] = [], cell: Int64 = 1_000_000_000, _ offset: Int = 0
  ) -> KeyCase {
    KeyCase(.timeline, keys) { (stage, key) throws in
      for key in before { stage.press(key) }
      stage.press(key)
      #expect(stage.dashboard.timeline.cell == cell)
      #expect(stage.dashboard.timeline.offset == offset)
      #expect(stage.dashboard.screen == .timeline)
    }
  }

  private static let timelineCases: [KeyCase] = [
    scales([.character("+"), .character("=")], after: [.left], cell: 500_000_000, 20),
    scales([.character("-"), .character("_")], after: [.left], cell: 3_000_000_000, 3),
    scales([.left], 10),
    scales([.right], -10),
    scales([.character("0")], after: [.left, .left]),
    KeyCase(.timeline, [.escape]) { (stage, key) throws in
      stage.press(.left, key)
      #expect(stage.dashboard.timeline.offset == 0)
      #expect(stage.dashboard.screen == .timeline)
      stage.press(key)
      #expect(stage.dashboard.screen == .board)
    },
  ]

  /// The number of the entry at the top after the key; five of fourteen are seen.
  private static func reads(_ keys: [Key], after before: [Key] = [], _ anchor: Int?) -> KeyCase {
    KeyCase(.log, keys) { (stage, key) throws in
      for key in before { stage.press(key) }
      stage.press(key)
      #expect(stage.dashboard.logView.anchor == anchor)
      #expect(stage.dashboard.screen == .log)
    }
  }

  private static let logCases: [KeyCase] = [
    reads([.up, .character("k")], after: [.pageDown], 11),
    reads([.down, .character("j")], 14),
    reads([.home, .character("g")], after: [.end], nil),
    reads([.end, .character("G")], 5),
    reads([.pageUp, .character("b"), .control("u")], after: [.end], 10),
    reads([.pageDown, .space, .control("d")], 10),
    KeyCase(.log, [.character("/")]) { (stage, key) throws in
      stage.press(key)
      stage.type("fi")
      #expect(stage.dashboard.logView.filter.text == "fi")
      #expect(stage.dashboard.scope == .prompt)
    },
    KeyCase(.log, [.escape, .character("L")]) { (stage, key) throws in
      stage.type("/fi")
      stage.press(.enter, key)
      #expect(stage.dashboard.logView == LogView())
      #expect(stage.dashboard.screen == .log)
      stage.press(key)
      #expect(stage.dashboard.screen == .board)
    },
  ]

  private static func asksLab(_ keys: [Key], _ command: LabCommand) -> KeyCase {
    KeyCase(.lab, keys) { (stage, key) throws in
      stage.press(key)
      #expect(stage.effects.last == .lab(command))
      #expect(stage.dashboard.screen == .lab)
    }
  }

  private static let labCases: [KeyCase] = [
    asksLab([.enter, .character(".")], .step), asksLab([.space, .character("p")], .pause),
    asksLab([.character("+"), .character("=")], .faster),
    asksLab([.character("-"), .character("_")], .slower), asksLab([.character("X")], .playToEnd),
    asksLab([.character("c")], .code), asksLab([.character("r"), .backspace], .restart),
    asksLab([.up, .character("k")], .up), asksLab([.down, .character("j")], .down),
    asksLab([.right], .nextScene), asksLab([.left], .previousScene), asksLab([.escape], .back),
  ]

  /// Which view is seen after the key.
  private static func shows(
    _ scope: Binding.Scope, _ keys: [Key], after before: [Key] = [], _ screen: Screen
  ) -> KeyCase {
    KeyCase(scope, keys) { (stage, key) throws in
      for key in before { stage.press(key) }
      stage.press(key)
      #expect(stage.dashboard.screen == screen)
      #expect(stage.dashboard.help == nil)
    }
  }

  private static let globalCases: [KeyCase] = [
    KeyCase(.global, [.character(":")]) { (stage, key) throws in
      stage.type("?")
      stage.press(key)
      #expect(stage.dashboard.help == nil)
      #expect(stage.dashboard.command?.text == "")
    },
    shows(.global, [.character("1")], after: [.enter, .character("?")], .board),
    shows(.global, [.character("2")], after: [.character("?")], .focus),
    shows(.global, [.tab], .focus),
    shows(.global, [.backtab], after: [.character("2")], .board),
    shows(.global, [.character("3")], .timeline),
    shows(.global, [.character("4")], .lab),
    shows(.global, [.character("L")], .log),
    KeyCase(.global, [.character(".")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.lines.contains { $0.contains("2:50.0") })
      stage.press(key)
      #expect(!stage.lines.contains { $0.contains("2:50.0") })
    },
    KeyCase(.global, [.character("t")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.theme == .light)
      #expect(stage.notice == "theme: light")
    },
    KeyCase(.global, [.character(",")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.digitStyle == .round)
      stage.press(key)
      #expect(stage.dashboard.digitStyle == .block)
    },
    KeyCase(.global, [.character("?"), Key(.function(1))]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.help == 0)
      #expect(stage.lines.contains { $0.contains("move up") })
    },
    KeyCase(.global, [.control("l")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.effects.last == .redraw)
    },
    KeyCase(.global, [.control("z")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.effects.last == .suspend)
    },
    KeyCase(.global, [.character("q"), Key(.function(10))]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.effects.last == .quit(status: 0))
    },
    KeyCase(.global, [.control("c")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.effects.last == .quit(status: 130))
    },
  ]

  /// The text and the cursor in it after the key.
  private static func edits(
    _ keys: [Key], after before: [Key] = [], to text: String, _ cursor: Int
  ) -> KeyCase {
    KeyCase(.prompt, keys) { (stage, key) throws in
      for key in before { stage.press(key) }
      stage.press(key)
      #expect(stage.dashboard.prompt?.editor.text == text)
      #expect(stage.dashboard.prompt?.editor.cursor == cursor)
    }
  }

  private static let promptCases: [KeyCase] = [
    KeyCase(.prompt, [.enter]) { (stage, key) throws in
      stage.press(.control("u"))
      stage.type("nap=25m")
      stage.press(key)
      #expect(stage.dashboard.prompt == nil)
      #expect(stage.order == "tea sets poll slow egg [nap]")
    },
    KeyCase(.prompt, [.escape, .control("c")]) { (stage, key) throws in
      stage.press(key)
      #expect(stage.dashboard.prompt == nil)
      #expect(stage.order == "[tea] sets poll slow egg")
    },
    KeyCase(.prompt, [.tab]) { (stage, key) throws in
      stage.press(.escape)
      stage.type(":them")
      stage.press(key)
      #expect(stage.dashboard.command?.text == "theme ")
    },
    KeyCase(.prompt, [.up, .control("p")]) { (stage, key) throws in
      stage.press(.escape)
      stage.type(":order name")
      stage.press(.enter)
      stage.type(":")
      stage.press(key)
      #expect(stage.dashboard.command?.text == "order name")
    },
    KeyCase(.prompt, [.down, .control("n")]) { (stage, key) throws in
      stage.press(.escape)
      stage.type(":order name")
      stage.press(.enter)
      stage.type(":th")
      stage.press(.up, key)
      #expect(stage.dashboard.command?.text == "th")
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

  /// How far the help is scrolled after the key.
  private static func scrolls(_ keys: [Key], after before: [Key] = [], to offset: Int?) -> KeyCase {
    KeyCase(.help, keys) { (stage, key) throws in
      for key in before { stage.press(key) }
      stage.press(key)
      #expect(stage.dashboard.help == offset)
    }
  }

  // Six lines of help are seen at a time.
  private static let helpCases: [KeyCase] = [
    scrolls([.up, .character("k")], after: [.pageDown], to: 5),
    scrolls([.down, .character("j"), .enter], to: 1),
    scrolls([.home, .character("g")], after: [.pageDown], to: 0),
    scrolls([.end, .character("G")], to: 145),
    scrolls([.pageUp, .character("b"), .control("u")], after: [.pageDown, .pageDown], to: 6),
    scrolls([.pageDown, .space, .control("d")], to: 6),
    scrolls([.escape, .character("q"), .character("?"), Key(.function(1))], to: nil),
  ]
}
