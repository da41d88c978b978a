import Assets
import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime

struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration(Array(text.utf8), file: "config.toml")
  }

  /// What people copy from must work, and say all there is to say.
  @Test func theSample() throws {
    let configuration = try read(Assets.configuration)
    #expect(configuration.timers.count == 2)
    #expect(configuration.presets.keys.sorted() == ["gym", "pomodoro"])
    #expect(configuration.theme.name == "mine" && configuration.ownThemes.count == 1)
    #expect(configuration.commandLimit == 8 && configuration.commandTime == .minutes(10))
  }

  @Test func nothingIsAllItNeeds() throws {
    let configuration = try read("# nothing\n")
    #expect(configuration.timers.isEmpty && configuration.presets.isEmpty)
    #expect(configuration.theme == Theme.standard)
  }

  /// The parser would end the process, with no room left on its stack.
  @Test(arguments: [
    "[" + String(repeating: "a.", count: 60_000) + "a]",
    "x = 1\n" + String(repeating: "a.", count: 60_000) + "a = 1",
    "x = 1\n" + String(repeating: "'a' .", count: 20_000) + "a = 1",
    "x = 1\nx = " + String(repeating: "[", count: 60_000),
    "x = 1\nx = " + String(repeating: "{a=", count: 40_000),
    "[a]\nx = { " + String(repeating: "a.", count: 33) + "b = 1 }",
  ])
  func levelsWithoutEndAreRefused(text: String) {
    let fault = #expect(throws: ConfigurationFault.self) { try read(text) }
    #expect(fault?.problem == "no TOML: nested too deeply (expected at most 32 levels)")
    #expect(fault?.line == (text.hasPrefix("[" + "a.") ? 1 : 2))
  }

  @Test func asManyLevelsAsAnyoneWritesAreRead() {
    // They mean nothing, and are read.
    let text = String(repeating: "a.", count: 31) + "a = 1.5"
    let fault = #expect(throws: ConfigurationFault.self) { try read(text) }
    #expect(fault?.problem.hasPrefix("unknown") == true)
  }

  @Test func aFileThatIsTooLargeIsRefused() throws {
    let line = "# nothing here\n"
    _ = try read(String(repeating: line, count: 8_000))
    let fault = #expect(throws: ConfigurationFault.self) {
      try read(String(repeating: line, count: 9_000))
    }
    #expect(fault?.description == "config.toml: too large (expected at most 128 KiB)")
  }

  @Test func whatIsSet() throws {
    let configuration = try read(
      """
      resume = "frozen"
      display = { theme = "mono", tenths = true, clock = false, motion = false, digits = "round" }
      notify.mute = true
      [commands]
      at-once = 2
      time = "30s"
      """)
    var options = DisplayOptions()
    configuration.set(&options)
    #expect(configuration.resumption == .keepTimeLeft)
    #expect(options.theme.name == "mono" && options.digitStyle == .round && options.isMuted)
    #expect(options.showsTenths && !options.showsClock && options.reducesMotion)
    #expect(configuration.commandLimit == 2 && configuration.commandTime == .seconds(30))
  }

  @Test func howOneIsTold() throws {
    let configuration = try read(
      """
      display.mouse = false
      [notify]
      bell = false
      terminal = "osc777"
      desktop = "off"
      on = ["phase", "failed"]
      """)
    #expect(!configuration.usesMouse && !configuration.isMuted)
    #expect(
      configuration.notifications
        == NotificationOptions(
          usesBell: false, terminal: .osc777, desktop: .off, events: [.phase, .failed]))
    #expect(try read("").notifications == NotificationOptions())
    #expect(try read("notify.on = 'ring'").notifications.events == [.ring])
    #expect(try read("notify.on = []").notifications.events == [])
  }

  @Test(arguments: [
    ("\ntimer = ['3m']", "config.toml:2: timer: unknown: did you mean “timers”?"),
    ("[display]\n\ntheem = 'mono'", "config.toml:3: display.theem: unknown: did you mean “theme”?"),
    ("[display]\ntenths = 1", "config.toml:2: display.tenths: true or false belongs here"),
    ("timers = 7", "config.toml:1: timers: a text in quotes, or a list of them belongs here"),
    ("timers = ['3m', 4]", "config.toml:1: timers: a text in quotes, or a list of them belongs"),
    ("presets = 1", "config.toml:1: presets: a table, [presets] belongs here"),
    ("[presets]\na = '3m'\nb = '4x'", "config.toml:3: presets.b: 4x: column 2: unknown unit 'x'"),
    ("resume = 'frosen'", "config.toml:1: resume: “frosen” is none of clock, frozen: did you mean"),
    ("[commands]\nat-once = 0", "config.toml:2: commands.at-once: a whole number from 1 on"),
    ("[commands]\ntime = '5'", "config.toml:2: commands.time: 5: missing unit after '5'"),
    ("[themes.a]\npaused = 'blod'", "config.toml:2: themes.a.paused: “blod” is no colour"),
    ("[themes.a]\npuased = 'bold'", "config.toml:2: themes.a.puased: “puased” is nothing that has"),
    ("[keys.board]\nx = 'delte'", "config.toml:2: keys.board.x: “delte” is nothing that a key can"),
    ("[keys.bord]\nx = 'delete'", "config.toml:2: keys.bord.x: “bord” is no place where keys"),
    (
      "[keys.board]\nx = 'delete'\n'Ctrl-X' = 'undo'\n'ctrl-x' = 'none'",
      "config.toml:4: keys.board.ctrl-x: “ctrl-x” is bound twice in board"
    ),
    ("[keys.board]\nx = 'delete'\nx = 'undo'", "config.toml:3: no TOML: "),
    ("[notify]\nbel = true", "config.toml:2: notify.bel: unknown: did you mean “bell”?"),
    ("[notify]\nbell = 'no'", "config.toml:2: notify.bell: true or false belongs here"),
    (
      "[notify]\nterminal = 'osc7'",
      "config.toml:2: notify.terminal: “osc7” is none of auto, osc9, osc777, off: did you mean"
    ),
    ("[notify]\ndesktop = 'of'", "config.toml:2: notify.desktop: “of” is none of auto, on, off"),
    (
      "[notify]\non = ['ring', 'fired']",
      "config.toml:2: notify.on: “fired” is none of finished, ring, phase, failed"
    ),
    ("[display]\nmouse = 1", "config.toml:2: display.mouse: true or false belongs here"),
    ("a = ", "config.toml:1: no TOML: "), ("x", "config.toml:1: no TOML: "),
    ("# [.\n[.a]", "config.toml:2: no TOML: a table's name belongs after ["),
    ("timers = ['''\n[$\n''', \"\\\"\", '\\']\n[[[a]]]", "config.toml:4: no TOML: a table's name"),
    ("\u{FEFF}[é]", "config.toml:1: no TOML: a table's name belongs after ["),
    ("# é\na =\u{2028}1", "config.toml:2: no TOML: only texts and comments hold other"),
    ("a = [}", "config.toml:1: no TOML: a value belongs here"),
    ("a = [[1, #}\n }", "config.toml:2: no TOML: a value belongs here"),
    ("a =\u{C}1", "config.toml:1: no TOML: only texts and comments hold other"),
    ("\n[thems.mine]\npaused = 'bold'", "config.toml:2: thems: unknown: did you mean “themes”?"),
    ("[[]]", "config.toml:1: no TOML: "), ("[[", "config.toml:1: no TOML: "),
  ])
  func whatIsWrongIsToldWithItsPlace(text: String, message: String) {
    let fault = #expect(throws: ConfigurationFault.self) { try read(text) }
    #expect(fault?.description.hasPrefix(message) == true, "\(fault?.description ?? "")")
  }

  /// What looks like a table but is in a text or a list is none.
  @Test func bracketsThatAreNoTables() throws {
    let configuration = try read(
      """
      timers = [
        '3m', # [.
        \"\"\"4m note '
      [$x]' \\
      \"\"\", '''5m''', "6m"]
      [presets]
      "[.a" = "7m"
      """)
    #expect(configuration.timers.count == 4 && configuration.presets.keys.sorted() == ["[.a"])
  }

  @Test func whatIsNoText() {
    for bytes: [UInt8] in [[0xFF, 0xFE], [0], [0x61, 0, 0x62]] {
      let fault = #expect(throws: ConfigurationFault.self) {
        try Configuration(bytes, file: "config.toml")
      }
      #expect(fault?.description == "config.toml: no text in UTF-8")
    }
  }
}
