import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

/// Key bindings from the configuration.
@Suite struct RebindingTests {
  private static func rebound(_ overrides: (String, String, String)...) throws -> Fixture {
    let fixture = try emptyBoard(overrides)
    try fixture.add("tea=3m")
    try fixture.add("sets=every 45s x8")
    return fixture
  }

  private static func emptyBoard(_ overrides: [(String, String, String)]) throws -> Fixture {
    let bindings = try Bindings.standard.rebound(
      overrides.map { KeyOverride(scope: $0.0, key: $0.1, action: $0.2) })
    let fixture = try Fixture(width: 120, height: 60)
    fixture.dashboard = Dashboard(
      options: .init(), size: Size(width: 120, height: 60), bindings: bindings)
    return fixture
  }

  @Test func aKeyCanBeRebound() throws {
    let fixture = try Self.rebound(("board", "x", "pause-all"), ("board", "d", "none"))
    fixture.type("x")
    #expect(fixture.notice == "2 timers: paused")
    fixture.type("dd")
    #expect(fixture.order == "tea [sets]")
  }

  @Test func helpAndFooterShowTheNewKeys() throws {
    let fixture = try Self.rebound(
      ("board", "Ctrl-X", "delete"), ("board", "d", "none"), ("board", "F5", "restart"),
      ("board", "Space", "add"))
    let footer = try #require(fixture.lines.last)
    #expect(footer.contains("Ctrl-X delete") && footer.contains("F5 restart"))
    #expect(footer.contains("Space add") && footer.contains("p pause"))
    fixture.type("?")
    #expect(
      fixture.lines.contains {
        $0.contains("Ctrl-X ") && $0.contains(" delete timer")
      })
    #expect(fixture.lines.contains { $0.contains("F5 r ") && $0.contains(" restart") })
    let manual = Manual(fixture.dashboard.bindings)
    #expect(manual.keys[0].entries.contains { $0.term == "F5 r" })
  }

  @Test func textsNameTheNewKeys() throws {
    let fixture = try Self.emptyBoard([
      ("board", "A", "add"), ("board", "S", "filter"), ("board", "C", "sort"),
      ("board", "T", "fire"), ("board", "I", "toggle"), ("board", "X", "dismiss"),
      ("global", "H", "help"), ("global", "Z", "quit"),
    ])
    #expect(
      fixture.frame.text.contains(
        "adds the highlighted one, A adds your own, H shows the keys, Z quits"))
    fixture.type("d")
    #expect(fixture.notice == "no timers; press A to add one")
    fixture.type("n")
    #expect(fixture.notice == "no search yet; press S")
    fixture.type("Asave=debounce 2s")
    #expect(fixture.lines.contains { $0.hasSuffix(" · waits for triggers (T)") })
    fixture.press(.enter)
    fixture.type("CJ")
    #expect(
      fixture.notice == "rows are sorted by name (expected the board order; C changes it)")
    fixture.type("Ssa")
    fixture.press(.enter)
    #expect(fixture.lines.contains(" 1 of 1 match 'sa'; X clears the filter"))
    try fixture.add("pomo=cycle 2m/1m wait")
    fixture.advance(by: .seconds(121))
    fixture.type("P")
    #expect(fixture.notice == "pomo: ready; I starts it, X leaves it paused")
  }

  @Test func textsLeaveOutActionsWithoutAKey() throws {
    let fixture = try Self.emptyBoard([
      ("board", "a", "none"), ("board", "/", "none"), ("board", "o", "none"),
      ("board", "f", "none"), ("board", "Space", "none"), ("board", "p", "none"),
      ("board", "Esc", "none"), ("global", "?", "none"), ("global", "F1", "none"),
      ("global", "q", "none"), ("global", "F10", "none"),
    ])
    #expect(!fixture.frame.text.contains("adds your own"))
    #expect(!fixture.frame.text.contains("shows the keys"))
    #expect(!fixture.frame.text.contains("quits"))
    fixture.type("d")
    #expect(fixture.notice == "no timers")
    fixture.type("n")
    #expect(fixture.notice == "no search yet")
    // The prompt stays open, because the text is not complete.
    fixture.type(":add save=debounce 2")
    fixture.press(.enter)
    fixture.type("s")
    #expect(fixture.lines.contains { $0.hasSuffix(" · waits for triggers") })
    fixture.press(.enter)
    fixture.type(":sort name")
    fixture.press(.enter)
    fixture.type("J")
    #expect(fixture.notice == "rows are sorted by name (expected the board order)")
    fixture.type(":filter sa")
    fixture.press(.enter)
    #expect(fixture.lines.contains(" 1 of 1 match 'sa'"))
    fixture.type(":add pomo=cycle 2m/1m wait")
    fixture.press(.enter)
    fixture.advance(by: .seconds(121))
    fixture.type("P")
    #expect(fixture.notice == "pomo: ready")
  }

  /// An action of an outer scope can be bound in an inner one.
  @Test func anInnerScopeCanBindActionsOfAnOuterOne() throws {
    let fixture = try Self.rebound(("focus", "x", "pause-all"), ("timeline", "x", "quit"))
    fixture.type("x2x")
    #expect(fixture.notice == "2 timers: paused")
    fixture.type("3x")
    #expect(fixture.effects.last == .quit(status: 0))
  }

  @Test(
    arguments: [
      ("bord", "x", "quit", "unknown scope 'bord' (did you mean 'board'?)"),
      ("board", "Ctrl-Entr", "quit", "unknown key 'Ctrl-Entr'"),
      ("board", "Entr", "quit", "unknown key 'Entr' (did you mean 'Enter'?)"),
      (
        "board", "x", "pause-al",
        "unknown action 'pause-al' (did you mean 'pause-all'?)"
      ),
      ("board", "x", "zoom-in", "'zoom-in' is not available in 'board' (expected in timeline)"),
      ("prompt", "x", "accept", "'x' types a character and cannot be bound in 'prompt'"),
    ])
  func rejectsInvalidBindings(_ scope: String, _ key: String, _ action: String, _ message: String) {
    let override = KeyOverride(scope: scope, key: key, action: action)
    let error = #expect(throws: BindingError.self) {
      try Bindings.standard.rebound([override])
    }
    #expect(error?.description == message)
    #expect(error?.override == override)
  }

  @Test func rejectsAKeyBoundTwice() {
    let error = #expect(throws: BindingError.self) {
      try Bindings.standard.rebound([
        KeyOverride(scope: "board", key: "Up", action: "down"),
        KeyOverride(scope: "log", key: "up", action: "down"),
        KeyOverride(scope: "board", key: "up", action: "up"),
      ])
    }
    #expect(error?.description == "'up' is bound twice in 'board'")
  }

  /// Every key is parsed from its own name.
  @Test func keyNamesRoundTrip() {
    let arrows: [Key: String] = [.up: "Up", .down: "Down", .left: "Left", .right: "Right"]
    for key in Bindings.standard.all.flatMap(\.keys) {
      #expect(Key(named: arrows[key] ?? key.name(.unicode)) == key)
      #expect(Key(named: key.name(.ascii)) == key)
    }
    #expect(Key(named: "") == nil)
    #expect(Key(named: "Ctrl-") == nil)
    #expect(Key(named: "Ctrl--") == .control("-"))
    #expect(Key(named: "F25") == nil)
  }
}
