import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The command palette, which performs every action by its name.
@Suite struct CommandLineTests {
  private static func fixture(_ width: Int = 80, _ height: Int = 24) throws -> Fixture {
    try Fixture("tea=3m sets=every 45s x8", width: width, height: height)
  }

  private static func run(_ line: String, _ fixture: Fixture) {
    fixture.type(":\(line)")
    fixture.press(.enter)
  }

  @Test(
    arguments: [
      ("pause-all", "2 timers: paused"), ("reset", "tea: restarted, 3:00 left"),
      ("theme mono", "theme: mono"), ("order name", "sorted by name"),
      ("order own", "sorted by their own order"), ("more 5m", "tea: 5m added, 8:00 left"),
      ("less 1m30s", "tea: 1m30s removed, 1:30 left"), ("add nap=25m", "nap: added"),
      ("edit tea=4m", "tea: changed to once 4m, 4:00 left"), ("dup", "tea: copied as tea-2"),
      ("  mute ", "bell and notifications off"),
      ("les 10s", "tea: 10s removed, 2:50 left"),
    ])
  func performsTheCommand(_ line: String, _ notice: String) throws {
    let fixture = try Self.fixture()
    Self.run(line, fixture)
    #expect(fixture.notice == notice)
    #expect(fixture.dashboard.command == nil)
    #expect(fixture.dashboard.prompt == nil)
  }

  /// Keys, palette and `carillon ctl` share their names.
  @Test func everyControlIsInThePalette() {
    for verb in ControlVerb.allCases {
      #expect(Command.names.contains(verb.rawValue), "\(verb)")
    }
  }

  @Test func everyActionHasACommand() throws {
    for action in Command.actions where !action.needsArgument {
      let fixture = try Self.fixture()
      let home = Binding.Scope.allCases.first { $0.actions.contains(action) }
      switch home {
      case .timeline: fixture.type("3")
      case .lab: fixture.type("4")
      case .history: fixture.type("5")
      case .log: fixture.type("L")
      default: break
      }
      Self.run(action.rawValue, fixture)
      #expect(fixture.dashboard.command?.fault == nil, "\(action.rawValue)")
    }
    #expect(Command.names.contains("quit"))
    #expect(!Command.names.contains("erase-left") && !Command.names.contains("command"))
  }

  @Test(
    arguments: [
      ("paus-all", "unknown command 'paus-all' (did you mean 'pause-all'?)"),
      ("nonesuch", "unknown command 'nonesuch' (Tab lists the commands)"),
      ("re", "ambiguous command 're' (expected redo, redraw, rename, reset, resume, reverse)"),
      ("pause-all now", "'pause-all' takes no argument"),
      ("theme lihgt", "unknown theme 'lihgt' (did you mean 'light'?)"),
      (
        "theme x",
        "unknown theme 'x' (expected default, light, high-contrast, mono, catppuccin, catppuccin-latte, gruvbox, nord, solarized, solarized-light)"
      ),
      (
        "order colour",
        "unknown order 'colour' (expected own, name, kind, state, time, left, late, note)"
      ),
      ("more 5x", "'5x': unknown unit 'x' (expected ms, s, m, h, d or w)"),
      ("interval", "'interval' needs a duration"), ("rename", "'rename' needs a text"),
      ("zoom-in", "'zoom-in' is not available here (expected in timeline)"),
    ])
  func reportsInvalidCommands(_ line: String, _ fault: String) throws {
    let fixture = try Self.fixture()
    let effects = fixture.effects
    Self.run(line, fixture)
    #expect(fixture.dashboard.command?.fault == fault)
    #expect(fixture.lines.contains { $0.hasPrefix(" \(fault.prefix(60))") })
    #expect(fixture.effects == effects)
    fixture.press(.backspace)
    #expect(fixture.dashboard.command?.fault == nil)
  }

  /// An invalid timer stays in the prompt for timers, which points at the error.
  @Test func anInvalidTimerStaysInThePrompt() throws {
    let fixture = try Self.fixture()
    Self.run("add nap=25x", fixture)
    #expect(fixture.dashboard.prompt?.editor.text == "nap=25x")
    #expect(fixture.dashboard.prompt?.wasRejected == true)
    fixture.press(.backspace)
    fixture.type("m")
    fixture.press(.enter)
    #expect(fixture.notice == "nap: added")
  }

  @Test func filtersByCommand() throws {
    let fixture = try Self.fixture()
    Self.run("filter every", fixture)
    #expect(Arrangement(of: fixture.dashboard).positions == [1])
    #expect(fixture.dashboard.selectedRow?.label == "sets")
    fixture.type("L")
    Self.run("filter order", fixture)
    #expect(fixture.dashboard.logView.filter.text == "order")
  }

  @Test func tabCompletes() throws {
    let fixture = try Self.fixture()
    var texts: [String?] = []
    for keys in ["pau", "\t", "\u{15}the", "\t", "\t", "\t", "\t", "\t"] {
      if keys == "pau" { fixture.type(":") }
      if keys == "\t" {
        fixture.press(.tab)
      } else {
        if keys.first == "\u{15}" { fixture.press(.control("u")) }
        fixture.type(keys.filter { $0 != "\u{15}" })
      }
      texts.append(fixture.dashboard.command?.text)
    }
    #expect(
      texts == [
        "pau", "pause", "the", "theme ", "theme default", "theme light", "theme high-contrast",
        "theme mono",
      ])
    fixture.press(.enter)
    #expect(fixture.notice == "theme: mono")
  }

  @Test func upAndDownRecallTheHistory() throws {
    let fixture = try Self.fixture()
    for line in ["order name", "theme mono", "order name"] { Self.run(line, fixture) }
    fixture.type(":re")
    var texts: [String?] = []
    for key in [Key.up, .up, .up, .down, .down, .down] {
      fixture.press(key)
      texts.append(fixture.dashboard.command?.text)
    }
    #expect(
      texts == ["order name", "theme mono", "theme mono", "order name", "re", "re"])
    fixture.press(.escape)
    #expect(fixture.dashboard.command == nil)
    fixture.type("anap=25m")
    fixture.press(.enter)
    fixture.type("a")
    fixture.press(.up)
    #expect(fixture.dashboard.prompt?.editor.text == "nap=25m")
  }

  @Test func arrowsSelectWhileAFilterIsTyped() throws {
    let fixture = try Self.fixture()
    fixture.type("/")
    fixture.press(.down)
    #expect(fixture.order == "tea [sets]")
    fixture.type("s")
    #expect(fixture.order == "tea [sets]")
  }

  @Test func showsTheCompletions() throws {
    let fixture = try Self.fixture()
    fixture.type(":re")
    let lines = fixture.lines
    #expect(
      Array(lines[20...22]) == [
        " :re", " redo  redraw  rename  reset  resume  reverse", "",
      ])
    fixture.press(.control("u"))
    fixture.type("sto")
    #expect(Array(fixture.lines[20...22]) == [" :sto", " stop", " reset and stop · key R"])
    fixture.press(.control("u"))
    fixture.type("resu")
    #expect(Array(fixture.lines[20...22]) == [" :resu", " resume", " resume"])
    fixture.send(.resized(Size(width: 30, height: 8)))
    #expect(Array(fixture.lines[5...6]) == [":resu", "resume"])
  }
}
