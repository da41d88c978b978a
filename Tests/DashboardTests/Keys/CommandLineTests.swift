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
      ("pause-all", "2 timers: paused"), ("restart", "tea: restarted, 3:00 left"),
      ("theme mono", "theme: mono"), ("sort name", "sorted by name"),
      ("sort board", "sorted by board order"), ("more 5m", "tea: 5m added, 8:00 left"),
      ("less 1m30s", "tea: 1m30s removed, 1:30 left"), ("add nap=25m", "nap: added"),
      ("edit tea=4m", "tea: changed to once 4m, 4:00 left"), ("dup", "tea: copied as tea-2"),
      ("  mute ", "bell and notifications off"),
      ("les 10s", "tea: 10s removed, 2:50 left"),
    ])
  func performsTheCommand(_ line: String, _ notice: String) throws {
    let fixture = try Self.fixture()
    Self.run(line, fixture)
    #expect(fixture.notice == notice)
    #expect(fixture.dashboard.commandPrompt == nil)
    #expect(fixture.dashboard.timerPrompt == nil)
  }

  /// Keys, palette and `carillon ctl` share their names.
  @Test func everyControlIsInThePalette() {
    for verb in ControlVerb.allCases {
      #expect(Command.names.contains(verb.rawValue), "\(verb)")
    }
  }

  @Test func everyActionHasACommand() throws {
    for action in Command.actions where !action.form.needsValue {
      let fixture = try Self.fixture()
      let home = Binding.Scope.allCases.first { $0.actions.contains(action) }
      switch home {
      case .timeline: fixture.type("3")
      case .lab: fixture.type("4")
      case .history: fixture.type("5")
      case .log: fixture.type("L")
      default: break
      }
      let offered = fixture.dashboard.commandBindings(at: fixture.now).map(\.action)
      Self.run(action.rawValue, fixture)
      // What does not apply is refused with its reason.
      let fault = fixture.dashboard.commandPrompt?.error
      #expect(fault == nil || !offered.contains(action), "\(action.rawValue)")
    }
    #expect(Command.names.contains("quit"))
    #expect(!Command.names.contains("erase-left") && !Command.names.contains("command-palette"))
  }

  @Test(
    arguments: [
      ("pause-al1", "unknown command 'pause-al1' (did you mean 'pause-all'?)"),
      ("nonesuch", "unknown command 'nonesuch' (expected a command of the palette)"),
      (
        "re tea",
        "ambiguous command 're' (expected redo, redraw, rename, reset, restart, restart-scene, resume, reverse)"
      ),
      ("pause-all now", "'pause-all' takes no argument"),
      ("theme lihgt", "unknown theme 'lihgt' (did you mean 'light'?)"),
      (
        "theme xq",
        "unknown theme 'xq' (expected default, light, high-contrast, mono, catppuccin, catppuccin-latte, gruvbox, nord, solarized, solarized-light)"
      ),
      (
        "sort colour",
        "unknown column 'colour' (expected board, name, kind, state, time, left, late, note)"
      ),
      ("more 5x", "'5x': unknown unit 'x' (expected ms, s, m, h, d or w)"),
      ("interval", "'interval' needs a duration (such as 'interval sets 30s')"),
      ("zoom-in", "'zoom-in' is not available here (expected in timeline)"),
    ])
  func reportsInvalidCommands(_ line: String, _ fault: String) throws {
    let fixture = try Self.fixture()
    let effects = fixture.effects
    Self.run(line, fixture)
    #expect(fixture.dashboard.commandPrompt?.error == fault)
    #expect(fixture.lines.contains { $0.hasPrefix(" \(fault.prefix(60))") })
    #expect(fixture.effects == effects)
    fixture.press(.backspace)
    #expect(fixture.dashboard.commandPrompt?.error == nil)
  }

  /// An invalid timer stays in the prompt for timers, which points at the error.
  @Test func anInvalidTimerStaysInThePrompt() throws {
    let fixture = try Self.fixture()
    Self.run("add nap=25x", fixture)
    #expect(fixture.dashboard.timerPrompt?.editor.text == "nap=25x")
    #expect(fixture.dashboard.timerPrompt?.wasRejected == true)
    fixture.press(.backspace)
    fixture.type("m")
    fixture.press(.enter)
    #expect(fixture.notice == "nap: added")
  }

  @Test func filtersByCommand() throws {
    let fixture = try Self.fixture()
    Self.run("filter every", fixture)
    #expect(FilteredRows(of: fixture.dashboard).positions == [1])
    #expect(fixture.dashboard.selectedRow?.label == "sets")
    fixture.type("L")
    Self.run("filter order", fixture)
    #expect(fixture.dashboard.logState.filter.text == "order")
  }

  @Test func arrowsSelectWhileAFilterIsTyped() throws {
    let fixture = try Self.fixture()
    fixture.type("/")
    fixture.press(.down)
    #expect(fixture.order == "tea [sets]")
    fixture.type("s")
    #expect(fixture.order == "tea [sets]")
  }
}
