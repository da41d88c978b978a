import TerminalCore
import Testing

@testable import Dashboard
@testable import TimerBoard

/// Key bindings from the configuration.
@Suite struct RebindingTests {
  private static func rebound(_ overrides: (String, String, String)...) throws -> Fixture {
    let bindings = try Bindings.standard.rebound(
      overrides.map { KeyOverride(scope: $0.0, key: $0.1, action: $0.2) })
    let fixture = try Fixture("tea=3m sets=every 45s x8", width: 120, height: 60)
    fixture.dashboard = Dashboard(
      options: .init(), size: Size(width: 120, height: 60), bindings: bindings)
    try fixture.add("tea=3m")
    try fixture.add("sets=every 45s x8")
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
