import Foundation
import Testing

/// Valid and invalid configuration files.
struct ConfigurationFileTests {
  private func withConfiguration(
    _ text: String, _ arguments: [String] = [],
    _ test: (PseudoTerminal) async throws -> Void
  ) async throws {
    let script = """
      mkdir -p "$XDG_CONFIG_HOME/carillon"; printf '%s' "$1" >"$XDG_CONFIG_HOME/carillon/config.toml"
      shift; exec "$0" "$@"
      """
    try await withPseudoTerminal(
      command: ["sh", "-c", script, Program.path(), text] + arguments
    ) { terminal, _ in try await test(terminal) }
  }

  @Test func timersOfTheConfigurationOpenTheFirstTime() async throws {
    try await withConfiguration("timers = ['soup=9m']") { terminal in
      try await terminal.output("its timer") { $0.contains("soup") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(!terminal.output().contains("What shall I time?"))
    }
  }

  @Test func aPresetCanBeCombinedWithTimers() async throws {
    try await withConfiguration(
      "[presets]\ngym = ['sets=every 45s x8 then rest', 'rest=3m paused']", ["tea=5m", "@gym"]
    ) { terminal in
      try await terminal.output("all three") {
        $0.contains("tea") && $0.contains("sets") && $0.contains("rest")
      }
    }
  }

  @Test func aKeyCanBeRebound() async throws {
    try await withConfiguration("[keys.board]\nx = 'quit'", ["tea=5m"]) { terminal in
      try await terminal.output("the first frame") { $0.contains("tea") }
      terminal.type("x")
      #expect(try await terminal.ending() == .exited(0))
    }
  }

  @Test func theConfigurationAppliesToTheLab() async throws {
    try await withConfiguration("[keys.lab]\nz = 'quit'", ["demo", "throttle"]) { terminal in
      try await terminal.output("the first frame") { $0.contains("throttle") }
      terminal.type("z")
      #expect(try await terminal.ending() == .exited(0))
    }
  }

  @Test(arguments: [
    ("timer = []", [], "timer: unknown key (did you mean 'timers'?)"),
    ("[presets]\ngym = '3m'", ["@gim"], "unknown preset '@gim' (did you mean '@gym'?)"),
    ("", ["--config", "/nowhere/it.toml"], "/nowhere/it.toml: no such file"),
    ("", ["--config", "/dev"], "/dev: Is a directory"),
  ])
  func anInvalidConfigurationIsReported(
    text: String, arguments: [String], message: String
  ) async throws {
    try await withConfiguration(text, arguments) { terminal in
      try await terminal.output("the message") { $0.contains(message) }
      let ending = try await terminal.ending()
      #expect(ending == .exited(2) || ending == .exited(1))
      #expect(!terminal.output().contains("\u{1B}[?1049h"))
    }
  }

  /// Without a file it checks the one that carillon reads. What is no regular file is refused, and not waited for.
  @Test func checkReadsTheDefaultConfiguration() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func check(_ arguments: String...) async throws -> Finished {
      try await run(
        [Program.path(), "check"] + arguments, environment: Program.environment(in: folder),
        in: folder)
    }
    let missing = try await check()
    #expect(missing.ending == .exited(0))
    #expect(missing.output.hasSuffix("config.toml: no such file; the defaults apply\n"))
    let carillonFolder = folder.path("config/carillon")
    try FileManager.default.createDirectory(
      atPath: carillonFolder, withIntermediateDirectories: true)
    let file = "\(carillonFolder)/config.toml"
    try "timers = ['3m']".write(toFile: file, atomically: true, encoding: .utf8)
    let good = try await check()
    #expect(good.output == "\(file): a configuration with 1 timer and 0 presets\n", "\(good)")
    try "timers = ['3x']".write(toFile: file, atomically: true, encoding: .utf8)
    let bad = try await check()
    #expect(bad.ending == .exited(1) && bad.error.contains("config.toml: timers: 3x: column 3"))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path("pipe"), "/dev/null", folder.path("config")] {
      let refused = try await check(path)
      #expect(refused.ending == .exited(1), "\(refused)")
      #expect(refused.error.hasSuffix("\(path): not a regular file\n"), "\(refused)")
    }
  }

  /// With a timer it tells when that would fire, and starts nothing.
  @Test func checkTellsWhenATimerFires() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func check(_ arguments: String...) async throws -> Finished {
      try await run(
        [Program.path(), "check"] + arguments, environment: Program.environment(in: folder),
        in: folder)
    }
    let cron = try await check("--timer", "cron '0 9 1,15 * 5'")
    #expect(cron.ending == .exited(0) && cron.error.isEmpty)
    let lines = cron.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix("cron '0 9 1,15 * 5' · first fires "), "\(cron)")
    #expect(
      lines.dropFirst().allSatisfy { $0.contains(" 09:00:00  ") || $0.contains("9:00:00 am") })
    let json = try await check("--json", "--timer", "every 10m x7")
    #expect(
      json.output.hasPrefix(#"{"name":"every 10m x7","timer":"every 10m x7","fires":[{"at":""#))
    #expect(json.output.split(separator: "\n").count == 1)
    let preset = try await check("--timer", "pomodoro")
    #expect(preset.output.hasPrefix("pomodoro · cycle 25m/5m ×4"), "\(preset)")
    let bad = try await check("--timer", "3pm next friday")
    #expect(bad.ending == .exited(1), "\(bad)")
    #expect(bad.error.hasSuffix("ambiguous day 'next friday' (did you mean 'friday'?)\n"))
    for usage in [["--timer", "3m", "file"], ["--json"], ["--timer"]] {
      let refused = try await run(
        [Program.path(), "check"] + usage, environment: Program.environment(in: folder), in: folder)
      #expect(refused.ending == .exited(2) && refused.output.isEmpty, "\(refused)")
    }
    let status = try await run(
      [Program.path(), "status"], environment: Program.environment(in: folder), in: folder)
    #expect(status.output.isEmpty)
  }

  /// A command of `ctl` without it names the whole command, and starts no timer of that name.
  @Test(arguments: [
    ("list", "ctl list"), ("add tea=3m", "ctl add"), ("add 3m", "ctl add"),
    ("start tea", "ctl start"),
    ("stop tea", "ctl pause"), ("statu", "status"),
  ])
  func commandsWithoutCtlAreSuggested(_ words: String, _ command: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let refused = try await run(
      [Program.path()] + words.split(separator: " ").map(String.init),
      environment: Program.environment(in: folder), in: folder)
    #expect(refused.ending == .exited(2), "\(refused)")
    #expect(refused.error.contains("(did you mean '\(command)'?"), "\(refused)")
  }

  @Test func checkReportsEveryError() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func check(_ text: String) async throws -> Finished {
      try text.write(toFile: folder.path("file"), atomically: true, encoding: .utf8)
      return try await run(
        [Program.path(), "check", folder.path("file")],
        environment: Program.environment(in: folder), in: folder)
    }
    let good = try await check("timers = ['3m']\n[presets]\na = '4m'")
    #expect(good.ending == .exited(0))
    #expect(good.output.hasSuffix(": a configuration with 1 timer and 1 preset\n"))
    let bad = try await check("\ntimers = ['3x']")
    #expect(bad.ending == .exited(1) && bad.error.contains("file: timers: 3x: column 3"))
    let session = try await check(#"{"version":3,"savedAt":1,"timers":[]}"#)
    #expect(session.ending == .exited(0) && session.output.hasSuffix("a session of 0 timers\n"))
    for (name, isValid) in [("empty", true), ("main.json", false)] {
      try "".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
      let empty = try await run(
        [Program.path(), "check", folder.path(name)],
        environment: Program.environment(in: folder), in: folder)
      #expect(empty.ending == .exited(isValid ? 0 : 1))
      #expect(empty.error.hasSuffix(isValid ? "" : "main.json: not a complete session file\n"))
    }
    let many = try await check(
      """
      timers = ['3m', 'tea=3x', 'a=1m then b', 'b=every 0s', "c=2m then a"]
      resume = 'sometimes'
      [display]
      theme = 'nois'
      tents = true
      [presets]
      x = ['zz']
      """)
    #expect(many.ending == .exited(1))
    let lines = many.error.split(separator: "\n")
    let expected = [
      "file: resume: unknown value 'sometimes'", "file: presets.x: zz",
      "file: timers: tea=3x: column 7", "file: timers: b=every 0s: column 9",
      "file: display.theme: unknown value 'nois'", "file: display.tents",
    ]
    #expect(lines.count == expected.count, "\(many.error)")
    for (line, expected) in zip(lines, expected) {
      #expect(line.hasPrefix("carillon: ") && line.contains(expected), "\(line)")
    }
    let timers =
      #"{"timer":"3x","state":"idle"},{"timer":"3m","state":"idle"},{"timer":"cycle 1m/1m x2","state":"idle","phaseIndex":9}"#
    let two = try await check(#"{"version":3,"savedAt":1,"timers":[\#(timers)]}"#)
    #expect(two.ending == .exited(1) && two.error.split(separator: "\n").count == 2)
    let broken = try await check("{")
    #expect(broken.ending == .exited(1) && broken.error.contains("not a complete session file"))
  }
}
