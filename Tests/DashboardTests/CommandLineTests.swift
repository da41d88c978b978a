import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Everything by its name.
@Suite struct CommandLineTests {
  private static func stage(_ width: Int = 80, _ height: Int = 24) throws -> Stage {
    try Stage("tea=3m sets=every 45s x8", width: width, height: height)
  }

  private static func run(_ line: String, _ stage: Stage) {
    stage.type(":\(line)")
    stage.press(.enter)
  }

  @Test(
    arguments: [
      ("pause-all", "2 timers: paused"), ("reset", "tea: restarted, 3:00 left"),
      ("theme mono", "theme: mono"), ("order name", "sorted by name"),
      ("order own", "sorted by their own order"), ("more-time 5m", "tea: 5m added, 8:00 left"),
      ("less-time 1m30s", "tea: 1m30s removed, 1:30 left"), ("add nap=25m", "nap: added"),
      ("edit tea=4m", "tea: changed to once 4m, 4:00 left"), ("dup", "tea: copied as tea-2"),
      ("  mute ", "bell and notifications off"),
      ("more-t 10s", "tea: 10s added, 3:10 left"),
    ])
  func doesWhatItSays(_ line: String, _ notice: String) throws {
    let stage = try Self.stage()
    Self.run(line, stage)
    #expect(stage.notice == notice)
    #expect(stage.dashboard.command == nil)
    #expect(stage.dashboard.prompt == nil)
  }

  @Test func everyCommandCanBeGiven() throws {
    for action in Command.actions {
      let stage = try Self.stage()
      let home = Binding.Scope.allCases.first { $0.actions.contains(action) }
      switch home {
      case .timeline: stage.type("3")
      case .lab: stage.type("4")
      case .log: stage.type("L")
      default: break
      }
      Self.run(action.rawValue, stage)
      #expect(stage.dashboard.command?.fault == nil, "\(action.rawValue)")
    }
    #expect(Command.names.contains("quit"))
    #expect(!Command.names.contains("erase-left") && !Command.names.contains("command"))
  }

  @Test(
    arguments: [
      ("paus-all", "unknown command 'paus-all' (did you mean 'pause-all'?)"),
      ("nonesuch", "unknown command 'nonesuch' (Tab lists the commands)"),
      ("re", "ambiguous command 're' (expected redraw, reset, reset-and-stop, reverse)"),
      ("pause-all now", "'pause-all' takes no argument"),
      ("theme lihgt", "unknown theme 'lihgt' (did you mean 'light'?)"),
      ("theme x", "unknown theme 'x' (expected default, light, high-contrast, mono)"),
      (
        "order colour",
        "unknown order 'colour' (expected own, name, kind, state, next, left, late, note)"
      ),
      ("more-time 5x", "'5x': unknown unit 'x' (expected ms, s, m, h, d or w)"),
      ("zoom-in", "'zoom-in' is not available here (expected in timeline)"),
    ])
  func saysWhatIsWrong(_ line: String, _ fault: String) throws {
    let stage = try Self.stage()
    let effects = stage.effects
    Self.run(line, stage)
    #expect(stage.dashboard.command?.fault == fault)
    #expect(stage.lines.contains { $0.hasPrefix(" \(fault.prefix(60))") })
    #expect(stage.effects == effects)
    stage.press(.backspace)
    #expect(stage.dashboard.command?.fault == nil)
  }

  /// A timer that is not parsed stays in the prompt for timers, which points at the fault.
  @Test func aWrongTimerStaysToBeMended() throws {
    let stage = try Self.stage()
    Self.run("add nap=25x", stage)
    #expect(stage.dashboard.prompt?.editor.text == "nap=25x")
    #expect(stage.dashboard.prompt?.wasRejected == true)
    stage.press(.backspace)
    stage.type("m")
    stage.press(.enter)
    #expect(stage.notice == "nap: added")
  }

  @Test func filtersByCommand() throws {
    let stage = try Self.stage()
    Self.run("filter every", stage)
    #expect(Arrangement(of: stage.dashboard).positions == [1])
    #expect(stage.dashboard.selectedRow?.label == "sets")
    stage.type("L")
    Self.run("filter order", stage)
    #expect(stage.dashboard.logView.filter.text == "order")
  }

  @Test func tabCompletes() throws {
    let stage = try Self.stage()
    var texts: [String?] = []
    for keys in ["pau", "\t", "\u{15}the", "\t", "\t", "\t", "\t", "\t"] {
      if keys == "pau" { stage.type(":") }
      if keys == "\t" {
        stage.press(.tab)
      } else {
        if keys.first == "\u{15}" { stage.press(.control("u")) }
        stage.type(keys.filter { $0 != "\u{15}" })
      }
      texts.append(stage.dashboard.command?.text)
    }
    #expect(
      texts == [
        "pau", "pause-", "the", "theme ", "theme default", "theme light", "theme high-contrast",
        "theme mono",
      ])
    stage.press(.enter)
    #expect(stage.notice == "theme: mono")
  }

  @Test func historyGoesBackAndForth() throws {
    let stage = try Self.stage()
    for line in ["order name", "theme mono", "order name"] { Self.run(line, stage) }
    stage.type(":re")
    var texts: [String?] = []
    for key in [Key.up, .up, .up, .down, .down, .down] {
      stage.press(key)
      texts.append(stage.dashboard.command?.text)
    }
    #expect(
      texts == ["order name", "theme mono", "theme mono", "order name", "re", "re"])
    stage.press(.escape)
    #expect(stage.dashboard.command == nil)
    stage.type("anap=25m")
    stage.press(.enter)
    stage.type("a")
    stage.press(.up)
    #expect(stage.dashboard.prompt?.editor.text == "nap=25m")
  }

  @Test func arrowsMoveWhileAFilterIsTyped() throws {
    let stage = try Self.stage()
    stage.type("/")
    stage.press(.down)
    #expect(stage.order == "tea [sets]")
    stage.type("s")
    #expect(stage.order == "tea [sets]")
  }

  @Test func showsWhatItCanBecome() throws {
    let stage = try Self.stage()
    stage.type(":re")
    let lines = stage.lines
    #expect(
      Array(lines[20...22]) == [
        " :re", " redraw  reset  reset-and-stop  reverse", "",
      ])
    stage.type("s")
    stage.press(.tab)
    stage.type("-")
    #expect(
      Array(stage.lines[20...22]) == [
        " :reset-", " reset-and-stop", " reset and stop · key R",
      ])
    stage.send(.resized(Size(width: 30, height: 8)))
    #expect(Array(stage.lines[5...6]) == [":reset-", "reset-and-stop"])
  }
}
