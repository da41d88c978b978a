import Assets
import Dashboard
import Testing
import TimerBoard
import TimerKit

@testable import CarillonRuntime

struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration(Array(text.utf8), file: "config.toml")
  }

  private func errors(_ text: String) -> [ConfigurationError] {
    do throws(ConfigurationErrors) {
      _ = try Configuration(Array(text.utf8), file: "config.toml")
      return []
    } catch {
      return error.all
    }
  }

  /// The documented sample is valid and complete.
  @Test func theSampleIsValid() throws {
    let configuration = try read(Assets.configuration)
    #expect(configuration.timers.count == 2)
    #expect(configuration.presets.keys.sorted() == ["gym", "pomodoro"])
    #expect(
      configuration.display.theme.name == "mine" && configuration.display.customThemes.count == 1)
    #expect(configuration.commandLimit == 8 && configuration.commandTimeLimit == .minutes(10))
  }

  @Test func anEmptyFileIsValid() throws {
    let configuration = try read("# nothing\n")
    #expect(configuration.timers.isEmpty && configuration.presets.isEmpty)
    #expect(configuration.display == DisplayOptions())
  }

  /// The TOML parser would overflow its stack and end the process.
  @Test(arguments: [
    "[" + String(repeating: "a.", count: 60_000) + "a]",
    "x = 1\n" + String(repeating: "a.", count: 60_000) + "a = 1",
    "x = 1\n" + String(repeating: "'a' .", count: 20_000) + "a = 1",
    "x = 1\nx = " + String(repeating: "[", count: 60_000),
    "x = 1\nx = " + String(repeating: "{a=", count: 40_000),
    "[a]\nx = { " + String(repeating: "a.", count: 33) + "b = 1 }",
  ])
  func deepNestingIsRejected(text: String) {
    let error = errors(text).first
    #expect(error?.problem == "invalid TOML: nested too deeply (expected at most 32 levels)")
    #expect(error?.line == (text.hasPrefix("[" + "a.") ? 1 : 2))
  }

  @Test func moderateNestingIsParsed() {
    // The keys are ignored, but parsed.
    let text = String(repeating: "a.", count: 31) + "a = 1.5"
    #expect(errors(text).map(\.key) == ["a"])
  }

  @Test func aLargeFileIsRejected() throws {
    let line = "# nothing here\n"
    _ = try read(String(repeating: line, count: 8_000))
    #expect(
      errors(String(repeating: line, count: 9_000)).map(\.description)
        == ["config.toml: too large (expected at most 128 KiB)"])
  }

  @Test func settingsAreParsed() throws {
    let configuration = try read(
      """
      resume = "frozen"
      display = { theme = "mono", tenths = true, clock = false, motion = false, layout = "wall" }
      notify.mute = true
      [commands]
      at-once = 2
      time-limit = "30s"
      """)
    let options = configuration.display
    #expect(configuration.restorePolicy == .keepTimeLeft)
    #expect(options.theme.name == "mono" && options.boardLayout == .wall && options.isMuted)
    #expect(options.showsTenths && !options.showsClock && options.reducesMotion)
    #expect(configuration.commandLimit == 2 && configuration.commandTimeLimit == .seconds(30))
  }

  @Test func notificationSettingsAreParsed() throws {
    let configuration = try read(
      """
      display = { mouse = false, title = false }
      [notify]
      bell = false
      sound = "glass"
      terminal = "osc777"
      desktop = "off"
      on = ["phase", "failed"]
      """)
    #expect(!configuration.usesMouse && !configuration.setsTitle)
    #expect(!configuration.display.isMuted)
    #expect(
      configuration.notifications
        == NotificationOptions(
          usesBell: false, sound: "glass", terminal: .osc777, desktop: .off,
          events: [.phase, .failed]))
    #expect(try read("").notifications == NotificationOptions())
    #expect(try read("notify.on = 'ring'").notifications.events == [.ring])
    #expect(try read("notify.on = []").notifications.events == [])
  }

  @Test(arguments: [
    ("theme = 'nord'", "config.toml: theme: unknown key (did you mean 'display.theme'?)"),
    ("\ntimer = ['3m']", "config.toml: timer: unknown key (did you mean 'timers'?)"),
    (
      "colour = 1",
      "config.toml: colour: unknown key (expected resume, clock, auto-advance, on-hangup, presets, timers, themes, "
        + "display, notify, commands, hooks, history or keys)"
    ),
    (
      "'' = 1",
      "config.toml: \"\": unknown key (expected resume, clock, auto-advance, on-hangup, presets, timers, themes, "
        + "display, notify, commands, hooks, history or keys)"
    ),
    (
      "[display]\n\ntheem = 'mono'",
      "config.toml: display.theem: unknown key (did you mean 'theme'?)"
    ),
    (
      "[display]\ntenths = 1",
      "config.toml: display.tenths: invalid value '1' (expected true or false)"
    ),
    (
      "timers = 7",
      "config.toml: timers: invalid value '7' (expected a string or an array of strings)"
    ),
    ("timers = ['3m', 4]", "config.toml: timers: invalid value '4' (expected a string)"),
    ("timers = [\n'3m',\n4.5]", "config.toml: timers: invalid value floating-point number (exp"),
    ("presets = 1", "config.toml: presets: invalid value '1' (expected a table, [presets])"),
    ("[presets]\na = '3m'\nb = '4x'", "config.toml: presets.b: 4x: column 3: "),
    (
      "resume = 'frosen'",
      "config.toml: resume: unknown value 'frosen' (expected clock or frozen)"
    ),
    ("resume = 'no'", "config.toml: resume: unknown value 'no' (expected clock or frozen)"),
    (
      "[commands]\nat-once = 0",
      "config.toml: commands.at-once: invalid value '0' (expected an integer of at least 1)"
    ),
    ("[commands]\ntime-limit = '5'", "config.toml: commands.time-limit: '5': "),
    ("[themes.a]\npaused = 'blod'", "config.toml: themes.a.paused: "),
    ("[themes.a]\npuased = 'bold'", "config.toml: themes.a.puased: "),
    ("[keys.board]\nx = 'delte'", "config.toml: keys.board.x: "),
    ("[keys.bord]\nx = 'delete'", "config.toml: keys.bord.x: "),
    (
      "[keys.board]\nx = 'delete'\n'Ctrl-X' = 'undo'\n'ctrl-x' = 'none'",
      "config.toml: keys.board.ctrl-x: "
    ),
    ("[keys.board]\nx = 'delete'\nx = 'undo'", "config.toml:3: invalid TOML: "),
    ("[notify]\nbel = true", "config.toml: notify.bel: unknown key (did you mean 'bell'?)"),
    (
      "[notify]\nbell = 'no'",
      "config.toml: notify.bell: invalid value 'no' (expected true or false)"
    ),
    (
      "[notify]\nsound = 'gong'",
      "config.toml: notify.sound: unknown sound 'gong' (expected bowl, glass, tower or a path that begins with / or ~/)"
    ),
    (
      "[notify]\nsound = '/dev/null'",
      "config.toml: notify.sound: sound '/dev/null': not a regular file"
    ),
    (
      "presets.tea = '3m sound /nowhere/a.ogg'",
      "config.toml: presets.tea: 3m sound /nowhere/a.ogg: column 10: sound '/nowhere/a.ogg': no such file or directory"
    ),
    (
      "[notify]\nterminal = 'osc7'",
      "config.toml: notify.terminal: unknown value 'osc7' (expected auto, osc9, osc777 or off)"
    ),
    (
      "[notify]\ndesktop = 'of'",
      "config.toml: notify.desktop: unknown value 'of' (expected auto, on or off)"
    ),
    (
      "[notify]\non = ['ring', 'fires']",
      "config.toml: notify.on: unknown value 'fires' (expected finished, fired, ring, phase or failed)"
    ),
    ("[notify]\non = [\n'ring',\n'fires']", "config.toml: notify.on: unknown value 'fires' ("),
    (
      "[display]\nmouse = []",
      "config.toml: display.mouse: invalid value array (expected true or false)"
    ),
    ("a = ", "config.toml:1: invalid TOML: "), ("x", "config.toml:1: invalid TOML: "),
    ("# [.\n[.a]", "config.toml:2: invalid TOML: missing table name after '['"),
    (
      "timers = ['''\n[$\n''', \"\\\"\", '\\']\n[[[a]]]",
      "config.toml:4: invalid TOML: missing table name"
    ),
    ("\u{FEFF}[é]", "config.toml:1: invalid TOML: missing table name after '['"),
    ("# é\na =\u{2028}1", "config.toml:2: invalid TOML: invalid character (expected ASCII"),
    ("a = [}", "config.toml:1: invalid TOML: unexpected '}' (expected a value or ']')"),
    ("a = [[1, #}\n }", "config.toml:2: invalid TOML: unexpected '}'"),
    ("a =\u{C}1", "config.toml:1: invalid TOML: invalid character (expected ASCII"),
    (
      "\n[thems.mine]\npaused = 'bold'",
      "config.toml: thems: unknown key (did you mean 'themes'?)"
    ),
    ("[[]]", "config.toml:1: invalid TOML: "), ("[[", "config.toml:1: invalid TOML: "),
  ])
  func anErrorNamesItsKeyOrLine(text: String, message: String) {
    let errors = errors(text)
    #expect(errors.count == 1)
    #expect(errors.first?.description.hasPrefix(message) == true, "\(errors)")
  }

  /// All errors are found in one pass.
  @Test func allErrorsAreListed() throws {
    let text = """
      timers = [
        "tea=3m",
        "egg=5x",
        "nap=1h then tee",
      ]
      resum = "clock"
      display = { theem = "mono", tenths = 1 }
      [themes.mine]
      base = "lihgt"
      paused = "blod"
      finished = "bold"
      runing = "red"
      [keys.board]
      x = "delte"
      Y = "undo"
      y = "undoo"
      [notify]
      on = ["fires", "ring", "rings"]
      """
    let found = errors(text)
    #expect(
      found.map(\.key) == [
        "timers", "timers", "themes.mine.base", "themes.mine.paused", "themes.mine.runing",
        "display.tenths", "display.theem", "notify.on", "notify.on", "keys.board.x",
        "keys.board.y", "resum",
      ])
    // At program start, only as many errors as fit on a screen.
    let lines = ConfigurationErrors(all: found).description.split(separator: "\n")
    #expect(lines.count == 6 && lines.dropFirst().allSatisfy { $0.hasPrefix("carillon: ") })
    #expect(
      lines.last == "carillon: config.toml: 7 more errors (carillon check config.toml lists all)")
    let six = ConfigurationErrors(all: Array(found.prefix(6))).lines
    #expect(six.last == "config.toml: 1 more error (carillon check config.toml lists all)")
  }

  /// A bracket in a string or an array starts no table.
  @Test func bracketsInValuesStartNoTable() throws {
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

  @Test func invalidUTF8IsRejected() {
    for bytes: [UInt8] in [[0xFF, 0xFE], [0], [0x61, 0, 0x62]] {
      let error = #expect(throws: ConfigurationErrors.self) {
        try Configuration(bytes, file: "config.toml")
      }
      #expect(error?.description == "config.toml: invalid text (expected UTF-8)")
    }
  }
}
